// Classifies a request: the goal of the work, a new topic, an addition, a side question, a push, or courtesy.

import type { Speaker } from '../../hosts/entry.ts';
import { isFound } from '../../text/large-expression.ts';
import { isOnlyConstraints, splitSentences } from './constraints.ts';
import type { RequestKind } from './ledger.ts';

// Words that only push the work on or are polite, by language ("go on", "weiter", "继续", "hello");
// recognised by meaning, never by length.
/** Phrases that agree or push on. A request of nothing but these, and of fillers, asks for nothing new. */
const PUSHES: Record<string, string> = {
  en:
    'go on|go ahead|go for it|go|continue|carry on|keep going|keep at it|proceed|resume|next|move on|yes|yes please|yep|yup|yeah|ya|y|ok|okay|k|kk|' +
    'okey|sure|sure thing|of course|absolutely|definitely|right|correct|exactly|agreed|approved|confirmed|fine|good|great|perfect|excellent|awesome|' +
    "cool|nice|sounds good|sounds great|looks good|looks great|lgtm|all good|do it|do that|do so|please do|make it so|let's go|lets go|let's do it|" +
    "lets do it|let's do that|let us go on|ship it|go on then|keep on|finish|finish it|finish up|try again|again|retry|and|good job|well done|" +
    'continue from where you left off|continue where you left off|pick up where you left off|' +
    'continue the conversation from where it left off without asking the user any further questions',
  de:
    'weiter|mach weiter|mache weiter|weitermachen|weiter so|weiter gehts|weiter geht es|fahr fort|fahre fort|los|los gehts|' +
    'leg los|ja|ja bitte|jawohl|jo|jep|okay|gut|sehr gut|prima|super|passt|genau|richtig|einverstanden|in ordnung|gerne|klar|' +
    'mach das|mach es|machs|tu das|nochmal|noch mal|weiter bitte|nächster|nächstes',
  fr:
    "continue|continuez|vas-y|vas y|allez-y|allez y|allez|oui|ouais|d'accord|dac|ok|parfait|très bien|tres bien|bien|super|" +
    "exactement|c'est bon|fais-le|fais le|faites-le|poursuis|poursuivez|on continue|suivant|encore|ça marche|ca marche",
  es:
    'continúa|continua|continúe|continue|sigue|sigue así|siga|adelante|dale|vamos|sí|si|vale|claro|de acuerdo|está bien|' +
    'esta bien|perfecto|genial|correcto|exacto|hazlo|hágalo|procede|siguiente|otra vez|por supuesto',
  pt: 'continue|continua|prossiga|segue|siga|pode seguir|vai|vamos|sim|certo|ok|está bem|beleza|perfeito|isso|faz isso|faça|próximo',
  it: "continua|continui|avanti|vai|vai avanti|procedi|sì|si|va bene|d'accordo|perfetto|esatto|certo|fallo|ok|prossimo|ancora",
  nl: 'ga door|ga verder|verder|doorgaan|ja|ja graag|oké|oke|prima|goed|doe het|doe maar|precies|volgende',
  pl: 'kontynuuj|dalej|tak|dobrze|ok|w porządku|zrób to|jedziemy|super',
  tr: 'devam|devam et|devam edin|evet|tamam|olur|peki|yap|güzel',
  vi: 'tiếp tục|tiếp|vâng|được|đồng ý|làm đi',
  id: 'lanjut|lanjutkan|ya|iya|oke|baik|setuju|lakukan',
  ru: 'продолжай|продолжайте|продолжить|продолжим|дальше|далее|да|давай|давайте|ок|окей|хорошо|ладно|отлично|верно|согласен|поехали|сделай|сделай это|ещё раз|еще раз',
  uk: 'продовжуй|продовжуйте|далі|так|давай|добре|гаразд|чудово|зроби це',
  zh:
    '继续|請繼續|请继续|繼續|继续吧|接着|接着做|接着来|往下|下一步|下一个|好|好的|好啊|好吧|行|可以|可以的|是|是的|对|对的|對|嗯|嗯嗯|没问题|沒問題|同意|确认|' +
    '确定|開始|开始|开始吧|做吧|来吧|去做吧|就这样|就这么办|再来|再试一次|不错|完美',
  ja:
    '続けて|続けてください|続けて下さい|続き|続きをお願いします|続行|続行してください|進めて|進めてください|次|次へ|次に進んで|はい|ええ|うん|いいよ|いいです|' +
    'いいですね|オーケー|オッケー|了解|了解です|わかりました|お願い|お願いします|どうぞ|そうして|それで|それでお願いします|やって|やってください|もう一度|承認',
  ko:
    '계속|계속해|계속해줘|계속해 줘|계속해주세요|계속해 주세요|계속하세요|계속 진행|계속 진행해|계속 진행해줘|진행|진행해|진행해줘|진행해 줘|진행해주세요|진행해 주세요|다음|' +
    '네|예|응|그래|좋아|좋아요|좋습니다|오케이|알겠어|알겠습니다|해줘|해 줘|하자|부탁해|부탁해요|부탁합니다|다시|맞아|맞아요',
  ar: 'استمر|أكمل|اكمل|تابع|واصل|نعم|أجل|حسنا|حسنًا|تمام|موافق|جيد|ممتاز|ابدأ|هيا|التالي',
  he: 'המשך|תמשיך|תמשיכי|הלאה|כן|בסדר|אוקיי|יאללה|מעולה|קדימה',
  fa: 'ادامه بده|ادامه|بله|آره|باشه|خوبه|بعدی',
  hi: 'जारी रखें|जारी रखो|आगे बढ़ो|आगे बढ़ें|हाँ|हां|ठीक है|ठीक|अच्छा|करो',
  th: 'ต่อ|ต่อเลย|ทำต่อ|ทำต่อเลย|ใช่|ตกลง|โอเค|ได้|ได้เลย',
};

