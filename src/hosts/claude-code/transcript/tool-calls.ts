// Reads Claude Code's tool calls: what a call does, and how its result turned out.
import { isObject, type JsonObject } from '../../../text/json.ts';
import type { EntryTask, ResultEntry, ResultStatus, ToolAction } from '../../entry.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const idOf = (value: unknown): string => (typeof value === 'number' ? String(value) : text(value));

const statusOf = (value: unknown): EntryTask['status'] =>
  value === 'completed' || value === 'in_progress' ? value : 'pending';

function taskOf(item: JsonObject): EntryTask | null {
  const subject = text(item.subject) || text(item.content);
  if (subject === '') return null;
  return {
    id: idOf(item.id) || null,
    subject,
    status: statusOf(item.status),
    active: text(item.activeForm) || null,
  };
}

/** The tasks of a list as the client writes them. */
export const readTasks = (list: unknown): EntryTask[] => items(list).flatMap((item) => taskOf(item) ?? []);

function changeOf(input: JsonObject): Partial<EntryTask> {
  return {
    ...(input.status === undefined ? {} : { status: statusOf(input.status) }),
    ...(text(input.subject) === '' ? {} : { subject: text(input.subject) }),
    ...(text(input.activeForm) === '' ? {} : { active: text(input.activeForm) }),
  };
}

/** What a call does; a tool that is not known is told by the first word of its input that says something. */
export function describeAction(name: string, input: JsonObject): ToolAction {
  const path = text(input.file_path) || text(input.notebook_path);
  switch (name) {
    case 'Read':
    case 'NotebookRead':
      return { type: 'read', path };
    case 'Write':
      return { type: 'write', path, isWhole: true };
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return { type: 'write', path, isWhole: false };
    case 'Bash':
    case 'PowerShell':
      return { type: 'run', command: text(input.command), description: text(input.description) || null };
    case 'Grep':
    case 'Glob':
      return { type: 'search', pattern: text(input.pattern), path: text(input.path) || null };
    case 'AskUserQuestion':
      return { type: 'ask' };
    case 'ExitPlanMode':
      return { type: 'plan', text: text(input.plan), file: text(input.planFilePath) || null };
    case 'TodoWrite':
      return { type: 'set-tasks', tasks: readTasks(input.todos) };
    case 'TaskCreate': {
      const task = taskOf({ ...input, id: undefined, status: 'pending' });
      return task === null ? { type: 'other', subject: null } : { type: 'add-task', task };
    }
    case 'TaskUpdate': {
      const isDeleted = input.status === 'deleted';
      return {
        type: 'change-task',
        id: idOf(input.taskId),
        change: isDeleted ? {} : changeOf(input),
        isDeleted,
      };
    }
    case 'TaskList':
      return { type: 'list-tasks' };
    case 'Task':
    case 'Agent':
      return { type: 'delegate', description: text(input.description) || text(input.prompt) };
    default: {
      const keys = [
        'description',
        'query',
        'url',
        'pattern',
        'path',
        'skill',
        'command',
        'message',
        'prompt',
      ];
      return {
        type: 'other',
        subject: keys.map((key) => text(input[key])).find((each) => each !== '') ?? null,
      };
    }
  }
}

/** The text in the content of a message or of a result. */
export const readContentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : items(content)
        .map((block) => text(block.text))
        .filter((each) => each !== '')
        .join('\n');

const REFUSED =
  /^(?:Error: )?The user (?:doesn't|does not) want to (?:proceed with this tool use|take this action)/;
const DENIED =
  /^(?:Error: )?(?:\w+:\w+ hook error|Plimsoll: |Permission to use |This command requires approval|Claude requested permissions|Hook \S+ (?:denied|blocked)|Tool use (?:was )?(?:denied|blocked))/;
const SAID =
  /(?:To tell you how to proceed, the user said:|The user provided the following reason for the rejection:)\s*([\s\S]*)$/;
/** What the client adds behind the person's words. */
const ADDED_NOTE = /\n+Note: The user's next message may contain[\s\S]*$/;

function resultStatus(line: JsonObject, block: JsonObject, output: string): ResultStatus {
  const kind = text(line.toolDenialKind);
  const source = isObject(line.permissionDecision) ? text(line.permissionDecision.source) : '';
  // A person who refuses in an editor or an app is told by the source alone; the kind says that no rule allowed the call.
  const isByPerson =
    kind === 'user-rejected' ? source !== 'config' && source !== 'hook' : /^user_/.test(source);
  if (REFUSED.test(output) || (kind !== '' && isByPerson)) return 'refused';
  const detail = isObject(line.toolUseResult) ? line.toolUseResult : {};
  if (
    /^(?:interrupted|cancelled)$/.test(kind) ||
    output.startsWith('[Request interrupted') ||
    detail.interrupted === true
  ) {
    return 'interrupted';
  }
  if (kind !== '' || (block.is_error === true && DENIED.test(output))) return 'denied';
  if (block.is_error === true) return 'failed';
  return detail.backgroundTaskId !== undefined ? 'started' : 'ok';
}

const ANSWERED = /^(?:User has answered|The user (?:has )?answered|Your questions have been answered)/i;
const PAIR = /"((?:[^"\\]|\\.|"(?!=))*?)"="((?:[^"]|"(?!, "|\.| ))*)"/g;

function answersIn(detail: JsonObject, output: string): ResultEntry['answers'] {
  if (isObject(detail.answers)) {
    return Object.entries(detail.answers).map(([question, answer]) => ({
      question,
      answer: Array.isArray(answer) ? answer.join(', ') : text(answer),
    }));
  }
  if (!ANSWERED.test(output)) return [];
  return [...output.matchAll(PAIR)].map((pair) => ({ question: pair[1] ?? '', answer: pair[2] ?? '' }));
}

function planIn(detail: JsonObject, output: string): ResultEntry['plan'] {
  if (!/^User has approved (?:your|the) plan/.test(output)) return null;
  return {
    text: text(detail.plan) || (/## Approved Plan[^\n]*:?\n([\s\S]*)$/.exec(output)?.[1] ?? ''),
    file: text(detail.filePath) || (/saved to: (\S[^\n]*)/.exec(output)?.[1]?.trim() ?? null),
  };
}

/** How a call turned out, from a block of type `tool_result` and the line that holds it. */
export function readResult(
  line: JsonObject,
  block: JsonObject,
): Omit<ResultEntry, 'kind' | 'id' | 'offset' | 'time'> {
  const output = readContentText(block.content);
  const detail = isObject(line.toolUseResult) ? line.toolUseResult : {};
  const status = resultStatus(line, block, output);
  // What a tool put out is not the person's words, whatever it says.
  const mayHoldWords = status === 'refused' || status === 'denied' || status === 'interrupted';
  // Refused in an editor or an app, the output is the person's words and nothing else.
  const bare = status === 'refused' && line.holdsPersonsWords === true && !REFUSED.test(output) ? output : '';
  const said = ((mayHoldWords && SAID.exec(output)?.[1]) || bare).replace(ADDED_NOTE, '').trim();
  const task = isObject(detail.task) ? readTasks([detail.task]) : null;
  return {
    call: text(block.tool_use_id),
    status,
    output,
    reason: said === '' ? null : said,
    answers: status === 'ok' ? answersIn(detail, output) : [],
    tasks: task ?? (Array.isArray(detail.tasks) ? readTasks(detail.tasks) : null),
    plan: status === 'ok' ? planIn(detail, output) : null,
    isNewFile: detail.type === 'create' || output.startsWith('File created successfully'),
  };
}
