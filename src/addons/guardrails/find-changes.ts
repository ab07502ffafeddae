// Finds the files that a call would change, named by its input or in its command.

import { FILE_FIELDS, isParsedShell, isShellTool } from '../../hosts/claude-code/tools/kinds.ts';
import type { PathsOptions } from '../../settings/guardrail-options.ts';
import { matchesGlob } from '../../text/globs.ts';
import { isAbsolute, normalize, stripFolder, toAbsolute, toSlashes } from '../../text/path-text.ts';
import type { Changes, PathChange } from './change.ts';
import type { FileSystemPort, GuardedCall } from './guard-call.ts';
import { readString } from './guard-call.ts';
import { LONGEST } from './should-parse.ts';

/** The field of the input in which a tool names its file; null for tools that write none. */
const fieldOf = (tool: string, fields: PathsOptions['fields']): string | null =>
  FILE_FIELDS[tool] ?? Object.entries(fields).find(([pattern]) => matchesGlob(pattern, tool))?.[1] ?? null;

export function readFileField(call: GuardedCall, fields: PathsOptions['fields']): string | null {
  const field = fieldOf(call.tool, fields);
  const file = field === null ? null : readString(call.input[field]);
  return file === null || file === '' ? null : toAbsolute(file, call.cwd, call.home);
}

/** Names of tools that change files where they are told to, and nothing else. */
const WRITING =
  /__(?:write|edit|create|move|rename|delete|remove|append|save|update|patch)(?:_to)?_?(?:text_?)?(?:files?|directory|folder)$/i;
const PLACES = ['path', 'file_path', 'filePath', 'filename', 'source', 'destination'];

/**
 * Of a tool of another server whose field nobody has named: absolute paths in the project, where its name says that it
 * changes files. A relative path may be one of another machine.
 */
function namedBy({ tool, input, root }: GuardedCall): PathChange[] {
  if (!WRITING.test(tool)) return [];
  return PLACES.flatMap((field): PathChange[] => {
    const path = readString(input[field]);
    if (path === null || !isAbsolute(path) || stripFolder(normalize(path), toSlashes(root)) === null)
      return [];
    const act = field === 'source' || /__(?:delete|remove)/i.test(tool) ? 'remove' : 'write';
    const whole = act === 'remove' ? 'all' : false;
    return [{ path, written: path, act, whole, follows: act === 'write', by: tool }];
  });
}

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
  return { changes: isOurs ? [] : [unknown], commands, unread: [], named: [], passedOn: [], doubt: null };
}

export function findChanges(
  call: GuardedCall,
  fields: PathsOptions['fields'],
  sight: FileSystemPort,
): Changes {
  const none: Changes = { changes: [], commands: null, unread: [], named: [], passedOn: [], doubt: null };
  const field = fieldOf(call.tool, fields);
  if (field !== null) {
    const path = readFileField(call, fields);
    if (path === null) return { ...none, doubt: `its input has no ${field}` };
    const written = String(call.input[field]);
    return {
      ...none,
      changes: [{ path, written, act: 'write', whole: false, follows: true, by: call.tool }],
    };
  }
  if (!isShellTool(call.tool)) return { ...none, changes: namedBy(call) };
  const command = readString(call.input.command);
  if (command === null) return { ...none, doubt: 'its input has no command' };
  if (command.length > LONGEST)
    return { ...none, doubt: `the command is longer than ${LONGEST} characters`, isTooMuch: true };
  if (!isParsedShell(call.tool)) return readUnparsed(command, call.tool);
  return (
    sight.commands?.(command, call, sight) ?? {
      ...none,
      doubt: 'the parser of commands is missing',
      isTooMuch: true,
    }
  );
}
