// The plugin that runs in opencode's process, and in Kilo's: asks at each of its hooks what is to be done, and says it there.

import { isObject, type JsonObject } from '../../text/json.ts';
import type { Event } from '../host.ts';
import type { AskInside, InsideAnswer, ReportInside } from '../host-entry.ts';
import type { OwnLine } from '../own-lines.ts';
import type { ToolRun } from '../read-only-commands.ts';
import {
  asMessages,
  findEnd,
  isSummary,
  isWhole,
  listObjects,
  type OpencodeMessage,
  OUR_PART,
  putBehind,
  readCallEnding,
  readOpencodeCalls,
  readOwnLines,
  readTokens,
  stringOf,
} from './messages.ts';

type Reply = Promise<{ data?: unknown }>;

/** What opencode hands to a plugin, as far as we use it. */
export interface OpencodeInput {
  directory: string;
  client: {
    session: {
      get: (of: { path: { id: string } }) => Reply;
      messages: (of: { path: { id: string } }) => Reply;
    };
    config: { providers: () => Reply };
  };
}

type Hook = (input: JsonObject, output: JsonObject) => Promise<void>;

/** What is known of a session of this process. */
interface Talk {
  id: string;
  /** The session that it works for; null for one of a person. */
  parent: string | null;
  /** Calls that have run since the last request. */
  runs: { id: string; run: ToolRun }[];
  /** What is said with the next request. */
  owed: string[];
  /** What was said with a request, behind which message or call; opencode keeps none of it, so it is put there again. */
  said: { behind: string; text: string; isProved: boolean }[];
  summaries: Set<string>;
  isCompacting: boolean;
  seen: Set<string>;
  last: string | null;
  model: { providerID: string; modelID: string } | null;
}

/** The most that opencode lets a model answer, and what it keeps free where its settings say nothing. */
const MOST_OUTPUT = 32_000;
const RESERVE = 20_000;

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
/** Whether a message is the summary of a compaction that is not told yet. */
const isNews = ({ summaries }: Talk, message: OpencodeMessage): boolean =>
  isSummary(message) && !summaries.has(stringOf(message.info.id));

/**
 * Our hooks of a process. Whatever fails in them, opencode goes on as without us; what a guard forbids alone is thrown.
 * @param isHeadless whether nobody is in front of it
 */
