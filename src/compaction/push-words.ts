// Words that only push the work on, by language: "go on", "yes, do it", "weiter", "继续". Told by meaning, never by length.

/** Phrases that agree or push on. A request of nothing but these, and of fillers, asks for nothing new. */
const PUSHES: Record<string, string> = {
  en:
    'go on|go ahead|go for it|go|continue|carry on|keep going|keep at it|proceed|resume|next|move on|yes|yes please|yep|yup|yeah|ya|y|' +
    'ok|okay|k|kk|okey|sure|sure thing|of course|absolutely|definitely|right|correct|exactly|agreed|approved|confirmed|' +
    'fine|good|great|perfect|excellent|awesome|cool|nice|sounds good|sounds great|looks good|looks great|lgtm|all good|' +
    "do it|do that|do so|please do|make it so|let's go|lets go|let's do it|lets do it|let's do that|let us go on|ship it|" +
    'go on then|keep on|finish|finish it|finish up|try again|again|retry|and|thanks|thank you|thx|ty|cheers|good job|well done|' +
    'continue from where you left off|continue where you left off|pick up where you left off|' +
    'continue the conversation from where it left off without asking the user any further questions',
  de:
    'weiter|mach weiter|mache weiter|weitermachen|weiter so|weiter gehts|weiter geht es|fahr fort|fahre fort|los|los gehts|' +
    'leg los|ja|ja bitte|jawohl|jo|jep|okay|gut|sehr gut|prima|super|passt|genau|richtig|einverstanden|in ordnung|gerne|klar|' +
    'mach das|mach es|machs|tu das|danke|nochmal|noch mal|weiter bitte|nächster|nächstes',
  fr:
    "continue|continuez|vas-y|vas y|allez-y|allez y|allez|oui|ouais|d'accord|dac|ok|parfait|très bien|tres bien|bien|super|" +
    "exactement|c'est bon|fais-le|fais le|faites-le|poursuis|poursuivez|on continue|suivant|encore|merci|ça marche|ca marche",
  es:
    'continúa|continua|continúe|continue|sigue|sigue así|siga|adelante|dale|vamos|sí|si|vale|claro|de acuerdo|está bien|' +
    'esta bien|perfecto|genial|correcto|exacto|hazlo|hágalo|procede|siguiente|otra vez|gracias|por supuesto',
  pt: 'continue|continua|prossiga|segue|siga|pode seguir|vai|vamos|sim|certo|ok|está bem|beleza|perfeito|isso|faz isso|faça|próximo|obrigado|obrigada',
  it: "continua|continui|avanti|vai|vai avanti|procedi|sì|si|va bene|d'accordo|perfetto|esatto|certo|fallo|ok|prossimo|ancora|grazie",
  nl: 'ga door|ga verder|verder|doorgaan|ja|ja graag|oké|oke|prima|goed|doe het|doe maar|precies|bedankt|volgende',
  pl: 'kontynuuj|dalej|tak|dobrze|ok|w porządku|zrób to|jedziemy|dzięki|super',
  tr: 'devam|devam et|devam edin|evet|tamam|olur|peki|yap|güzel|teşekkürler',
  vi: 'tiếp tục|tiếp|vâng|được|đồng ý|làm đi|cảm ơn',
  id: 'lanjut|lanjutkan|ya|iya|oke|baik|setuju|lakukan|terima kasih',
  ru: 'продолжай|продолжайте|продолжить|продолжим|дальше|далее|да|давай|давайте|ок|окей|хорошо|ладно|отлично|верно|согласен|поехали|сделай|сделай это|спасибо|ещё раз|еще раз',
  uk: 'продовжуй|продовжуйте|далі|так|давай|добре|гаразд|чудово|дякую|зроби це',
  zh:
    '继续|請繼續|请继续|繼續|继续吧|接着|接着做|接着来|往下|下一步|下一个|好|好的|好啊|好吧|行|可以|可以的|是|是的|对|对的|對|嗯|嗯嗯|没问题|沒問題|同意|确认|' +
    '确定|開始|开始|开始吧|做吧|来吧|去做吧|就这样|就这么办|再来|再试一次|谢谢|謝謝|辛苦了|不错|完美',
  ja:
    '続けて|続けてください|続けて下さい|続き|続きをお願いします|続行|続行してください|進めて|進めてください|次|次へ|次に進んで|はい|ええ|うん|いいよ|いいです|' +
    'いいですね|オーケー|オッケー|了解|了解です|わかりました|お願い|お願いします|どうぞ|そうして|それで|それでお願いします|やって|やってください|もう一度|ありがとう|ありがとうございます|承認',
  ko:
    '계속|계속해|계속해줘|계속해 줘|계속해주세요|계속해 주세요|계속하세요|계속 진행|계속 진행해|계속 진행해줘|진행|진행해|진행해줘|진행해 줘|진행해주세요|진행해 주세요|다음|' +
    '네|예|응|그래|좋아|좋아요|좋습니다|오케이|알겠어|알겠습니다|해줘|해 줘|하자|부탁해|부탁해요|부탁합니다|고마워|감사합니다|다시|맞아|맞아요',
  ar: 'استمر|أكمل|اكمل|تابع|واصل|نعم|أجل|حسنا|حسنًا|تمام|موافق|جيد|ممتاز|ابدأ|هيا|شكرا|شكرًا|التالي',
  he: 'המשך|תמשיך|תמשיכי|הלאה|כן|בסדר|אוקיי|יאללה|מעולה|תודה|קדימה',
  fa: 'ادامه بده|ادامه|بله|آره|باشه|خوبه|ممنون|بعدی',
  hi: 'जारी रखें|जारी रखो|आगे बढ़ो|आगे बढ़ें|हाँ|हां|ठीक है|ठीक|अच्छा|करो|धन्यवाद',
  th: 'ต่อ|ต่อเลย|ทำต่อ|ทำต่อเลย|ใช่|ตกลง|โอเค|ได้|ได้เลย|ขอบคุณ',
};

