// Reads a path as text (absolute form, odd characters, the path it looks like), and makes a safe file name of any text.

/** A name that is safe in a file name on every system, whatever the host sent as an id. */
export function makeSafeName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '');
  if (
    plain === id &&
    id.length > 0 &&
    id.length <= 80 &&
    !(id.length < 5 && /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(id))
  )
    return id;
  let hash = 5381;
  for (const char of id) hash = (Math.imul(hash, 33) ^ (char.codePointAt(0) ?? 0)) >>> 0;
  return `x-${plain.slice(0, 40)}-${hash.toString(16)}`;
}

/** Windows paths with forward slashes; on other systems a backslash is part of a name. */
export function toSlashes(path: string): string {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? path.replace(/\\/g, '/') : path;
}

export const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(toSlashes(path));

/** A path joined to its folder, `~` being the home folder; `..` stays, since a link before it may lead elsewhere. */
export function toAbsolute(path: string, cwd: string, home: string): string {
  const isWindows = /^[A-Za-z]:/.test(toSlashes(cwd));
  const text = isWindows ? path.replace(/\\/g, '/') : toSlashes(path);
  if (text === '~') return toSlashes(home);
  if (text.startsWith('~/')) return `${toSlashes(home)}/${text.slice(2)}`;
  return isAbsolute(text) ? text : `${toSlashes(cwd)}/${text}`;
}

/** `.`, `..`, doubled and last slashes taken out, by the text alone. On Windows also what names ignore at their end. */
export function normalize(path: string): string {
  const text = toSlashes(path);
  const drive = /^[A-Za-z]:/.exec(text)?.[0] ?? '';
  const parts: string[] = [];
  for (const raw of text.slice(drive.length).split('/')) {
    const part = drive && raw !== '.' && raw !== '..' ? raw.replace(/:.*$/, '').replace(/[. ]+$/, '') : raw;
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${drive.toUpperCase()}/${parts.join('/')}`;
}

/** A path below a folder, without it; '' for the folder itself, null when it lies elsewhere. */
export function stripFolder(path: string, folder: string, folds = false): string | null {
  const [one, other] = folds ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder];
  if (one === other) return '';
  const base = other.endsWith('/') ? other : `${other}/`;
  return one.startsWith(base) ? path.slice(base.length) : null;
}

/** Characters that nobody types into a name on purpose: control, invisible, direction marks. */
const ODD_SIGNS = [
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5',
  '\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164',
  '\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb',
].join('');
const oddSigns = (flags: string): RegExp => new RegExp(`[${ODD_SIGNS}]`, flags);
/** Nearly every path is of these signs alone, and the expression of the odd ones is dear to compile. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Whether a text holds a character that nobody types into a name on purpose. */
export const isOdd = (text: string): boolean => !isPlain(text) && oddSigns('u').test(text);

// Letters of other scripts that are drawn like Latin ones; NFKC does the full-width and mathematical ones.
const alike = (): Record<string, string> =>
  Object.fromEntries([
    ['а', 'a'],
    ['в', 'b'],
    ['с', 'c'],
    ['ԁ', 'd'],
    ['е', 'e'],
    ['һ', 'h'],
    ['і', 'i'],
    ['ј', 'j'],
    ['к', 'k'],
    ['м', 'm'],
    ['о', 'o'],
    ['р', 'p'],
    ['ѕ', 's'],
    ['т', 't'],
    ['у', 'y'],
    ['х', 'x'],
    ['ѵ', 'v'],
    ['ԝ', 'w'],
    ['ո', 'n'],
    ['ս', 'u'],
    ['ɡ', 'g'],
    ['α', 'a'],
    ['ε', 'e'],
    ['ι', 'i'],
    ['κ', 'k'],
    ['ν', 'v'],
    ['ο', 'o'],
    ['ρ', 'p'],
    ['τ', 't'],
    ['υ', 'u'],
    ['χ', 'x'],
    ['ı', 'i'],
    ['ⅼ', 'l'],
    ['ӏ', 'l'],
    ['∕', '/'],
    ['⁄', '/'],
    ['⧸', '/'],
    ['․', '.'],
    ['·', '.'],
    ['‐', '-'],
    ['‑', '-'],
    ['–', '-'],
    ['−', '-'],
    ['а\u0301', 'a'],
  ]);

/** What a path is read as: look-alikes and invisible characters replaced, in small letters. */
export function looksLike(path: string): string {
  if (isPlain(path)) return path.toLowerCase();
  const plain = path.normalize('NFKC').replace(oddSigns('gu'), '').toLowerCase();
  const latin = alike();
  return [...plain].map((char) => latin[char] ?? char).join('');
}

/** A text for a sentence: odd characters made visible, cut when long. */
export function displayText(text: string, most = 160): string {
  const visible = isPlain(text)
    ? text
    : text.replace(oddSigns('gu'), (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return visible.length > most ? `${visible.slice(0, most - 1)}…` : visible;
}