/** Greetings and thanks, by language: what a person says to be polite asks for nothing, and answers nothing. */
const COURTESIES: Record<string, string> = {
  en:
    'hello|hello there|hello again|hi|hi there|hi again|hiya|hey|hey there|howdy|yo|greetings|good morning|good afternoon|good evening|' +
    "good day|morning|how are you|how are you doing|how's it going|what's up|nice to meet you|claude|thanks|thanks a lot|thanks so much|" +
    'thank you|thank you so much|thank you very much|many thanks|much appreciated|thx|ty|cheers|bye|goodbye|good night|see you',
  de:
    'hallo|hallo zusammen|moin|moin moin|servus|grüezi|grüß dich|grüß gott|guten tag|guten morgen|guten abend|morgen|wie gehts|wie geht es dir|' +
    'danke|danke dir|danke schön|dankeschön|danke sehr|vielen dank|besten dank|herzlichen dank|tschüss|gute nacht',
  fr: 'bonjour|bonsoir|salut|coucou|ça va|comment ça va|merci|merci beaucoup|merci bien|au revoir',
  es: 'hola|buenas|buenos días|buenos dias|buen día|buenas tardes|buenas noches|qué tal|que tal|gracias|muchas gracias|mil gracias|adiós',
  pt: 'olá|ola|oi|bom dia|boa tarde|boa noite|tudo bem|obrigado|obrigada|muito obrigado|muito obrigada|valeu',
  it: 'ciao|salve|buongiorno|buonasera|buon giorno|come stai|come va|grazie|grazie mille|arrivederci',
  nl: 'hallo|hoi|goedemorgen|goedemiddag|goedenavond|bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel',
  pl: 'cześć|czesc|hej|witaj|witam|dzień dobry|dobry wieczór|dzięki|dziękuję|dziękuję bardzo',
  tr: 'merhaba|selam|günaydın|iyi günler|iyi akşamlar|teşekkürler|teşekkür ederim|sağ ol|sağol',
  vi: 'xin chào|chào|chào bạn|cảm ơn|cảm ơn bạn',
  id: 'halo|hai|selamat pagi|selamat siang|selamat sore|selamat malam|terima kasih|makasih',
  ru: 'привет|приветствую|здравствуй|здравствуйте|добрый день|доброе утро|добрый вечер|спасибо|большое спасибо|спасибо большое|благодарю|пока',
  uk: 'привіт|вітаю|добрий день|доброго дня|добрий ранок|добрий вечір|дякую|щиро дякую',
  zh: '你好|您好|你们好|大家好|嗨|哈喽|早|早安|早上好|上午好|下午好|晚上好|在吗|谢谢|謝謝|谢谢你|谢谢您|多谢|感谢|辛苦了|再见',
  ja:
    'こんにちは|こんばんは|おはよう|おはようございます|はじめまして|やあ|どうも|よろしく|よろしくお願いします|お疲れ様です|お疲れさまです|' +
    'ありがとう|ありがとうございます|ありがとうございました',
  ko: '안녕|안녕하세요|안녕하십니까|반가워요|반갑습니다|고마워|고마워요|고맙습니다|감사해요|감사합니다|수고하셨습니다',
  ar: 'مرحبا|مرحبًا|أهلا|أهلًا|اهلا|السلام عليكم|صباح الخير|مساء الخير|شكرا|شكرًا|شكرا جزيلا',
  he: 'שלום|היי|הי|בוקר טוב|ערב טוב|תודה|תודה רבה',
  fa: 'سلام|درود|صبح بخیر|ممنون|مرسی',
  hi: 'नमस्ते|नमस्कार|हैलो|धन्यवाद|शुक्रिया',
  th: 'สวัสดี|สวัสดีครับ|สวัสดีค่ะ|หวัดดี|ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ',
};

