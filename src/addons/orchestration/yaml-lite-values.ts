// Reads single YAML values (words, numbers, quoted texts, brackets); the odd rest is taken as it stands.

export type Outline = string | number | boolean | null | Outline[] | { [key: string]: Outline };

/** Brackets in brackets, deeper than anybody writes: no more than that is followed. */
const DEEPEST = 50;

/** White space of YAML, which is less than JavaScript's: a no-break space belongs to a text. */
export const trimStart = (text: string): string => text.replace(/^[ \t\r\n]+/, '');
export const trimEnd = (text: string): string => text.replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '');
export const trim = (text: string): string => trimStart(trimEnd(text));

const DOUBLE = '"[^"\\\\]*(?:\\\\[\\s\\S][^"\\\\]*)*"';
const SINGLE = "'[^']*(?:''[^']*)*'";
const QUOTED = new RegExp(`^(?:${DOUBLE}|${SINGLE})`);
/** Where a key in quotes ends. */
const QUOTED_KEY = new RegExp(`^(${DOUBLE}|${SINGLE})[ \\t]*:(?=[ \\t\\r\\n]|$)`);

/** An anchor, a tag: they name a value and are none. */
export const NODE_PROPERTIES = /^(?:[&!][^ \t\r\n]*(?:[ \t\r\n]+|$))+/;

/** What a backslash stands for. */
const ESCAPES: Record<string, string> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g,
    (whole, two?: string, four?: string, eight?: string, one = '') => {
      const code = two ?? four ?? eight;
      if (code === undefined) return ESCAPES[one] ?? one;
      const point = Number.parseInt(code, 16);
      return point > 0x10ffff ? whole : String.fromCodePoint(point);
    },
  );
}

/** One that was torn has no second quote. */
function unquoted(text: string): string {
  const whole = QUOTED.exec(text)?.[0];
  const inner = whole === undefined ? text.slice(1) : whole.slice(1, -1);
  return text.startsWith('"') ? unescaped(inner) : inner.replaceAll("''", "'");
}

/** Lines put together: a break is a blank, an empty line is a break. */
export const foldLines = (text: string): string =>
  text.replace(/\n(\n*)/g, (_, empty: string) => empty || ' ');

/** What stands in the quotes that a text begins with, which may go over several lines, each without blanks at its ends. */
export function readQuotedText(text: string): string {
  // A backslash at the end of a line takes the break away.
  const joined = text.startsWith('"') ? text.replace(/(?<!\\)((?:\\\\)*)\\\n/g, '$1') : text;
  return unquoted(foldLines(joined));
}

/** A text that is not in quotes, up to the comment behind it. */
export function withoutComment(text: string): string {
  const comment = text.search(/(?:^|[ \t\r\n])#/);
  return trim(comment >= 0 ? text.slice(0, comment) : text);
}

/** A word as YAML 1.2 understands it. */
function plain(text: string): Outline {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return text.toLowerCase() === 'true';
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

/** A value that has no brackets. */
export const readScalar = (text: string): Outline =>
  /^["']/.test(text) ? readQuotedText(text) : plain(withoutComment(foldLines(text)));

/** `key: rest` on one line; null where it is no key of a map. */
export function parseKeyLine(text: string): { key: string; rest: string } | null {
  const quoted = QUOTED_KEY.exec(text);
  if (quoted !== null) return { key: unquoted(quoted[1] ?? ''), rest: trim(text.slice(quoted[0].length)) };
  const colon = /^[ \t\r\n#&*!|>%@`[\]{},"'?]/.test(text) ? -1 : text.search(/:(?:[ \t\r\n]|$)/);
  const key = trimEnd(text.slice(0, Math.max(0, colon)));
  return key === '' || /[ \t\r\n]#/.test(key) ? null : { key, rest: trim(text.slice(colon + 1)) };
}

/** Keys that would reach an object's prototype are no data. */
export const isSafe = (key: string): boolean => key !== '__proto__' && key !== 'constructor';

/** Pieces of a text in brackets: quoted texts, comments, signs, words and blanks. */
const PIECES = new RegExp(
  `${DOUBLE}|${SINGLE}|(?<![^ \\t\\r\\n])#[^\\n]*|[[\\]{},]|(?<=["']):|:(?=[ \\t\\r\\n,[\\]{}]|$)|(?:[^ \\t\\r\\n,[\\]{}:]|:(?![ \\t\\r\\n,[\\]{}]|$))+|[ \\t\\r\\n]`,
  'g',
);
const piecesOf = (text: string): string[] =>
  (text.match(PIECES) ?? []).filter((each) => !each.startsWith('#'));

/** What stands in the brackets that a text begins with; null where they nest too deep. What was torn ends with the text. */
export function readBrackets(text: string): Outline {
  const pieces = piecesOf(text);
  let depth = 0;
  for (const each of pieces) {
    depth += Number(/^[[{]$/.test(each)) - Number(/^[\]}]$/.test(each));
    if (depth > DEEPEST) return null;
  }
  let at = 0;
  const next = (): string => {
    while (/^[ \t\r\n]$/.test(pieces[at] ?? '')) at++;
    return pieces[at] ?? '';
  };
  const value = (): Outline => {
    if (/^[[{]$/.test(next())) return collection();
    let words = '';
    while (at < pieces.length && !/^[[\]{},:]$/.test(pieces[at] ?? '')) words += pieces[at++];
    return readScalar(trim(words).replace(NODE_PROPERTIES, ''));
  };
  const collection = (): Outline => {
    const isList = pieces[at++] === '[';
    const list: Outline[] = [];
    const map: { [key: string]: Outline } = {};
    while (!/^[\]}]?$/.test(next())) {
      const from = at;
      if (next() === ',') at++;
      else {
        const first = value();
        const isPair = next() === ':';
        if (isPair) at++;
        const second = isPair ? value() : null;
        const pair = isSafe(String(first)) ? { [String(first)]: second } : {};
        if (isList) list.push(isPair ? pair : first);
        else Object.assign(map, pair);
      }
      if (at === from) at++; // a sign that means nothing here
    }
    at++;
    return isList ? list : map;
  };
  return value();
}
