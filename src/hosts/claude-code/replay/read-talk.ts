// Reads the lines of one session as the probe needs them: what was asked, which tools were called, how they ended.

import { isObject, type JsonObject, readNonEmpty } from '../../../text/json.ts';

// Names of Claude Code's tools, as `probe` looks for them by rules of its own.
export const FILE_TOOLS = /^(?:Read|Write|Edit|MultiEdit|NotebookEdit)$/;
export const WRITING_TOOLS = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;

export const TOOL = {
  read: 'Read',
  shell: 'Bash',
  setTasks: 'TodoWrite',
  addTask: 'TaskCreate',
  changeTask: 'TaskUpdate',
  plan: 'ExitPlanMode',
  question: 'AskUserQuestion',
} as const;

// Splits a transcript into units: what stood before a compaction, the host's own summary, and what the agent did next.
export interface CompactionUnit {
  /** Id of the session, as the transcript says it, or null. */
  session: string | null;
  /** Which compaction of the file it is, from 0. */
  compaction: number;
  /** How many lines of the file stand in front of the boundary. */
  linesBefore: number;
  trigger: 'auto' | 'manual';
  /** One whole segment: the lines since the compaction before. */
  before: readonly unknown[];
  /** The summary and what the host attached, as the agent read them before its first answer. */
  summary: string;
  /** Until the next compaction. */
  after: readonly unknown[];
}

const isBoundary = (line: unknown): boolean =>
  isObject(line) &&
  line.type === 'system' &&
  line.subtype === 'compact_boundary' &&
  line.isSidechain !== true;
const isSummary = (line: unknown): boolean => isObject(line) && line.isCompactSummary === true;
const isAnswer = (line: unknown): boolean =>
  isObject(line) && line.type === 'assistant' && line.isSidechain !== true;

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  return isObject(value) ? Object.values(value).flatMap(collectTexts) : [];
}

function readSummary(behind: readonly unknown[]): string {
  const first = behind.findIndex(isAnswer);
  return behind
    .slice(0, first < 0 ? behind.length : first)
    .flatMap((line) => {
      if (!isObject(line)) return [];
      if (line.type === 'attachment') return collectTexts(line.attachment);
      return isSummary(line) && isObject(line.message) ? collectTexts(line.message.content) : [];
    })
    .join('\n');
}

/** One unit for each compaction of the main session that something stands in front of. */
export function splitUnits(lines: readonly unknown[]): CompactionUnit[] {
  const boundaries = lines.flatMap((line, at) => (isBoundary(line) ? [at] : []));
  const ids = lines.map((line) => (isObject(line) ? readNonEmpty(line.sessionId) : null));
  const session = ids.find((id) => id !== null) ?? null;
  return boundaries.flatMap((at, index) => {
    const from = index === 0 ? 0 : (boundaries[index - 1] ?? 0) + 1;
    const before = lines.slice(from, at);
    if (!before.some(isAnswer)) return [];
    const behind = lines.slice(at + 1, boundaries[index + 1] ?? lines.length);
    const boundary = lines[at];
    const meta = isObject(boundary) && isObject(boundary.compactMetadata) ? boundary.compactMetadata : {};
    return [
      {
        session,
        compaction: index,
        linesBefore: at,
        trigger: meta.trigger === 'manual' ? ('manual' as const) : ('auto' as const),
        before,
        summary: readSummary(behind),
        after: behind.filter((line) => !isSummary(line)),
      },
    ];
  });
}

export interface ProbedCall {
  id: string;
  tool: string;
  input: JsonObject;
  /** Line of the call, counted from 0. */
  at: number;
  /** What came back, or null while nothing has. */
  output: string | null;
  outcome: 'done' | 'failed' | 'rejected' | 'unknown';
  /** What the tool gave back beside its text. */
  detail: unknown;
}

export interface ProbedRequest {
  text: string;
  at: number;
  /** Said with the refusal of a call, not in a line of its own. */
  isRefusal: boolean;
}

