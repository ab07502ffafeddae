// What commands need of a host, and the port of hosts in whose process we run: what is asked there, and how it is answered.

import type { Announcement } from '../context/announcement.ts';
import type { Tier } from '../context/tier.ts';
import { isObject } from '../text/json.ts';
import type { Event, HookHost, Host, HostReply, ToldLimits } from './host.ts';
import type { OwnLine } from './own-lines.ts';
import type { ToolRun } from './read-only-commands.ts';
import type { Verdict } from './verdict.ts';

type Env = Record<string, string | undefined>;

/** What a hook reads and writes besides files. */
export interface HookIo {
  /** Undefined where the folder is gone. */
  cwd: () => string | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds since the process began. */
  elapsed: () => number;
  /** The host's JSON; null where it is not whole. */
  read: () => unknown;
  print: (text: string) => void;
  /** What a client in whose process this runs tells of its usage. */
  told?: ToldLimits | null | undefined;
  /** Hears what was decided of an announcement. */
  hear?: (announcement: Announcement) => void;
  /** What has happened since the last event, where the client keeps no transcript that we read. */
  lines?: readonly OwnLine[] | undefined;
}

/** A transcript of a host, found where the host keeps them. */
export interface FoundTranscript {
  /** Session id. */
  id: string;
  path: string;
  mtimeMs: number;
}

/** Finds the transcripts of a host's sessions, for commands. */
export interface TranscriptFinder {
  /** Of the sessions that ran in a folder, or of all, the newest first. */
  list(folder: string | null, env: Env): FoundTranscript[];
  /** Of a session, wherever it ran, or null. */
  locate(id: string, env: Env): FoundTranscript | null;
  /** Whether a transcript is of a session that ran in a folder or below it. */
  ranBelow(transcript: string, folder: string): boolean;
  /** Whether it is this host whose transcripts begin with such a line; false where that is not sure. */
  isBegunBy(line: unknown): boolean;
}

/** What commands need of a host. */
export interface HostEntry {
  /** The host's name for people. */
  title: string;
  host: Host;
  transcripts: TranscriptFinder;
  /** What a command is told in the shell of this host's agent, under neutral names. */
  readShell?: (env: Env) => Env;
  /** Of a host in whose process we run: registers our handlers with what it hands to its extensions. */
  attach?: (api: unknown, ask: AskInside, report: ReportInside) => unknown;
  /** How `plimsoll init --host` switches us on there. */
  setup?: HostSetup;
}

/** A hook that a host is asked to run, as a line of its settings. */
export interface HookRegistration {
  event: string;
  command: string;
  /** Seconds. */
  timeout: number;
}

/** Where a hook stands in its file: of an event the group, and in that the hook. */
export interface HookPlace {
  event: string;
  group: number;
  hook: number;
}

/** The one file by which we are switched on in a host; it holds no path of a machine. */
export type HostSetup = SetupFile & (OwnSetup | HooksSetup);

/** A file that is ours alone. */
interface OwnSetup {
  text: string;
}

/** A JSON file in which our hooks stand among those of others, which stay as they are, byte for byte. */
interface HooksSetup {
  hooks: readonly HookRegistration[];
  /** The events of those hooks that the host does not run, because the person has not trusted them yet. */
  listUntrusted: (file: string, places: readonly HookPlace[], env: Env) => string[];
}

interface SetupFile {
  /** The user's folder of the host, which is there where it has run. */
  findFolder: (env: Env) => string;
  findFile: (scope: 'user' | 'project', root: string, env: Env) => string;
  /** The host's file that names our npm package among the host's own packages; null where none does. */
  findPackage?: (scope: 'user' | 'project', root: string, env: Env) => string | null;
  /** Whether a text holds anything of ours. */
  isOurs: (text: string) => boolean;
  /** What the person does next, where init alone does not do; else null. */
  next: string | null;
}

/** What is to be said at an event, and what a guard decided of a tool call. */
export interface InsideAnswer extends HostReply {
  verdict: Pick<Verdict, 'decision' | 'reason'> | null;
  /** How full the context is, at a prompt and after tools; null where it is not known, or nothing is to be said. */
  usage: { fraction: number; tier: Tier } | null;
}

/** Asks what is to be done at an event; it never fails, and one call follows the other. */
export type AskInside = (
  event: Event,
  more?: {
    /** What the host tells of its usage. */
    told?: ToldLimits | null;
    /** What has happened since the last event, where the host keeps no transcript that we read. */
    lines?: readonly OwnLine[];
    /** How the session was started; `sdk-…` without a person in front of it. */
    entrypoint?: string;
  },
) => Promise<InsideAnswer>;

/** Notes in the failure log what one of our handlers has thrown: the host goes on as without us. */
export type ReportInside = (handler: string, error: unknown, cwd: string) => void;

export const NOTHING: InsideAnswer = { context: [], person: [], blockStop: null, verdict: null, usage: null };

/** What a host in whose process we run shares with the others: it hands over events, and takes answers, as they are. */
export const INSIDE = {
  hooks: ['prompt', 'afterTool', 'preCompact', 'sessionStart', 'stop', 'sessionEnd', 'beforeTool'],
  beforeTool: 'beforeTool',
  atStart: 'sessionStart',
  parseEvent: (payload) => payload as Event,
  parseRareEvent: () => null,
  formatReply: (_, reply) =>
    reply.context.length + reply.person.length === 0 && reply.blockStop === null
      ? null
      : JSON.stringify(reply),
  formatVerdict: ({ decision, reason }) =>
    decision === 'abstain' || reason === null ? null : JSON.stringify({ verdict: { decision, reason } }),
  readEnvironment: (env) => env,
} satisfies Partial<HookHost> & Pick<Host, 'atStart' | 'parseRareEvent'>;

const isRun = (value: unknown): value is ToolRun => isObject(value) && typeof value.tool === 'string';
const runsOf = (payload: unknown): ToolRun[] =>
  isObject(payload) && Array.isArray(payload.calls) ? payload.calls.filter(isRun) : [];

/** The rest of what they share: window and threshold are told at every event, and every call, failed or not. */
export const INSIDE_HOST = {
  limits: {
    windowOf: () => null,
    allowsLarge: () => true,
    readCompaction: () => ({ enabled: true, window: null, percent: null }),
  },
  readToolCalls: (payload) => runsOf(payload).map(({ tool, input }) => ({ tool, input: { ...input } })),
  readWindowMark: () => null,
  agentSigns: (type, id) => `${type} ${id.slice(0, 8)}`.trim(),
  // The context of a subagent is a session of its own, or nobody's.
  sessions: {
    readSession: () => null,
    readAgentCall: () => null,
    readAgentEnd: () => null,
    listAgentTranscripts: () => [],
  },
  failures: {
    tellsOf: () => true,
    marker: '"failed"',
    offsetAfter: (_, __, { from }) => from,
    find: () => [],
  },
  loadRuns: async () => ({ readToolRuns: runsOf, readAgentName: () => null }),
} satisfies Partial<Host>;