/** Words that add nothing to a phrase: alone they ask for nothing either. */
const FILLERS =
  'please|pls|plz|then|now|just|so|and|well|hm|hmm|ah|oh|with it|with that|with this|from there|from here|as planned|as discussed|' +
  'you can|you may|i agree|that works|this works|works for me|bitte|dann|jetzt|doch|einfach|mal|und|damit|' +
  "s'il te plaît|s'il vous plaît|por favor|per favore|alstublieft|пожалуйста|тогда|吧|请|請|麻烦|ください|요|من فضلك|को|ครับ|ค่ะ";

const setOf = (phrases: readonly string[]): Set<string> =>
  new Set(phrases.flatMap((each) => each.split('|')).map((each) => each.replaceAll("'", '')));
const AGREEING = setOf(Object.values(PUSHES));
const EMPTY = setOf([FILLERS]);
const LONGEST = Math.max(...[...AGREEING, ...EMPTY].map((phrase) => phrase.length));

const GAPS = /(?:[\s\p{P}\p{S}\p{Emoji_Modifier}\p{Cf}]|\ufe0f)+/gu;
/** The words alone, small, with single blanks; apostrophes are left out ("let's" is "lets"). */
const plain = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/['‘’]/g, '').replace(GAPS, ' ').trim();

/** Whether a phrase may end here: at a blank, or behind a letter of a script that is written without blanks. */
const isEnd = (text: string, at: number): boolean =>
  at >= text.length || text[at] === ' ' || /[^\u0000-\u04ff]/.test(text[at - 1] ?? '');

/** The length of the longest phrase that begins here, or 0. */
function phraseAt(text: string, from: number, phrases: ReadonlySet<string>): number {
  for (let length = Math.min(LONGEST, text.length - from); length > 0; length--) {
    if (isEnd(text, from + length) && phrases.has(text.slice(from, from + length))) return length;
  }
  return 0;
}

/** Whether a request only pushes the work on; signs alone ("👍", "...") ask for nothing either. */
export function isPush(text: string): boolean {
  if (text.length > 2_000) return false;
  const words = plain(text);
  for (let at = 0; at < words.length; ) {
    const length = Math.max(phraseAt(words, at, AGREEING), phraseAt(words, at, EMPTY));
    if (length === 0) return false;
    at += length;
    while (words[at] === ' ') at++;
  }
  return true;
}

/** Whether a request begins by agreeing ("yes, but keep the tabs"). */
export const beginsWithAgreement = (text: string): boolean =>
  phraseAt(plain(text.slice(0, 200)), 0, AGREEING) > 0;
