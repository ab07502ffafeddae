// Tells which tools change files, which name the file, and after which it is worth looking for changes.

/** Tools that name the file that they write. */
export const EDITORS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
/** Tools of the host that change files; those of other servers may. The hook is asked for with this very list. */
export const CHANGING = ['Bash', 'PowerShell', ...EDITORS];
/** Where others have worked, in a conversation or a shell of their own. */
const ELSEWHERE = /^(?:Agent|Task|TaskOutput|TaskStop|BashOutput|KillShell)$/;

/** Whether a tool changes files, or may; all others need not be asked about. */
export const mayChange = (tool: string): boolean => CHANGING.includes(tool) || tool.startsWith('mcp__');

/** Programs that only look, and builtins that change nothing on disk; with a blank behind, so that it is no part of a name. */
const LOOKING = new RegExp(
  `^(?:${[
    'ls|cat|head|tail|less|wc|[ef]?grep|rg|cut|tr|nl|diff|cmp|stat|du|df|ps|pwd|cd|echo|printf|true|false|test|sleep|wait|which|whoami|id|uname|basename|dirname|realpath|readlink',
    'git\\s+(?:status|log|diff|show|rev-parse|ls-files|blame|describe|grep|shortlog|cat-file)',
  ].join('|')})(?=\\s|$)`,
);
/** Redirections, commands in commands, and the options by which a program that looks writes or runs another. */
const DOING = /[<>`(]|--(?:output|pre|ext-diff|open-files)|\s-O/;
/** What is thrown away, or joined to another stream, is written nowhere. */
const NOWHERE = /\d?>(?:\s*\/dev\/null(?![\w/.-])|&\d)/g;

/** Whether a command consists of programs that only look. What is not known for one is not; what is quoted, neither. */
export function onlyLooks(command: string): boolean {
  const plain = command.replace(NOWHERE, ' ');
  if (DOING.test(plain)) return false;
  const parts = plain.split(/[;&|\n\r]+/).map((part) => part.trim());
  return parts.every((part) => part === '' || LOOKING.test(part));
}

/** Whether files may have changed behind our back when a call has run: not by editors, whose files the rules have seen. */
export function leavesTraces({ tool, input }: { tool: string; input: Record<string, unknown> }): boolean {
  if (EDITORS.includes(tool)) return false;
  if (tool === 'Bash' && typeof input.command === 'string') return !onlyLooks(input.command);
  return mayChange(tool) || ELSEWHERE.test(tool);
}

/** What leaves a program running when the command has ended, or asks another one to work; in doubt more than is meant. */
const STAYING =
  /(?:^|[^&>|<\\])&(?![&>\d])|\b(?:nohup|setsid|disown|tmux|screen|pm2|docker|podman|systemctl)\b/;

/** Whether something that a call has started may go on changing files when the call is over. */
export const goesOn = ({ tool, input }: { tool: string; input: Record<string, unknown> }): boolean =>
  ELSEWHERE.test(tool) ||
  input.run_in_background === true ||
  (typeof input.command === 'string' && STAYING.test(input.command));