/** Words that add nothing to a phrase: alone they ask for nothing either. */
const FILLERS =
  'please|pls|plz|then|now|just|so|and|well|hm|hmm|ah|oh|with it|with that|with this|from there|from here|as planned|as discussed|' +
  'you can|you may|i agree|that works|this works|works for me|bitte|dann|jetzt|doch|einfach|mal|und|damit|' +
  "s'il te plaît|s'il vous plaît|por favor|per favore|alstublieft|пожалуйста|тогда|吧|请|請|麻烦|ください|요|من فضلك|को|ครับ|ค่ะ";

/** What a phrase does, alone: it pushes the work on, is polite, or only fills. */
type Purpose = 'push' | 'courtesy' | 'filler';

interface Phrases {
  purposes: ReadonlyMap<string, Purpose>;
  longest: number;
}

function makePhrases(): Phrases {
  const purposes = new Map<string, Purpose>();
  const add = (phrases: readonly string[], purpose: Purpose): void => {
    for (const phrase of phrases.flatMap((each) => each.split('|')))
      purposes.set(phrase.replaceAll("'", ''), purpose);
  };
  // A phrase of two kinds has that of the later one.
  add([FILLERS], 'filler');
  add(Object.values(PUSHES), 'push');
  add(Object.values(COURTESIES), 'courtesy');
  return { purposes, longest: Math.max(...[...purposes.keys()].map((phrase) => phrase.length)) };
}

let made: Phrases | undefined;
/** The sets, made when the first request is read: most hooks read none. */
function phrases(): Phrases {
  made ??= makePhrases();
  return made;
}