export function attachOpencode(
  input: OpencodeInput,
  ask: AskInside,
  report: ReportInside,
  isHeadless: boolean,
): Record<string, unknown> {
  const talks = new Map<string, Talk>();
  let compaction: JsonObject = {};
  let models: Promise<JsonObject[]> | null = null;
  /** The end of a turn that is being told: opencode waits for no event. */
  let stopping: Promise<unknown> = Promise.resolve();

  const read = async (reply: Reply): Promise<unknown> => (await reply).data;
  const readMessages = async (id: string): Promise<OpencodeMessage[]> =>
    asMessages(await read(input.client.session.messages({ path: { id } })).catch(() => []));

  /** The lines of messages that were not handed over yet, and the proof of what was said with a request that has an answer. */
  function listNews(talk: Talk, messages: readonly OpencodeMessage[]): OwnLine[] {
    return messages.flatMap((message, at) => {
      const id = stringOf(message.info.id);
      if (talk.seen.has(id) || !isWhole(message)) return [];
      const parent = stringOf(messages[at - 1]?.info.id) || talk.last;
      talk.seen.add(id);
      talk.last = id;
      const lines = readOwnLines(message, parent);
      const said = message.info.role === 'assistant' && !isSummary(message) ? talk.said : [];
      const open = said.filter(({ isProved }) => !isProved);
      for (const each of open) each.isProved = true;
      const text = open.map((each) => each.text).join('\n\n');
      return text === ''
        ? lines
        : [
            ...lines,
            { fact: { kind: 'injection', text }, id: `${id}:told`, parent: id, at: lines[0]?.at ?? '' },
          ];
    });
  }

  async function findLimit({ model }: Talk): Promise<JsonObject | null> {
    models ??= read(input.client.config.providers()).then((data) =>
      listObjects(isObject(data) ? data.providers : []),
    );
    const found = (await models).find(({ id }) => id === model?.providerID)?.models;
    const of = isObject(found) ? found[model?.modelID ?? ''] : null;
    return isObject(of) && isObject(of.limit) ? of.limit : null;
  }

  async function tell(
    talk: Talk,
    messages: readonly OpencodeMessage[],
    more: Partial<Event> & Pick<Event, 'kind'>,
  ): Promise<InsideAnswer> {
    const event = {
      ...{ session: talk.id, transcript: null, cwd: input.directory, promptId: null, agent: null },
      ...more,
    } as Event;
    const limit = await findLimit(talk).catch(() => null);
    const window = count(limit?.context);
    const output = Math.min(count(limit?.output) || MOST_OUTPUT, MOST_OUTPUT);
    const reserve = count(compaction.reserved) || Math.min(RESERVE, output);
    const most = count(limit?.input) > 0 ? count(limit?.input) - reserve : window - output;
    const last = messages.findLast((each) => readTokens(each) > 0 || isSummary(each));
    const tokens = (last === undefined ? 0 : readTokens(last)) || null;
    const compacts_at = compaction.auto === false ? null : Math.max(most, 1);
    const told = window === 0 ? null : { tokens, window, model: talk.model?.modelID ?? null, compacts_at };
    const lines = listNews(talk, messages);
    return ask(event, { told, lines, entrypoint: isHeadless ? 'sdk-run' : 'server' });
  }

  /** A session as it is known here; the first time, what it holds already is read, and its start is told. */
  async function meet(id: string): Promise<Talk> {
    const known = talks.get(id);
    if (known !== undefined) return known;
    const talk: Talk = {
      ...{ id, parent: null, runs: [], owed: [], said: [], summaries: new Set(), isCompacting: false },
      ...{ seen: new Set(), last: null, model: null },
    };
    talks.set(id, talk);
    const info = await read(input.client.session.get({ path: { id } })).catch(() => null);
    talk.parent = isObject(info) ? stringOf(info.parentID) || null : null;
    if (talk.parent !== null) return talk;
    const messages = await readMessages(id);
    for (const each of messages.filter(isSummary)) talk.summaries.add(stringOf(each.info.id));
    const isFirst = [...talks.values()].filter(({ parent }) => parent === null).length === 1;
    const source = messages.some(isWhole) ? 'resume' : isFirst ? 'startup' : 'clear';
    const { context } = await tell(talk, messages, { kind: 'session-start', source, model: null });
    talk.owed.push(...context);
    return talk;
  }

  /** What is due before a request: the alert of a new compaction, what the last calls came to, what is owed. */
  async function prepare(talk: Talk, messages: OpencodeMessage[]): Promise<void> {
    const fresh = messages.filter((each) => isNews(talk, each));
    for (const each of fresh) talk.summaries.add(stringOf(each.info.id));
    if (fresh.length > 0) {
      talk.runs = [];
      const start = { kind: 'session-start', source: 'compact', model: null } as const;
      talk.owed.push(...(await tell(talk, messages, start)).context);
    } else if (talk.runs.length > 0) {
      const { runs } = talk;
      talk.runs = [];
      const payload = { calls: runs.map(({ run }) => run) };
      const event = { kind: 'after-tool', calls: runs.map(({ id }) => id), payload } as const;
      talk.owed.push(...(await tell(talk, messages, event)).context);
    }
  }

  const quietly =
    (hook: Hook): Hook =>
    async (given, output) => {
      try {
        await hook(given, output);
      } catch (error) {
        report('plugin', error, input.directory);
      }
    };

  return {
    config: async (config: unknown) => {
      compaction = isObject(config) && isObject(config.compaction) ? config.compaction : {};
    },
    'chat.message': quietly(async ({ sessionID, model }, output) => {
      const talk = await meet(stringOf(sessionID));
      talk.isCompacting = false;
      const message = isObject(output.message) ? output.message : {};
      const used = isObject(model) ? model : isObject(message.model) ? message.model : null;
      if (used !== null)
        talk.model = { providerID: stringOf(used.providerID), modelID: stringOf(used.modelID) };
      if (talk.parent !== null || !Array.isArray(output.parts)) return;
      const { parts } = output as { parts: JsonObject[] };
      const stored = await readMessages(talk.id);
      await prepare(talk, stored);
      const all = [...stored.filter(({ info }) => info.id !== message.id), { info: message, parts }];
      const { context } = await tell(talk, all, { kind: 'prompt', isNotice: false });
      const text = [...talk.owed, ...context].join('\n\n');
      talk.owed = [];
      if (text === '') return;
      const id = `${OUR_PART}${stringOf(message.id).slice(4)}`;
      parts.push({ id, sessionID: talk.id, messageID: message.id, type: 'text', text, synthetic: true });
      talk.seen.delete(stringOf(message.id));
    }),
    'tool.execute.before': async ({ sessionID, tool }: JsonObject, output: JsonObject) => {
      const args = isObject(output.args) ? output.args : {};
      const talk = await meet(stringOf(sessionID)).catch(() => null);
      if (talk === null) return;
      const ids =
        talk.parent === null ? { session: talk.id, agent: null } : { session: talk.parent, agent: talk.id };
      for (const call of readOpencodeCalls(stringOf(tool), args)) {
        const event = { ...call, ...ids, transcript: null, cwd: input.directory, promptId: null } as const;
        const { verdict } = await ask({ ...event, kind: 'before-tool' });
        if (verdict?.decision === 'warn') talk.owed.push(`Plimsoll: ${verdict.reason ?? ''}`);
        // Nobody can be asked from here, so what would be asked is not done.
        else if (verdict !== null) throw new Error(`Plimsoll: ${verdict.reason ?? ''}`);
      }
    },
    'tool.execute.after': quietly(async ({ sessionID, tool, callID, args }, output) => {
      const talk = await meet(stringOf(sessionID));
      const [call] = readOpencodeCalls(stringOf(tool), isObject(args) ? args : {});
      if (talk.parent !== null || call === undefined) return;
      const run = { ...call, output: stringOf(output.output), ending: readCallEnding(output.metadata) };
      talk.runs.push({ id: stringOf(callID), run });
    }),
    'experimental.session.compacting': quietly(async ({ sessionID }, output) => {
      const talk = await meet(stringOf(sessionID));
      talk.isCompacting = true;
      if (talk.parent !== null || !Array.isArray(output.context)) return;
      const messages = await readMessages(talk.id);
      const asked = messages.at(-1)?.parts.find(({ type }) => type === 'compaction');
      const trigger = asked?.auto === false ? 'manual' : 'auto';
      const { context } = await tell(talk, messages, { kind: 'pre-compact', trigger, instructions: null });
      output.context.push(...context);
    }),
    'experimental.chat.messages.transform': quietly(async (_, output) => {
      const messages = asMessages(output.messages);
      const id = stringOf(messages.at(-1)?.info.sessionID);
      const talk = id === '' ? null : await meet(id);
      if (talk === null || talk.parent !== null) return;
      // What is summarised is no request; the first one after it holds the new summary.
      if (talk.isCompacting && !messages.some((each) => isNews(talk, each))) return;
      talk.isCompacting = false;
      await prepare(talk, messages);
      const behind = findEnd(messages);
      if (talk.owed.length > 0 && behind !== null) {
        talk.said.push({ behind, text: talk.owed.join('\n\n'), isProved: false });
        talk.owed = [];
      }
      for (const each of talk.said) putBehind(messages, each.behind, each.text);
    }),
    event: quietly(async ({ event }) => {
      if (!isObject(event) || event.type !== 'session.idle' || !isObject(event.properties)) return;
      const talk = talks.get(stringOf(event.properties.sessionID));
      if (talk === undefined || talk.parent !== null) return;
      stopping = readMessages(talk.id).then((messages) => {
        const answer = messages.findLast(({ info }) => info.role === 'assistant' && info.summary !== true);
        const text = answer?.parts
          .flatMap((part) => (part.type === 'text' ? [stringOf(part.text)] : []))
          .join('\n');
        return tell(talk, messages, { kind: 'stop', answer: text || null, isHeld: true });
      });
      await stopping;
    }),
    dispose: async () => {
      await stopping.catch(() => undefined);
      for (const talk of talks.values())
        if (talk.parent === null)
          await tell(talk, [], { kind: 'session-end', reason: 'disposed' }).catch(() => undefined);
    },
  };
}
