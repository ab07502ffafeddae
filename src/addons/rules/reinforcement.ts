// Finds the rules that a file wants repeated at every prompt. The marker is an HTML comment:
// `<!-- L2-REINJECT: rank=1, tokens=40, content="…" -->`, attributes in any order; the content may span lines.

/** A rule that a file wants repeated. */
export interface Marker {
  /** 1 is said first; equal ranks keep the order in which they stand. */
  rank: number;
  content: string;
  /** File, as it is shown, and line. */
  where: string;
}

export interface Markers {
  found: Marker[];
  /** Markers that cannot be used: where, and why. */
  faults: { where: string; message: string }[];
}

const START = /<!--\s*L2-REINJECT\s*:/gi;
const ATTRIBUTE =
  /[\s,]*([A-Za-z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^\s,"'>]+))/y;
const ESCAPES: Record<string, string> = { n: '\n', t: ' ', r: '' };

/** Quotes and backslashes behind a backslash are themselves. */
const plain = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, sign: string) => ESCAPES[sign] ?? sign);

/** Where code blocks stand: a marker in one is an example. */
function fences(text: string): [number, number][] {
  const found: [number, number][] = [];
  let open: { at: number; sign: string } | null = null;
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*$/gm)) {
    const sign = match[1] ?? '';
    if (open === null) open = { at: match.index, sign };
    else if (sign[0] === open.sign[0] && sign.length >= open.sign.length) {
      found.push([open.at, match.index]);
      open = null;
    }
  }
  if (open !== null) found.push([open.at, text.length]);
  return found;
}

/** The attributes from a place on, and whether the comment ends behind them. */
function attributesAt(text: string, from: number): { values: Map<string, string>; isClosed: boolean } {
  const values = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (match === null) break;
    const [, name = '', double, single, bare] = match;
    values.set(name.toLowerCase(), plain(double ?? single ?? bare ?? ''));
    at = ATTRIBUTE.lastIndex;
  }
  return { values, isClosed: /^[\s,]*-->/.test(text.slice(at, at + 200)) };
}

/** All markers of a text, in the order in which they stand. */
export function readMarkers(text: string, file: string): Markers {
  const result: Markers = { found: [], faults: [] };
  if (!/L2-REINJECT/i.test(text)) return result;
  const code = fences(text);
  let line = 1;
  let counted = 0;
  let fence = 0;
  for (const match of text.matchAll(START)) {
    // Both lists are in the order of the text: what lies before is done with.
    while ((code[fence]?.[1] ?? Number.POSITIVE_INFINITY) <= match.index) fence++;
    for (let at = text.indexOf('\n', counted); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    if ((code[fence]?.[0] ?? Number.POSITIVE_INFINITY) < match.index) continue;
    const where = `${file}:${line}`;
    const { values, isClosed } = attributesAt(text, match.index + match[0].length);
    const rank = values.get('rank') ?? '';
    const content = (values.get('content') ?? '').replace(/\s+/g, ' ').trim();
    if (!isClosed)
      result.faults.push({ where, message: 'the marker does not end with -->, or has words outside quotes' });
    else if (!/^\d{1,6}$/.test(rank)) result.faults.push({ where, message: 'the marker has no rank=N' });
    else if (content === '') result.faults.push({ where, message: 'the marker has no content="…"' });
    else result.found.push({ rank: Number(rank), content, where });
  }
  return result;
}

/** Markers of all files by rank; words that stand twice (CLAUDE.md and a copy of it) count once. */
export function rankMarkers(markers: readonly Marker[]): Marker[] {
  const seen = new Set<string>();
  const once = markers.filter(({ content }) => !seen.has(content) && seen.add(content));
  return once
    .map((marker, index) => ({ marker, index }))
    .sort((a, b) => a.marker.rank - b.marker.rank || a.index - b.index)
    .map(({ marker }) => marker);
}
