// What was being done? The work of an epoch, folded from transcript lines; it needs no orchestration file.

export interface Task {
  id: string | null;
  subject: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** How the agent words the task while it is at it, or null. */
  active: string | null;
}

export interface Work {
  /** Last requests of the user, oldest first. */
  requests: string[];
  tasks: Task[];
  /** Paths of files written or edited, the latest last. */
  files_written: string[];
  /** Commands that failed and did not succeed since, the latest last. */
  failing_commands: { command: string; output: string }[];
  /** First lines of the last answer, or null. */
  last_answer: string | null;
  /** True when the epoch was longer than what was read. */
  truncated: boolean;
}

export const EMPTY_WORK: Work = {
  requests: [],
  tasks: [],
  files_written: [],
  failing_commands: [],
  last_answer: null,
  truncated: false,
};

const REQUESTS = 5;
const REQUEST_CHARACTERS = 1_500;
const FILES = 60;
const COMMANDS = 5;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Cuts text to a number of characters, at a word where there is one, and says so with an ellipsis. */
export function shorten(value: string, characters: number): string {
  const plain = value.trim();
  if (plain.length <= characters) return plain;
  const cut = plain.slice(0, Math.max(characters - 1, 1));
  const space = cut.lastIndexOf(' ');
  const end = space > characters * 0.6 ? space : cut.length;
  return `${cut.slice(0, end).replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`;
}

const statusOf = (value: unknown): Task['status'] =>
  value === 'completed' || value === 'in_progress' ? value : 'pending';

function taskOf(item: Json): Task | null {
  const subject = text(item.subject) || text(item.content);
  if (subject === '') return null;
  const id = typeof item.id === 'number' ? String(item.id) : text(item.id);
  return { id: id || null, subject, status: statusOf(item.status), active: text(item.activeForm) || null };
}

const tasksOf = (list: unknown): Task[] => items(list).flatMap((item) => taskOf(item) ?? []);

/** Commands of the client itself; what they print is no request. */
const LOCAL_COMMAND = /^\/(?:compact|clear|context|model|cost|help|status|config|resume|exit|quit|hooks|mcp|login|logout|memory|doctor|autocompact)\b/;

