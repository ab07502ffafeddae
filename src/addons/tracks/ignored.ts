// Adds to a .gitignore what git must not see of tracks, and keeps every other byte.
import { detectEol } from '../../text/text-edits.ts';

/** What only concerns this machine. The checkpoints themselves are committed: a fresh clone recovers from them. */
const LINES = ['artifacts/sessions/', 'artifacts/checkpoints/*.lock'];
const MARK = '# plimsoll: what sessions leave behind stays on this machine';

/** The text with our lines at its end; unchanged where they are there. Null: there is no file. */
export function withIgnored(text: string | null): string {
  const before = text ?? '';
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = LINES.filter((line) => !known.has(line) && !known.has(`/${line}`));
  if (missing.length === 0) return before;
  const eol = detectEol(before);
  const gap = before === '' ? '' : before.endsWith('\n') ? eol : eol + eol;
  return `${before}${gap}${[MARK, ...missing].join(eol)}${eol}`;
}
