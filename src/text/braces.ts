// Expands braces such as `{a,b}` to every text that they stand for, up to a cap.

const MOST = 256;
/** No pattern that somebody writes is so long. */
const LONGEST = 1_000;

/** The comma-separated alternatives of a brace that begins here, and where it ends; null when it is none. */
function alternatives(text: string, open: number): { parts: string[]; end: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '{') depth++;
    else if (char === ',' && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (char === '}' && --depth === 0) {
      parts.push(text.slice(from, at));
      const range = parts.length === 1 ? rangeOf(parts[0] as string) : null;
      if (range) return { parts: range, end: at + 1 };
      return parts.length > 1 ? { parts, end: at + 1 } : null;
    }
  }
  return null;
}

function rangeOf(text: string): string[] | null {
  const found = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (!found) return null;
  const [, from = '', to = '', by] = found;
  const isNumber = /\d/.test(from) && /\d/.test(to);
  if (!isNumber && (/\d/.test(from) || /\d/.test(to))) return null;
  const first = isNumber ? Number(from) : (from.codePointAt(0) ?? 0);
  const last = isNumber ? Number(to) : (to.codePointAt(0) ?? 0);
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (last < first ? -1 : 1);
  const width = isNumber && /^-?0\d/.test(from) ? from.length : 0;
  const items: string[] = [];
  for (let at = first; step > 0 ? at <= last : at >= last; at += step) {
    if (items.length > MOST) return null;
    items.push(isNumber ? String(at).padStart(width, '0') : String.fromCodePoint(at));
  }
  return items;
}

/** Every text that the braces stand for; the text itself where there are none, more than 256, or it is very long. */
export function expandBraces(text: string): string[] {
  let open = text.indexOf('{');
  if (open < 0 || text.length > LONGEST) return [text];
  const done: string[] = [];
  const waiting = [text];
  for (let steps = 0; waiting.length > 0; steps++) {
    if (steps > MOST * 4 || done.length > MOST) return [text];
    const next = waiting.pop() as string;
    let found: { parts: string[]; end: number } | null = null;
    for (open = next.indexOf('{'); open >= 0 && !found; ) {
      found = next[open - 1] === '\\' || next[open - 1] === '$' ? null : alternatives(next, open);
      if (!found) open = next.indexOf('{', open + 1);
    }
    if (!found) done.push(next);
    else {
      const head = next.slice(0, open);
      const tail = next.slice(found.end);
      for (const part of [...found.parts].reverse()) waiting.push(head + part + tail);
    }
  }
  return done;
}
