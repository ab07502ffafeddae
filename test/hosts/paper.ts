// A second host, invented for the tests: other events, another transcript and another reply than any real one.
import type { EntryPlace, LineFact, TranscriptEntry } from '../../src/hosts/entry.ts';
import type { Event, Host } from '../../src/hosts/host.ts';

/**
 * What paper writes, a line each: what it is, its id, the line that it follows, when it was written, and the rest.
 * - `["ask", …, text]`: the person's words
 * - `["say", …, text, tokens]`: an answer, and the tokens of its context
 * - `["do", …, call, page]`, `["done", …, call]`: a page is written, and was
 * - `["fold", …, tokens]`: a compaction
 * - `["slip", …, text]`: what a hook put between the pages
 */
export type PaperLine = readonly [
  what: string,
  id: string,
  after: string | null,
  at: string,
  ...rest: unknown[],
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isLine = (value: unknown): value is PaperLine => Array.isArray(value) && value.length >= 4;
const MODEL = 'vellum';

const KINDS = {
  asked: 'prompt',
  wrote: 'after-tool',
  folding: 'pre-compact',
  opened: 'session-start',
  shut: 'session-end',
} as const;

function parseEvent(payload: unknown, name: string): Event | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const page = payload as Record<string, unknown>;
  if (page.what !== name || typeof page.book !== 'string' || typeof page.desk !== 'string') return null;
  const common = {
    session: page.book,
    transcript: typeof page.pages === 'string' ? page.pages : null,
    cwd: page.desk,
    promptId: null,
    agent: null,
  };
  switch (KINDS[name as keyof typeof KINDS]) {
    case 'prompt':
      return { ...common, kind: 'prompt', isNotice: false };
    case 'after-tool':
      return { ...common, kind: 'after-tool', calls: [textOf(page.call)], payload: page };
    case 'pre-compact':
      return { ...common, kind: 'pre-compact', trigger: 'auto', instructions: null };
    case 'session-start':
      return {
        ...common,
        kind: 'session-start',
        source: page.folded === true ? 'compact' : 'startup',
        model: MODEL,
      };
    case 'session-end':
      return { ...common, kind: 'session-end', reason: 'shut' };
    default:
      return null;
  }
}

function readFact(line: unknown): LineFact | null {
  if (!isLine(line)) return null;
  const [what, id, , at, ...rest] = line;
  if (what === 'say')
    return { kind: 'usage', tokens: Number(rest[1]), input: 1, output: 1, model: MODEL, at, messageId: id };
  if (what === 'fold') return { kind: 'boundary', trigger: 'auto', preTokens: Number(rest[0]), at };
  return what === 'slip' ? { kind: 'injection', text: textOf(rest[0]) } : null;
}

const countCharacters = (line: unknown): number =>
  isLine(line) && (line[0] === 'ask' || line[0] === 'say') ? textOf(line[4]).length : 0;

function readEntries(line: unknown, offset: number): TranscriptEntry[] {
  if (!isLine(line)) return [];
  const [what, id, , time, first, second] = line;
  const place: EntryPlace = { id, offset, time };
  const text = textOf(first);
  switch (what) {
    case 'ask':
      return [{ ...place, kind: 'request', by: 'person', text, command: null, quotes: [] }];
    case 'say':
      return [{ ...place, kind: 'answer', text, isFinal: true }];
    case 'do': {
      const action = { type: 'write', path: textOf(second), isWhole: true } as const;
      return [{ ...place, kind: 'call', call: text, tool: 'quill', action }];
    }
    case 'done': {
      const rest = { output: '', reason: null, answers: [], tasks: null, plan: null, isNewFile: true };
      return [{ ...place, kind: 'result', call: text, status: 'ok', ...rest }];
    }
    case 'fold':
      return [{ ...place, kind: 'boundary', trigger: 'auto' }];
    default:
      return [];
  }
}

export const paper: Host = {
  name: 'paper',
  hooks: Object.keys(KINDS),
  beforeTool: 'writes',
  atStart: 'opens',
  sessions: {
    readSession: () => null,
    readAgentCall: () => null,
    readAgentEnd: () => null,
    listAgentTranscripts: () => [],
  },
  parseEvent,
  parseRareEvent: () => null,
  formatReply: (_, { context, person }) =>
    context.length + person.length === 0 ? null : `${[...context, ...person].join('\n~~~\n')}\n`,
  formatVerdict: () => null,
  readEnvironment: (env) => ({ ...env, HOST_PROJECT: env.PAPER_DESK, HOST_PID: env.PAPER_PID }),
  facts: { markers: ['"fold"', '"slip"'], usageMarkers: ['"say"'], readFact, countCharacters },
  limits: {
    windowOf: (model) => (model === MODEL ? 100_000 : null),
    allowsLarge: () => true,
    readCompaction: () => ({ enabled: true, window: null, percent: null }),
  },
  readToolCalls: () => [],
  readWindowMark: () => null,
  entries: {
    readEntries,
    readLink: (line) => (isLine(line) ? { id: line[1], parent: line[2] } : null),
    skimEntry: () => 'parse',
    saysNothing: () => false,
    isLasting: () => true,
  },
  agentSigns: (type, id) => `${type} ${id}`,
  failures: {
    tellsOf: () => true,
    marker: '"blot"',
    offsetAfter: (_, __, { from }) => from,
    find: () => [],
  },
  loadRuns: async () => ({ readToolRuns: () => [], readAgentName: () => null }),
  load: async () => paper,
};