const GAPS = /(?:[\s\p{P}\p{S}\p{Emoji_Modifier}\p{Cf}]|\ufe0f)+/gu;
/** The words alone, small, with single blanks; apostrophes are left out ("let's" is "lets"). */
const plain = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/['‘’]/g, '').replace(GAPS, ' ').trim();

/** The last letter of the scripts that write blanks between words: Latin, Greek, Cyrillic. */
const LAST_WITH_BLANKS = 0x04ff;

/** Whether a phrase may end here: at a blank, or behind a letter of a script that is written without blanks. */
const isEnd = (text: string, at: number): boolean =>
  at >= text.length || text[at] === ' ' || text.charCodeAt(at - 1) > LAST_WITH_BLANKS;

/** The longest phrase that begins here, or null. */
function phraseAt(text: string, from: number): { length: number; purpose: Purpose } | null {
  const { purposes, longest } = phrases();
  for (let length = Math.min(longest, text.length - from); length > 0; length--) {
    const purpose = isEnd(text, from + length) && purposes.get(text.slice(from, from + length));
    if (purpose) return { length, purpose };
  }
  return null;
}

/** Characters in which the first phrase of a text ends: most requests begin with none, and need no further look. */
const BEGIN = 80;

/**
 * What a request that asks for nothing new does: it pushes the work on, or is polite; null where it asks for something. Signs
 * alone ("👍", "...") push on.
 */
export function findEmptyKind(text: string): 'push' | 'courtesy' | null {
  if (text.length > 2_000) return null;
  const begin = plain(text.slice(0, BEGIN));
  if (begin !== '' && phraseAt(begin, 0) === null) return null;
  const words = plain(text);
  let [isPush, isPolite] = [false, false];
  for (let at = 0; at < words.length; ) {
    const found = phraseAt(words, at);
    if (found === null) return null;
    if (found.purpose === 'courtesy') isPolite = true;
    if (found.purpose === 'push') isPush = true;
    at += found.length;
    while (words[at] === ' ') at++;
  }
  return isPolite && !isPush ? 'courtesy' : 'push';
}

/** Whether a request begins by agreeing ("yes, but keep the tabs"). */
export const beginsWithAgreement = (text: string): boolean =>
  phraseAt(plain(text.slice(0, BEGIN)), 0)?.purpose === 'push';

const QUESTION_WORDS =
  /^(?:(?:and|but|so|ok|okay|hm+|wait|also|btw|just curious|quick question)[\s,:–-]+)?(?:what|what's|whats|why|how|how's|where|which|who|whose|when|is|isn't|are|aren't|was|were|does|doesn't|did|didn't|has|have|had|do (?:we|you|they|i)|was|warum|wieso|weshalb|wie|wo|wer|welche[rsnm]?|wann|ist|sind|gibt es|hat|pourquoi|comment|où|qui|quel(?:le)?s?|quand|est-ce|qu'est|por ?qué|cómo|dónde|quién|cuál(?:es)?|cuándo|qué|почему|как|где|кто|когда|что|зачем)\b/iu;
const ASKS_TO_TELL =
  /^(?:(?:can|could|would|will) you (?:please )?)?(?:tell me|explain|remind me|show me (?:what|why|how|where)|erklär|explique|explica|расскажи|объясни|解释|説明|설명)/iu;
/** A request in the form of a question is none: "can you add …?" */
const ASKS_TO_DO =
  /^(?:(?:ok|okay|so|and|also|now)[\s,]+)?(?:can|could|would|will|why don't|why not|how about|what about|what if|should|shall|let's|kannst|könntest|würdest|peux|pourrais|pouvez|puedes|podrías|можешь|可以帮|能不能|帮我|やってもらえ|해 ?줄)/iu;
const ENDS_ASKING = /(?:[?？؟]|吗|呢|嗎|か。?|까\??|나요\??)\s*[)"'”」』]*\s*$/u;

const NEW_TOPIC =
  /\b(?:new task|next task|new topic|different task|something else|change of plans?|forget (?:that|it|about|[^.!?,;:]{2,60}[,;:] (?:and )?(?:do|build|write|implement|add|fix|make|create|work on))|vergiss [^.!?,;:]{2,60}[,;:] (?:und )?(?:mach|bau|schreib|erstell|implementier)e?|oublie[zr]? [^.!?,;:]{2,60}[,;:] (?:et )?(?:fais|faites|écris|crée|ajoute)|olvida [^.!?,;:]{2,60}[,;:] (?:y )?(?:haz|escribe|crea|añade)|scrap that|never ?mind (?:that|the)|now (?:do|build|write|implement|add|fix|make|create|work on|let's)|neue aufgabe|etwas anderes|stattdessen jetzt|nouvelle tâche|autre chose|nueva tarea|otra cosa)\b|^(?:(?:ok|gut|so|und|et|bien|y|bueno)[\s,]+)*(?:(?:jetzt|nun|als nächstes)[\s,]+(?:bitte )?(?:noch )?(?:(?:die|den|das|der) (?!nicht|nur|nie|kein|bitte)|(?:eine?[nm]?|zu[mr]|schreibe?|baue?|mache?|füge?|erstelle?|ergänze?|implementiere?|übersetze?|behebe?) )|(?:maintenant|ensuite)[\s,]+(?:ajoute|écri[st]|écrivez|fais|faites|crée|corrige|implémente|tradui[st]|renomme|passe)|ahora[\s,]+(?:añade|agrega|escribe|haz|crea|corrige|implementa|traduce|renombra|pasa))|новая задача|新任务|换个任务|新しいタスク|次のタスク|새 작업/iu;

/** How a request begins that gives work, whatever rules stand in the same sentence; "add no comments" gives none. */
const GIVES_WORK =
  /^(?:(?:ok|okay|and|also|now|so|then|please|bitte|jetzt|dann|alors|maintenant|ahora)[\s,]+)*(?:(?:can|could|would|will) you|kannst du|könntest du|peux-tu|pouvez-vous|puedes|podrías|add|build|change|create|extract|fix|implement|migrate|move|port|refactor|remove|rename|replace|run|update|write|füge?|baue?|behebe|erstelle|schreibe?|ajoute[rz]?|corrige[rz]?|crée[rz]?|écris|implémente[rz]?|agrega|añade|crea|escribe|implementa)\s+(?!(?:it|that|this|them|those|is|was|not|es|das|ça|eso)\b)(?!(?:(?!\b(?:and|but|und|aber|et|mais|y|pero)\b)[^,;])*\b(?:all|always|any|each|every|never|no|none|nothing|only|alle|immer|keine?|nie|nur|chaque|jamais|toujours|cada|nunca|siempre)\b)/iu;

/** Words by which somebody picks one of the choices that were offered. */
const CHOICE =
  /^(?:no\b|nope|nah|nein|non\b|нет|不|否|いいえ|아니|the (?:first|second|third|last|former|latter|other)|first|second|third|both|neither|all of (?:them|it)|either|option|number|variant|[a-d1-9](?:[).,:]|\s|$)|#\d|die (?:erste|zweite)|beide|le (?:premier|deuxième)|la (?:première|deuxième)|el (?:primero|segundo)|第[一二三]|最初|第一|첫)/iu;

/** The question with which the agent's last answer ended, or null. */
function questionIn(answer: string | null): string | null {
  const last = answer?.trim().split('\n').at(-1)?.trim() ?? '';
  return /[?？؟]\s*[*_)"'”]*$/u.test(last) ? (splitSentences(last).at(-1)?.text ?? last) : null;
}

/** How an offer begins; "Shall I go on?" offers nothing that is worth keeping. */
const OFFER =
  /^(?:(?:shall|should|may|can|could) (?:i|we)|(?:do|would) you (?:want|like) (?:me|us) to|want me to|ready to|is it (?:ok|okay|fine) to|soll(?:en|te)? (?:ich|wir)|darf ich|dois-je|puis-je|devo|puedo|debo)\s+/iu;
const isMereOffer = (question: string): boolean => findEmptyKind(question.replace(OFFER, '')) !== null;

/** So few characters may be a choice in the question's own words. */
const CHOICE_CHARACTERS = 60;
/** Whether a request repeats words of a question, and says nothing else: "the fixture or the code?" is answered by "the code". */
function repeatsWordsOf(question: string, text: string): boolean {
  const words = plain(text);
  return words !== '' && ` ${plain(question)} `.includes(` ${words} `);
}

/** The question that a request answers by choosing, or by agreeing; null where it answers none. */
export function isAnsweredBy(text: string, answer: () => string | null): string | null {
  const isChoice = CHOICE.test(text) || beginsWithAgreement(text);
  const question = isChoice || text.length <= CHOICE_CHARACTERS ? questionIn(answer()) : null;
  if (question === null) return null;
  if (!isChoice) return repeatsWordsOf(question, text) ? question : null;
  return findEmptyKind(text) !== null && isMereOffer(question) ? null : question;
}

function isQuestion(text: string): boolean {
  let asks = false;
  for (const { text: sentence } of splitSentences(text)) {
    const ends = ENDS_ASKING.test(sentence);
    const tells = isFound(ASKS_TO_TELL, sentence);
    if (!(ends && !ASKS_TO_DO.test(sentence)) && !isFound(QUESTION_WORDS, sentence) && !tells) return false;
    asks ||= ends || tells;
  }
  return asks;
}

/**
 * What a request is to the work.
 *
 * @param known whether the work has a goal already
 * @param answer gives the agent's last answer, or null
 */
export function findRequestKind(
  request: { text: string; by: Speaker; command: string | null },
  known: boolean,
  answer: () => string | null,
): RequestKind {
  const { text, by, command } = request;
  const empty = command === null ? findEmptyKind(text) : null;
  if (empty !== null) return empty;
  if (!known) return 'goal';
  if (command !== null) return 'topic';
  if (isFound(NEW_TOPIC, text)) return 'topic';
  if (isQuestion(text)) return 'question';
  if (by === 'queued') return 'addition';
  if (isAnsweredBy(text, answer) !== null) return 'addition';
  // Nothing but rules and corrections adds to what is under way.
  return isOnlyConstraints(text) && !isFound(GIVES_WORK, text) ? 'addition' : 'topic';
}
