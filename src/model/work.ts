// What was being done? The work of an epoch, folded from transcript lines; it needs no orchestration file.
import { lastRequests } from './asked.ts';
import { isObject, type Json } from './json.ts';
import { redactAll } from './redact.ts';

export interface Task {
  id: string | null;
  subject: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** How the agent words the task while it is at it, or null. */
  active: string | null;
}

export interface Work {
  /** Last requests of the user, oldest first; with the one that they lean on (`lastRequests`). */
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
  /** True when the last turn has no end: a request, or the calls of an answer, that nothing final followed. */
  turn_open: boolean;
}

export const EMPTY_WORK: Work = {
  requests: [],
  tasks: [],
  files_written: [],
  failing_commands: [],
  last_answer: null,
  truncated: false,
  turn_open: false,
};

const REQUEST_CHARACTERS = 1_500;
const COMMAND_CHARACTERS = 300;
const OUTPUT_CHARACTERS = 400;
const FILES = 500;
/** So many failing commands are kept; an older one may fail still. */
export const COMMANDS = 5;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Cuts text to a number of characters, at a word where there is one, and says so with an ellipsis. */
export function shorten(value: string, characters: number): string {
  const plain = value.trim();
  if (plain.length <= characters) return plain;
  const cut = plain.slice(0, Math.max(characters - 1, 1));
  const space = cut.lastIndexOf(' ');
  const end = space > characters * 0.6 ? space : cut.length;
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** What is looked through behind a cut: half of a secret no longer looks like one. */
const BEHIND_CHARACTERS = 2_048;
/** So much of a word that what is looked through breaks off in is left out: it can be half of a secret. */
const HALF_CHARACTERS = 1_024;

function beginning(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = characters;
  while (end > characters - HALF_CHARACTERS && !/\s/.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** The beginnings of texts, without the secrets in them: they are taken out before the cut, of all texts together. */
function excerpts(texts: readonly (readonly [text: string, characters: number])[]): string[] {
  const looked = texts.map(([text, characters]) => beginning(text, characters + BEHIND_CHARACTERS));
  return redactAll(looked).map((text, index) => shorten(text, texts[index]?.[1] ?? 0));
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
const LOCAL_COMMANDS = new Set(
  'compact clear context model cost help status config resume exit quit hooks mcp login logout memory doctor autocompact'
    .split(' ')
    .map((name) => `/${name}`),
);

/** The request in what a user line holds, or null when it holds something else (tool results, notices, caveats). */
function requestOf(content: string): string | null {
  const plain = content.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
  const command = /<command-name>\s*(\S+?)\s*<\/command-name>/.exec(plain)?.[1];
  if (command !== undefined) {
    const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(plain)?.[1] ?? '';
    return LOCAL_COMMANDS.has(command) ? null : `${command} ${args}`.trim();
  }
  if (
    plain === '' ||
    /^(?:<(?:local-command|task-notification|bash-|command-)|Caveat: |\[Request interrupted)/.test(plain)
  ) {
    return null;
  }
  return plain;
}

const isInterruption = (content: string): boolean => content.startsWith('[Request interrupted');

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : items(content)
        .map((block) => text(block.text))
        .join('\n');

interface ToolCall {
  name: string;
  input: Json;
}

/** A task list after a call that did not fail; `detail` is the tool's structured result where the client kept one. */
function tasksAfter(tasks: Task[], call: ToolCall, detail: unknown, output: string): Task[] {
  const { name, input } = call;
  if (name === 'TodoWrite') return tasksOf(input.todos);
  if (name === 'TaskCreate') {
    const given =
      isObject(detail) && isObject(detail.task) ? detail.task.id : (/#(\d+)/.exec(output)?.[1] ?? '');
    const task = taskOf({ ...input, status: 'pending', id: given });
    // A task that an earlier checkpoint brought along is created once more when its stretch is read again.
    return task === null ? tasks : [...tasks.filter((each) => each.id === null || each.id !== task.id), task];
  }
  if (name === 'TaskUpdate') {
    const target = typeof input.taskId === 'number' ? String(input.taskId) : text(input.taskId);
    return tasks.flatMap((task) => {
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
  if (name === 'TaskList' && isObject(detail) && Array.isArray(detail.tasks)) return tasksOf(detail.tasks);
  return tasks;
}

/** Collects work line by line; `start` carries over what an earlier stretch of the conversation left open. */
export function workOf(lines: Iterable<unknown>, start: Work = EMPTY_WORK): Work {
  const requests: string[] = [];
  const files: string[] = [];
  const calls = new Map<string, ToolCall>(); // by tool_use id, until their result is seen
  let tasks = start.tasks.filter((task) => task.status !== 'completed');
  let failing = [...start.failing_commands];
  let answer: string | null = null;
  let isOpen = start.turn_open;

  const finish = (call: ToolCall, isError: boolean, output: string, detail: unknown): void => {
    if (/^(?:Bash|PowerShell)$/.test(call.name)) {
      if (!isError && failing.length === 0) return;
      const command = text(call.input.command);
      const key = shorten(command, COMMAND_CHARACTERS);
      failing = failing.filter((each) => shorten(each.command, COMMAND_CHARACTERS) !== key);
      if (isError) failing.push({ command, output });
    }
    if (isError) return;
    const path = text(call.input.file_path) || text(call.input.notebook_path);
    if (/^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(call.name) && path !== '') files.push(path);
    tasks = tasksAfter(tasks, call, detail, output);
  };

  const visitUser = (line: Json, content: unknown): void => {
    const results = items(content).filter((block) => block.type === 'tool_result');
    for (const block of results) {
      const id = text(block.tool_use_id);
      const call = calls.get(id);
      calls.delete(id);
      if (call) finish(call, block.is_error === true, resultText(block.content), line.toolUseResult);
    }
    const request = results.length > 0 ? null : requestOf(resultText(content));
    if (request !== null) requests.push(request);
    if (request !== null || results.length > 0 || isInterruption(resultText(content))) isOpen = true;
  };

  for (const line of lines) {
    if (!isObject(line) || line.isSidechain === true || line.agentId !== undefined) continue;
    const message = isObject(line.message) ? line.message : {};
    if (line.type === 'assistant' && message.model !== '<synthetic>') {
      for (const block of items(message.content)) {
        // An answer's last line says why it ended; older clients leave that out where text stands alone.
        if (block.type === 'text' && text(block.text).trim() !== '') {
          answer = text(block.text);
          isOpen = message.stop_reason === 'tool_use';
        }
        if (block.type === 'tool_use') {
          isOpen = true;
          calls.set(text(block.id), {
            name: text(block.name),
            input: isObject(block.input) ? block.input : {},
          });
        }
      }
    } else if (line.type === 'user' && line.isMeta !== true && line.isCompactSummary !== true) {
      visitUser(line, message.content);
    } else if (line.type === 'attachment' && isObject(line.attachment)) {
      if (line.attachment.type === 'task_reminder') {
        const listed = tasksOf(line.attachment.content);
        if (listed.length > 0) tasks = listed;
      } else if (line.attachment.type === 'queued_command') {
        const request = requestOf(resultText(line.attachment.prompt));
        if (request !== null) requests.push(request);
        if (request !== null) isOpen = true;
      }
    }
  }
  // Calls whose result is not in the file yet are taken as done: a little too much rather than something lost.
  for (const call of calls.values()) {
    if (!/^(?:Bash|PowerShell)$/.test(call.name)) finish(call, false, '', null);
  }

  failing = failing.slice(-COMMANDS);
  const asked = requests.length > 0 ? lastRequests(requests, start.requests) : [];
  const kept = excerpts([
    ...asked.map((each) => [each, REQUEST_CHARACTERS] as const),
    ...failing.map(({ command }) => [command, COMMAND_CHARACTERS] as const),
    ...failing.map(({ output }) => [output, OUTPUT_CHARACTERS] as const),
    ...(answer === null ? [] : [[answer, ANSWER_CHARACTERS] as const]),
  ]);
  const written = [...new Set([...start.files_written, ...files].reverse())].reverse();
  return {
    requests: asked.length > 0 ? kept.splice(0, asked.length) : lastRequests(start.requests),
    tasks,
    files_written: written.slice(-FILES),
    failing_commands: kept
      .splice(0, failing.length)
      .map((command, index) => ({ command, output: kept[index] ?? '' })),
    last_answer: answer === null ? start.last_answer : firstLines(kept.at(-1) ?? ''),
    truncated: start.truncated,
    turn_open: isOpen,
  };
}

const ECHO = /^(?:Exit code \d+$|> |\$ |npm (?:ERR!|error) (?:code|path|command|A complete log))/;
const FAULT =
  /(?<!\b(?:0|no) )\b(?:\w{0,40}error|fail(?:ed|ure|s)?|\w{0,40}exception|panic(?:ked)?|fatal|cannot|expected|not found|denied|undefined)\b|[✗✘×]/i;

/** The line of a failing command's output that says most: the first that names a fault, else the first; or null. */
export function usefulLine(output: string): string | null {
  const lines = output
    .replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ECHO.test(line));
  return lines.find((line) => FAULT.test(line)) ?? lines[0] ?? null;
}

/** A private key has more lines than are kept: secrets are taken out of more than these. */
const ANSWER_CHARACTERS = 4_096;
const firstLines = (text: string): string => shorten(text.split('\n').slice(0, 6).join('\n'), 700);

/** First lines of an answer, without secrets. */
export const shortAnswer = (answer: string): string =>
  firstLines(excerpts([[answer, ANSWER_CHARACTERS]])[0] ?? '');

export const openTasks = (work: Work): Task[] => work.tasks.filter((task) => task.status !== 'completed');

/** The next step that the work itself names: the task in progress, else the first open one, else null. */
export function nextStepOf(work: Work): string | null {
  const open = openTasks(work);
  const task = open.find((each) => each.status === 'in_progress') ?? open[0];
  return task === undefined ? null : task.subject;
}
