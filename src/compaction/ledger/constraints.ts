// Finds the person's sentences that constrain the work: rules, limits, corrections, in several languages.
import { isFound } from '../../text/large-expression.ts';

/** Each expression is made at its first use: that takes a millisecond, and most hooks do without. */
const isScoped = (text: string): boolean =>
  /\b(?:(?:for|in|within|during) (?:this|the current) (?:one |single )?(?:fix|bug ?fix|task|change|bug|issue|ticket|feature|pr|pull request|commit|patch|step|refactor(?:ing)?|rename|migration|round|run|iteration|exercise|one)|for now|for the moment|for the time being|(?:just |only )?(?:this|for) once|(?:just |only )(?:this|for this|for one) time|this time(?=\s*(?:[,.;:!]|$))|just once|für den moment|für jetzt|fürs erste|vorerst|vorläufig|diesmal|dieses mal|nur (?:dieses )?einmal|(?:für|in|bei) diese[rnms]? (?:aufgabe|fix|fehler|änderung|schritt|ticket|commit|pr)|pour (?:l['’]instant|le moment)|cette fois|(?:pour|dans) (?:cette tâche|ce correctif|ce commit|ce ticket|cette modification)|por (?:ahora|el momento)|esta vez|(?:para|en) (?:esta tarea|este arreglo|este cambio|este commit)|por enquanto|desta vez|(?:para|nesta|nesse) (?:esta )?tarefa|per (?:ora|adesso|il momento)|(?:questa|sta)[ ]?volta|voorlopig|deze keer|voor deze (?:taak|wijziging)|na razie|tym razem|şimdilik|bu sefer(?:lik)?|(?<=^(?:(?:and|but|please|und|aber|bitte) )?)(?:(?:keep|make) (?:it|them)|halte? (?:es|sie)|gardez?-l(?:e|a|es)))(?![\p{L}])/iu.test(
    text,
  );
const isScopedElsewhere = (text: string): boolean =>
  /(?<![\p{L}])(?:пока что|на этот раз|в этот раз|(?:для|в) этой задач[еи]|(?:для|в) этом (?:исправлении|коммите)|цього разу)(?![\p{L}])|这次|這次|本次|此次|暂时|暫時|这个任务|今回|とりあえず|一旦|今のところ|このタスク|이번에|이번만|이번 (?:작업|수정)|당분간|هذه المرة|في الوقت الحالي|هذه المهمة/iu.test(
    text,
  );

/** Whether a sentence says that it holds for the task at hand alone, or speaks of "it", which only that tells. */
export const isForOneTask = (text: string): boolean => isScoped(text) || isScopedElsewhere(text);

const FENCE = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm;
const LIST_MARK = /^(?:[-*+•–·]|\d{1,3}[.)]|\(\d{1,3}\)|\[[ x]\]|#{1,6}|>)\s+/;
/** A sentence ends behind these where something new begins; `e.g.`, `v1.2` and `file.ts` do not end one. */
const SENTENCE_END =
  /(?<=[.!?…]["')\]”’]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|z\.B|d\.h|bzw|ca|Nr|p\.ex|ej)\.)\s+(?=[^\s\p{Ll}]|\p{Ll}+\b)|(?<=[。！？])/u;

/** A heading under which every item is a rule. */
const RULE_HEADING =
  /^(?:(?:the|some|our|my|general|important|hard|house|ground|these|project|coding)\s+){0,3}(?:rules?|constraints?|requirements?|conditions?|conventions?|guidelines?|restrictions?|non-goals|out of scope|limits|must-?haves?|regeln|vorgaben|anforderungen|bedingungen|règles|contraintes|exigences|reglas|restricciones|requisitos|правила|требования|规则|要求|约束|限制|ルール|制約|要件|규칙|제약|요구 ?사항)(?:\s+(?:for|of|to)\b.{0,40})?\s*[:：]?\**$/iu;

/** Single words that rule something out, in, or limit it. */
const WORDS = new Set(
  (
    "dont don't doesnt doesn't never always must mustnt mustn't mustn cannot can't cant shant shan't wont won't shouldnt " +
    "shouldn't instead avoid prefer preferably ensure forbidden prohibited disallowed required mandatory strictly unless wrong " +
    'nicht nie niemals immer keinesfalls kein keine keinen keiner keinem nur muss müssen darf dürfen soll sollst sollte statt ' +
    'stattdessen anstatt lieber vermeide verboten jamais toujours doit doivent plutôt évite évitez éviter seulement uniquement ' +
    'interdit interdite nunca siempre jamás debe debes deben evita evitar asegúrate solo sólo solamente prohibido não sempre deve ' +
    'evite apenas somente mai devi soltanto nooit altijd niet moet alleen не никогда всегда нельзя должен должна должно должны ' +
    'нужно обязательно только вместо избегай избегайте nigdy zawsze nie musi tylko zamiast asla sadece yerine hiçbir'
  ).split(' '),
);
/** The same in several words, over small letters. */
const PHRASES =
  /\b(?:do not|does not|may not|shall not|should (?:not|always|never|only|be|stay|remain|use|have|keep)|rather than|make sure|be sure to|remember to|take care|no need|(?:commit|push|merge|delete|remove|change|touch|edit|add|install|publish|deploy|rename|send) (?:nothing|none of)|nichts (?:committen|pushen|löschen|ändern|anfassen|installieren|umbenennen)|not (?:allowed|needed|yet|that|this|the|like that|what i)|at (?:least|most)|no (?:more|less|fewer|longer) than|up to \d|limited to|leave (?:\S+ ){1,6}(?:alone|as (?:is|it is|they are)|untouched|unchanged)|without (?:asking|changing|touching|breaking|adding|using|my)|under no circumstances|in no case|only (?:if|when|after|use|in|with|for|the|on|change|touch|edit)|hands off|keep (?:\S+ ){0,4}(?:as|unchanged|intact|below|under|at|in|out|small|simple|short|compatible|green)|stick (?:to|with)|(?:needs?|has|have) to (?:be|stay|remain|keep|work|support|have)|off[- ]limits|i (?:said|told you|meant|asked)|that['’]?s not|auf keinen fall|achte darauf|stelle sicher|ohne zu|ne (?:\S+ ){1,3}(?:pas|jamais|plus|rien)|n['’]\S+ (?:pas|jamais|plus)|il faut|tu dois|vous devez|au lieu de|assure-toi|sans (?:changer|toucher|utiliser)|no (?:uses?|usar|hagas|hacer|toques|tocar|cambies|cambiar|borres|modifiques|debes?|puedes?|quiero)|tienes que|hay que|en lugar de|en vez de|sin (?:cambiar|tocar|usar)|em vez de|non (?:usare|toccare|cambiare|fare|modificare)|invece di|in plaats van|her zaman)(?![a-z])/;

/** What stays as it is, or in its language: "the messages stay in French". */
const STAYS =
  /(?<![\p{L}])(?:(?:stays?|remains?) (?:as (?:is|it is|they are)|unchanged|untouched|private|public|optional|in (?:english|french|german|spanish|italian|portuguese|dutch|russian|chinese|japanese|korean))|bleib(?:t|en) (?:auf (?:deutsch|englisch|französisch)|unverändert|wie (?:es|er|sie) (?:ist|sind)|so(?= wie|[.,!]|$))|rest(?:e|ent) (?:en (?:français|anglais|allemand|espagnol|italien)|inchangée?s?|tel(?:le)?s? quel(?:le)?s?|comme (?:il|elle)s? (?:est|sont))|(?:sigue|queda|permanece)n? (?:en (?:español|inglés|francés|alemán)|como (?:está|estaba)n?)|(?:continua|fica|permanece)m? (?:em (?:português|inglês)|como (?:está|estava)m?)|(?:resta|rimane|rimango)(?:no)? (?:in (?:italiano|inglese)|invariat[oaie])|blij(?:ft|ven) (?:in het (?:nederlands|engels)|zoals|ongewijzigd))(?![\p{L}])/u;

const NO_SPACES =
  /不要|不许|不得|不能|不可|不准|别[^人的]|勿|禁止|切勿|务必|必须|必須|一定要|始终|总是|永远|只能|只用|只改|仅|应该|應該|而不是|代替|避免|优先|确保|請勿|请勿|不用|无需|しない|するな|しないで|ないで|ません|禁止|必ず|常に|絶対|べき|だけ|のみ|代わりに|ではなく|避け|優先|なければ|てはいけ|하지 ?마|하지 ?말|지 ?마|말아|안 ?돼|안 ?됩|금지|반드시|항상|절대|꼭|만 |대신|피하|해야|لا ت|لا ي|ابدا|أبدا|أبدًا|دائما|دائمًا|يجب|بدلا من|بدلاً من|تجنب|فقط|ممنوع|אל ת|לעולם|תמיד|חייב|במקום|רק |אסור|न करें|मत |हमेशा|कभी|ज़रूर|केवल|बजाय|ห้าม|อย่า|ต้อง|เสมอ|เท่านั้น|แทน/;

/** "No such thing" in languages that say it in words of their own. */
const NOT_ANY = String.raw`pas de(?! (?:probl|souci|panique|quoi))|pas d['’]\p{L}+|nada de|niente|geen|bez|ingen|inga|utan|uden|uten`;
/** How a sentence begins that corrects or limits, over small letters. */
const OPENING = new RegExp(
  String.raw`^(?:(?:and|but|also|so|then|please|oh|wait|hm+|ok|okay|yes|yep|sorry|well|actually)[\s,:–-]+){0,3}(?:no(?! problem| worries)|nope|not|only|just (?:use|keep|the|do)|use|keep|stop|revert|undo|stay|actually|without|leave|drop|every|each|nein|nur|non|seul|nie|solo|sólo|нет|${NOT_ANY})(?![\p{L}])`,
  'u',
);
/** The same in the middle of one, behind a comma or a colon. */
const BEHIND_COMMA = new RegExp(
  String.raw`[,;:–—-]\s+(?:and |but |und |aber |doch |et |mais |y |pero |e |mas |ma |и |но )?(?:only|not|without|no|never|don['’]?t|use|keep|leave|stick to|ohne|sans|sin|sem|senza|без|${NOT_ANY})(?![\p{L}])`,
  'u',
);
const EARLY = /^(?:(?:\S+\s+){0,3}should|(?:\S+\s+){0,2}(?:use|keep|stop|revert|leave))\b/;

/** What looks like code, logs or a table, and was pasted. */
const PASTED =
  /[{}]$|^[|*<{}[\]]|[│├└─┌┐╭╰═]|:=|=>|->|^\s*at\s\S+[(:]|\/\/|^\s*(?:\$|>|%)\s|^\d{4}-\d\d-\d\d[T ]|^[A-Z_]{3,}=|\\n/u;
const mostlyWords = (text: string): boolean => {
  const signs = text.replace(/[\p{L}\p{M}\s]+/gu, '').length;
  return signs < text.length * 0.4;
};

/** Characters of a request that are looked through; nobody writes rules behind so much. */
const MOST = 20_000;

interface Sentence {
  text: string;
  isConstraint: boolean;
}

function readSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let isUnderRules = false;
  for (const line of text.slice(0, MOST).replace(FENCE, '\n').split(/\r?\n/)) {
    const trimmed = line.trim();
    // An empty line does not end a list of rules; a line that is neither an item nor a rule heading does.
    if (trimmed === '') continue;
    const bare = trimmed
      .replace(LIST_MARK, '')
      .replace(/^\*\*(.+?)\*\*:?$/, '$1:')
      .trim();
    if (isFound(RULE_HEADING, bare)) {
      isUnderRules = true;
      continue;
    }
    const isItem = LIST_MARK.test(trimmed) && !/^#/.test(trimmed);
    if (!isItem) isUnderRules = false;
    // "Rules: never push; a test per export" has its rules on the same line.
    const [, head, rest] = /^(.{3,40}?)[:：]\s+(\S[\s\S]*)$/u.exec(bare) ?? [];
    const isInline = head !== undefined && isFound(RULE_HEADING, head);
    const said = isInline ? (rest ?? '').split(/[;；]\s*/u) : [bare];
    for (const sentence of said.flatMap((part) => part.split(SENTENCE_END))) {
      const words = sentence.replace(LIST_MARK, '').trim();
      if (words !== '')
        sentences.push({ text: words, isConstraint: isConstraint(words, isUnderRules || isInline) });
    }
  }
  return sentences;
}

let last: { text: string; sentences: readonly Sentence[] } = { text: '', sentences: [] };
/** The sentences of a text, without code blocks, headings of rules and marks of lists; each text is asked for several times in a row. */
export function splitSentences(text: string): readonly Sentence[] {
  if (last.text !== text) last = { text, sentences: readSentences(text) };
  return last.sentences;
}

const saysSo = (small: string): boolean =>
  (small.match(/[\p{L}'’]+/gu) ?? []).some((word) => WORDS.has(word.replaceAll('’', "'"))) ||
  isFound(PHRASES, small) ||
  isFound(STAYS, small) ||
  (/[^\u0000-\u04ff]/.test(small) && NO_SPACES.test(small)) ||
  isFound(OPENING, small);

function isConstraint(text: string, isUnderRules: boolean): boolean {
  // One word of three characters is a rule in Chinese, none in English.
  if (!/\p{L}/u.test(text) || (text.length < 6 && !/[^\u0000-\u04ff]/.test(text))) return false;
  if (PASTED.test(text) || (text.endsWith(';') && /[=()]/.test(text))) return false;
  if (isUnderRules) return true;
  if (!mostlyWords(text)) return false;
  const small = text.toLowerCase();
  return saysSo(small) || (!/[?？]\s*$/u.test(text) && (isFound(BEHIND_COMMA, small) || EARLY.test(small)));
}

/** Whether there is nothing in a text but sentences that constrain the work. */
export function isOnlyConstraints(text: string): boolean {
  const sentences = splitSentences(text);
  return sentences.length > 0 && sentences.every((sentence) => sentence.isConstraint);
}

/** The sentences of a request that constrain the work, whole, in order; `quotes` are pasted parts that say nothing of the person's. */
export function findConstraintsIn(text: string, quotes: readonly string[] = []): string[] {
  const own = quotes.reduce((rest, quote) => (quote === '' ? rest : rest.replace(quote, '\n')), text);
  return splitSentences(own)
    .filter((sentence) => sentence.isConstraint)
    .map((sentence) => sentence.text);
}
