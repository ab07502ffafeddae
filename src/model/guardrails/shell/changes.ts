// Finds what a Bash command would change on disk.
import type { Sight, ToolCall } from '../call.ts';
import type { Changes } from '../change.ts';
import type { Run } from './state.ts';
import { MARKS, newState } from './state.ts';
import type { ShellParser } from './tree.ts';
import { walk } from './walk.ts';

const doubtful = (doubt: string): Changes => ({ changes: [], commands: null, unread: [], doubt });

export function changesOfShell(command: string, call: ToolCall, sight: Sight, parse: ShellParser): Changes {
  if (MARKS.test(command)) return doubtful('the command has control characters');
  const { node, doubt, isTooMuch } = parse(command);
  const run: Run = {
    call,
    sight,
    parse,
    changes: new Map(),
    commands: [],
    unread: new Set(),
    made: new Set(),
    links: new Map(),
    steps: 0,
    depth: 0,
    doubt: null,
    limit: null,
  };
  walk(node, newState(call), run);
  const why = run.limit ?? run.doubt ?? doubt;
  return {
    changes: [...run.changes.values()],
    commands: run.commands,
    unread: [...run.unread],
    doubt: why === null ? null : `the command cannot be read to its end (${why})`,
    ...(run.limit === null && !isTooMuch ? {} : { isTooMuch: true as const }),
  };
}