export interface ProbedTalk {
  calls: ProbedCall[];
  requests: ProbedRequest[];
  /** The last call, where nothing but its result follows it. */
  underWay: ProbedCall | null;
}

/** Commands of the client itself: they ask the agent for nothing. */
const CLIENT_COMMANDS = new Set(
  'compact clear context model cost help status config resume exit quit hooks mcp login logout memory doctor autocompact'
    .split(' ')
    .map((name) => `/${name}`),
);
const NO_REQUEST = /^(?:<local-command|<task-notification|<bash-|Caveat: |\[Request interrupted)/;
const REJECTED = /^(?:The user doesn't want to proceed|\[Request interrupted)/;
const REASON = 'To tell you how to proceed, the user said:';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const blocksOf = (content: unknown): JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);
const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : blocksOf(content)
        .map((block) => textOf(block.text))
        .filter((text) => text !== '')
        .join('\n');

/** Lines of the main session; an agent's own are none. */
const isMain = (line: unknown): line is JsonObject =>
  isObject(line) && line.isSidechain !== true && line.agentId === undefined;

/** What a line of the user asks for, or null where it holds something else. */
function requestIn(content: unknown): string | null {
  const plain = wordsOf(content)
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .trim();
  const name = /<command-name>\s*(\S+?)\s*<\/command-name>/.exec(plain)?.[1];
  if (name !== undefined) {
    const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(plain)?.[1] ?? '';
    return CLIENT_COMMANDS.has(name) ? null : `${name} ${words}`.trim();
  }
  return plain === '' || NO_REQUEST.test(plain) ? null : plain;
}

/** What the user wrote when a call was refused, or null. */
function reasonIn(output: string): string | null {
  const at = output.indexOf(REASON);
  return at < 0 ? null : output.slice(at + REASON.length).trim() || null;
}

function end(call: ProbedCall, block: JsonObject, detail: unknown): void {
  call.output = wordsOf(block.content);
  call.detail = detail;
  if (REJECTED.test(call.output)) call.outcome = 'rejected';
  else call.outcome = block.is_error === true ? 'failed' : 'done';
}

/** Reads lines as they stand in the file; what is no object says nothing. */
export function readTalk(lines: readonly unknown[]): ProbedTalk {
  const calls: ProbedCall[] = [];
  const byId = new Map<string, ProbedCall>();
  const requests: ProbedRequest[] = [];
  let last: { call: ProbedCall; isAlone: boolean } | null = null;
  for (const [at, line] of lines.entries()) {
    if (!isMain(line)) continue;
    const content = isObject(line.message) ? line.message.content : undefined;
    if (line.type === 'assistant') {
      for (const block of blocksOf(content)) {
        if (block.type === 'text' && textOf(block.text).trim() !== '' && last !== null) last.isAlone = false;
        const id = textOf(block.id);
        if (block.type !== 'tool_use' || byId.has(id)) continue;
        const call: ProbedCall = {
          id,
          tool: textOf(block.name),
          input: isObject(block.input) ? block.input : {},
          at,
          output: null,
          outcome: 'unknown',
          detail: undefined,
        };
        calls.push(call);
        byId.set(id, call);
        last = { call, isAlone: true };
      }
    } else if (line.type === 'user') {
      const results = blocksOf(content).filter((block) => block.type === 'tool_result');
      for (const block of results) {
        const call = byId.get(textOf(block.tool_use_id));
        if (call === undefined) continue;
        end(call, block, line.toolUseResult);
        const reason = call.outcome === 'rejected' ? reasonIn(call.output ?? '') : null;
        if (reason !== null) requests.push({ text: reason, at, isRefusal: true });
      }
      if (line.isMeta === true || line.isCompactSummary === true || results.length > 0) continue;
      const text = requestIn(content);
      if (text === null) continue;
      requests.push({ text, at, isRefusal: false });
      if (last !== null) last.isAlone = false;
    }
  }
  return { calls, requests, underWay: last?.isAlone ? last.call : null };
}
