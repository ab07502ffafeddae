// Files that git could not merge: both sides of them, so that what is generated can be generated anew.
import type { EntryViolation } from './entry.ts';
import { textLines } from './text-lines.ts';

/** The first mark of git that nobody has taken out yet; null where there is none. */
export function findConflict(file: string, text: string): EntryViolation | null {
  if (!text.includes('<<<<<<< ')) return null;
  const mark = textLines(text).find((each) => each.text.startsWith('<<<<<<< '));
  if (mark === undefined) return null;
  const expected = 'one version of these lines, without the marks of git';
  return { file, line: mark.line, found: 'a merge conflict', expected };
}

/** The text as either side has it; null where the marks do not come in the order of git. */
export function splitConflict(text: string): [ours: string, theirs: string] | null {
  const sides: [string[], string[]] = [[], []];
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    const sign = /^(?:<{7} |\|{7}(?: |\r?$)|={7}\r?$|>{7} )/.exec(line)?.[0][0];
    if (sign === '<' && part === 'both') part = 'ours';
    else if (sign === '|' && part === 'ours') part = 'base';
    else if (sign === '=' && (part === 'ours' || part === 'base')) part = 'theirs';
    else if (sign === '>' && part === 'theirs') part = 'both';
    else if (sign !== undefined && sign !== '=') return null;
    else {
      if (part === 'both' || part === 'ours') sides[0].push(line);
      if (part === 'both' || part === 'theirs') sides[1].push(line);
    }
  }
  return part === 'both' ? [sides[0].join('\n'), sides[1].join('\n')] : null;
}
