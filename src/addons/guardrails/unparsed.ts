// The change that a command of a shell without a parser stands for: unknown, but for the paths that it names.
import type { Changes } from './change.ts';

/** Texts in quotes, and words that look like a path; each word is looked at once, from its beginning. */
const PATHS = /['"]([^'"]{1,200})['"]|(?<![\w.@~\\/:-])([\w.@~\\/:-]*[./\\][\w.@~\\/-]+)/g;
/** Where one command may end and another begin, in quotes too. */
const BETWEEN = /[;&|\n\r(){}]+/;

/** What is read of an unparsed command: its words, for rules about commands, and one unknown change. */
export function readUnparsed(command: string, tool: string): Changes {
  const commands = command
    .replace(/['"`]/g, '')
    .split(BETWEEN)
    .map((part) => part.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
  const isOurs = commands.every(([name]) => name === 'plimsoll') && !command.includes('>');
  const mentions = [...command.matchAll(PATHS)].map(([, quoted, path]) =>
    (quoted ?? path ?? '').replaceAll('\\', '/'),
  );
  const unknown = {
    path: null,
    written: command,
    act: 'write' as const,
    whole: false as const,
    follows: true,
    by: tool,
    why: `commands of ${tool} are not parsed`,
    mentions,
  };
  return { changes: isOurs ? [] : [unknown], commands, unread: [], doubt: null };
}