/** The request in what a user line holds, or null when it holds something else (tool results, notices, caveats). */
function requestOf(content: string): string | null {
  const plain = content.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
  const command = /<command-name>\s*(\S+?)\s*<\/command-name>/.exec(plain)?.[1];
  if (command !== undefined) {
    const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(plain)?.[1] ?? '';
    return LOCAL_COMMAND.test(command) ? null : `${command} ${args}`.trim();
  }
  if (plain === '' || /^(?:<(?:local-command|task-notification|bash-|command-)|Caveat: |\[Request interrupted)/.test(plain)) {
    return null;
  }
  return shorten(plain, REQUEST_CHARACTERS);
}

const resultText = (content: unknown): string =>
  typeof content === 'string' ? content : items(content).map((block) => text(block.text)).join('\n');

/** Collects work line by line; `start` carries over what an earlier stretch of the conversation left open. */
export function workOf(lines: Iterable<unknown>, start: Work = EMPTY_WORK): Work {
  const requests: string[] = [];
  let tasks = start.tasks.filter((task) => task.status !== 'completed');
  const files = new Map<string, string>(); // tool_use id -> path, in order of writing
  const commands = new Map<string, string>(); // tool_use id -> command
  const created = new Map<string, string>(); // tool_use id -> subject of a TaskCreate
  let failing: Work['failing_commands'] = [];
  let answer: string | null = null;

  const useTool = (id: string, name: string, input: Json): void => {
    const path = text(input.file_path) || text(input.notebook_path);
    if (/^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(name) && path !== '') files.set(id, path);
    else if (/^(?:Bash|PowerShell)$/.test(name)) commands.set(id, text(input.command));
    else if (name === 'TodoWrite') tasks = tasksOf(input.todos);
    else if (name === 'TaskCreate') {
      const task = taskOf({ ...input, status: 'pending', id: null });
      if (task !== null) {
        tasks = [...tasks, task];
        created.set(id, task.subject);
      }
    } else if (name === 'TaskUpdate') {
      const target = typeof input.taskId === 'number' ? String(input.taskId) : text(input.taskId);
      tasks = tasks.flatMap((task) => {
        if (task.id !== target) return [task];
        if (input.status === 'deleted') return [];
        return [
          {
            ...task,
            status: input.status === undefined ? task.status : statusOf(input.status),
            subject: text(input.subject) || task.subject,
            active: text(input.activeForm) || task.active,
          },
        ];
      });
    }
  };

  const finishTool = (id: string, isError: boolean, output: string, detail: unknown): void => {
    if (isError) files.delete(id);
    const command = commands.get(id);
    if (command !== undefined) {
      failing = failing.filter((each) => each.command !== command);
      if (isError) failing.push({ command: shorten(command, 300), output: shorten(output, 400) });
    }
    const subject = created.get(id);
    if (subject !== undefined) {
      const task = isObject(detail) && isObject(detail.task) ? detail.task : {};
      const given = text(task.id) || (/#(\d+)/.exec(output)?.[1] ?? '');
      const open = tasks.findLast((each) => each.id === null && each.subject === subject);
      if (isError) tasks = tasks.filter((each) => each !== open);
      else if (open) open.id = given || null;
    }
    if (isObject(detail) && Array.isArray(detail.tasks)) tasks = tasksOf(detail.tasks);
  };

  for (const line of lines) {
    if (!isObject(line) || line.isSidechain === true || line.agentId !== undefined) continue;
    const message = isObject(line.message) ? line.message : {};
    if (line.type === 'assistant' && message.model !== '<synthetic>') {
      for (const block of items(message.content)) {
        if (block.type === 'text' && text(block.text).trim() !== '') answer = text(block.text);
        if (block.type === 'tool_use') useTool(text(block.id), text(block.name), isObject(block.input) ? block.input : {});
      }
    } else if (line.type === 'user' && line.isMeta !== true && line.isCompactSummary !== true) {
      const blocks = items(message.content);
      for (const block of blocks) {
        if (block.type !== 'tool_result') continue;
        finishTool(text(block.tool_use_id), block.is_error === true, resultText(block.content), line.toolUseResult);
      }
      if (!blocks.some((block) => block.type === 'tool_result')) {
        const request = requestOf(resultText(message.content));
        if (request !== null) requests.push(request);
      }
    } else if (line.type === 'attachment' && isObject(line.attachment)) {
      if (line.attachment.type === 'task_reminder' && Array.isArray(line.attachment.content)) {
        const listed = tasksOf(line.attachment.content);
        if (listed.length > 0) tasks = listed;
      } else if (line.attachment.type === 'queued_command') {
        const request = requestOf(text(line.attachment.prompt));
        if (request !== null) requests.push(request);
      }
    }
  }

  const written = [...new Set([...start.files_written, ...files.values()].reverse())].reverse();
  return {
    requests: (requests.length > 0 ? requests : start.requests).slice(-REQUESTS),
    tasks,
    files_written: written.slice(-FILES),
    failing_commands: [...start.failing_commands, ...failing].slice(-COMMANDS),
    last_answer: answer === null ? start.last_answer : shorten(answer.trim().split('\n').slice(0, 6).join('\n'), 700),
    truncated: start.truncated,
  };
}

export const openTasks = (work: Work): Task[] => work.tasks.filter((task) => task.status !== 'completed');

/** The next step that the work itself names: the task in progress, else the first open one, else null. */
export function nextStepOf(work: Work): string | null {
  const open = openTasks(work);
  const task = open.find((each) => each.status === 'in_progress') ?? open[0];
  return task === undefined ? null : task.subject;
}
