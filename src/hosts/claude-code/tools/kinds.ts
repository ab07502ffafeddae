// Tells which tools change files, which name the file, and after which it is worth looking for changes.

import { isObject, type JsonObject } from '../../../text/json.ts';
import { isReadOnlyCommand } from '../../read-only-commands.ts';

/** The calls of a payload, each with its input; an entry of another shape is skipped. */
export function readToolCalls(payload: JsonObject): { tool: string; input: JsonObject }[] {
  const calls: unknown[] = Array.isArray(payload.tool_calls) ? payload.tool_calls : [payload];
  return calls.flatMap((call) => {
    const { tool_name: tool, tool_input: input } = isObject(call) ? call : {};
    return typeof tool === 'string' ? [{ tool, input: isObject(input) ? input : {} }] : [];
  });
}

/** Tools that name the file that they write, each with the field that does. */
export const FILE_FIELDS: Record<string, string> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
};
const EDITORS = Object.keys(FILE_FIELDS);

const PARSED_SHELL = 'Bash';
const SHELLS = [PARSED_SHELL, 'PowerShell'];

/** The call that writes a whole file. */
export const asWrite = (path: string, content: string | null) => ({
  tool: 'Write',
  input: { file_path: path, content },
});

/** The call that runs a command of the shell. */
export const asCommand = (command: string) => ({ tool: PARSED_SHELL, input: { command } });

/** Whether a tool runs the command of a shell. */
export const isShellTool = (tool: string): boolean => SHELLS.includes(tool);
/** Whether its shell is the one for which there is a parser. */
export const isParsedShell = (tool: string): boolean => tool === PARSED_SHELL;
/** Whether a tool is another server's. */
export const isServerTool = (tool: string): boolean => tool.startsWith('mcp__');
/** Tools of the host that change files; those of other servers may. The hook is asked for with this very list. */
export const CHANGING = [...SHELLS, ...EDITORS];
/** Tools that a project with a list of tools begins with: the host's own that work in the project; none of the network. */
export const USUAL_TOOLS = [
  ...CHANGING,
  ...[
    'Read',
    'Grep',
    'Glob',
    'LS',
    'NotebookRead',
    'Skill',
    'ToolSearch',
    'Agent',
    'Task',
    'BashOutput',
    'KillShell',
  ],
  ...['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop'],
  ...['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion'],
];
/** Where others have worked, in a session or a shell of their own. */
const ELSEWHERE = /^(?:Agent|Task|TaskOutput|TaskStop|BashOutput|KillShell)$/;

/** Whether a tool changes files, or may; all others need not be asked about. */
export const isWritingTool = (tool: string): boolean => CHANGING.includes(tool) || isServerTool(tool);

/** Whether files may have changed behind our back when a call has run: not by editors, whose files the rules have seen. */
export function mayChangeFiles({ tool, input }: { tool: string; input: Record<string, unknown> }): boolean {
  if (EDITORS.includes(tool)) return false;
  if (isParsedShell(tool) && typeof input.command === 'string') return !isReadOnlyCommand(input.command);
  return isWritingTool(tool) || ELSEWHERE.test(tool);
}

/** What leaves a program running when the command has ended, or asks another one to work; in doubt more than is meant. */
const STAYING =
  /(?:^|[^&>|<\\])&(?![&>\d])|\b(?:nohup|setsid|disown|tmux|screen|pm2|docker|podman|systemctl)\b/;

/** Whether something that a call has started may go on changing files when the call is over. */
export const runsInBackground = ({
  tool,
  input,
}: {
  tool: string;
  input: Record<string, unknown>;
}): boolean =>
  ELSEWHERE.test(tool) ||
  input.run_in_background === true ||
  (typeof input.command === 'string' && STAYING.test(input.command));
