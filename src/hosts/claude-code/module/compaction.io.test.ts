import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { Call } from '../../../../test/unit/client.ts';
import { answerOf, holdProcesses, NOMINAL, running } from '../../../../test/unit/door.ts';
import { draft } from '../../../../test/unit/drafts.ts';
import { createLedger } from '../../../compaction/ledger/ledger.ts';
import type { SessionPatch } from '../../../sessions/session-state.ts';
import { answerEnd, finish } from './answer.io.ts';
import type { ClientEvent, HookAnswer } from './client.ts';
import { serveCompaction, tellCompacted } from './compaction.io.ts';

const FACTS = "THE USER'S GOAL: the parser";
const AUTO: ClientEvent = { trigger: 'auto' };
/** What a compaction that its process has kept leaves in the state. */
const PENDING = {
  pending_compaction: { checkpoint: 'cx-001', offset: 2, trigger: 'auto' as const, at: '' },
};

/** A session before a compaction, the process before which keeps a checkpoint; and the file that silences our commands. */
async function compacting(answer: (call: Call) => string = () => '', patch: SessionPatch = NOMINAL) {
  const it = running({}, patch);
  const { root, paths, all, keep } = it;
  const mark = `${root}/data/compacting/7-a`;
  const ledger = createLedger('thread-1');
  Object.assign(all, {
    hookEnv: { CLAUDE_PLUGIN_DATA: `${root}/data`, CLAUDE_PID: '7', CLAUDE_CODE_SESSION_ID: 'a' },
    answer: (call: Call) => {
      if (call.stdin?.hook_event_name !== 'PreCompact') return answer(call);
      mkdirSync(paths.checkpoints, { recursive: true });
      const kept = { event_id: 'cx-001', ...draft({ ledger, tokens: 160_000 }) };
      writeFileSync(`${paths.checkpoints}/cx-001-checkpoint.json`, JSON.stringify(kept));
      keep({ ...patch, ...PENDING });
      return FACTS;
    },
  });
  await it.prompt();
  const marked = (): string => {
    try {
      return readFileSync(mark, 'utf8');
    } catch {
      return '';
    }
  };
  /** What goes on of a compaction, and what happens while the summary is written. */
  const serve = async (meanwhile: () => unknown = () => undefined, e: ClientEvent = AUTO) => {
    const seen: ClientEvent[] = [];
    await serveCompaction(it.client, it.door, e, async (asked) => {
      seen.push(asked);
      await meanwhile();
    });
    return seen[0];
  };
  const tell = (more = {}) =>
    tellCompacted(it.client, it.door, {
      ...it.common,
      ...{ hook_event_name: 'SessionStart', source: 'compact', ...more },
    });
  return { ...it, marked, serve, tell };
}

test.each([
  [AUTO, FACTS],
  [{ trigger: 'manual', instructions: 'keep the plan' }, `keep the plan\n\n${FACTS}`],
])('the summariser is asked what it was, and for the facts: %o', async (e, instructions) => {
  const it = await compacting();
  expect(await it.serve(undefined, e)).toEqual({ ...e, instructions });
  const { stdin } = it.all.started?.at(-1) ?? {};
  expect(stdin).toMatchObject({
    ...{ hook_event_name: 'PreCompact', session_id: 'a', trigger: e.trigger, prompt_id: 'p' },
    ...{ custom_instructions: e.instructions ?? null, plimsoll: { usage: { tokens: 40_000 } } },
  });
});

test.each<[string, string, string[]]>([
  ['takes the compaction over', `\n${JSON.stringify({ facts: FACTS })}`, ['PostToolBatch']],
  ['was about to end', '', ['PostToolBatch', 'PreCompact']],
])('a process of a rise that %s', async (_, printed, asked) => {
  const it = await compacting();
  const { answer } = it.all;
  const marks: unknown[] = [];
  it.all.answer = (call) => {
    if (call.stdin?.hook_event_name !== 'PostToolBatch') return answer?.(call) ?? '';
    marks.push(JSON.parse(it.marked()));
    if (printed !== '') answer?.({ ...call, stdin: { hook_event_name: 'PreCompact' } });
    return printed;
  };
  const letGo = holdProcesses(it);
  it.all.tokens = 120_000;
  await it.tools();
  const serving = it.serve();
  await vi.waitFor(() => expect(it.marked()).not.toBe(''));
  letGo();
  expect(await serving).toEqual({ ...AUTO, instructions: FACTS });
  expect(it.asked()).toEqual(asked);
  expect(marks).toEqual([
    expect.objectContaining({ ...{ hook_event_name: 'PreCompact', session_id: 'a', trigger: 'auto' } }),
  ]);
});

test('as long as it serves the compaction a file keeps our commands from running', async () => {
  const it = await compacting();
  const of = (trigger: string, agentId?: string) => ({ trigger, ...(agentId ? { agentId } : {}) });
  expect(it.marked()).toBe('');
  await it.serve(async () => {
    expect(it.marked()).not.toBe('');
    // One in a subagent may come to its end meanwhile.
    await it.serve(undefined, of('auto', 'x'));
    expect(it.marked()).not.toBe('');
  });
  expect(it.marked()).toBe('');
  await expect(it.serve(() => Promise.reject(new Error('no summary')))).rejects.toThrow('no summary');
  expect(it.marked()).toBe('');
});

test.each<[string, ClientEvent, (it: Awaited<ReturnType<typeof compacting>>) => void]>([
  ['of a subagent', { ...AUTO, agentId: 'x' }, () => undefined],
  ['ahead of time', { trigger: 'precompute' }, () => undefined],
  ['which hooks in settings serve', AUTO, ({ door }) => door.handled?.add('PreCompact')],
  ['where it is not known who serves', AUTO, ({ door }) => Object.assign(door, { handled: null })],
  ['without a place for the file', AUTO, ({ all }) => Object.assign(all, { hookEnv: {} })],
])('our commands serve a compaction %s', async (_, e, change) => {
  const it = await compacting();
  change(it);
  const before = it.asked();
  const told: unknown[] = [];
  expect(await it.serve(async () => told.push(it.marked(), await it.tell()), e)).toBe(e);
  expect([it.asked(), ...told]).toEqual([before, '', null]);
});

test('they do too where no process can be started', async () => {
  const it = await compacting();
  it.client.process.run = async () => {
    throw new Error('no process');
  };
  const told: unknown[] = [];
  expect(await it.serve(async () => told.push(it.marked(), await it.tell()))).toBe(AUTO);
  expect(told).toEqual(['', null]);
});

test('the alert is made from the checkpoint, without a process; the end of the turn notes it, and it is not told again', async () => {
  const it = await compacting();
  let answer: HookAnswer | null = null;
  await it.serve(async () => {
    const before = it.asked();
    answer = await it.tell();
    expect(it.asked()).toEqual(before);
  });
  expect((answer as HookAnswer | null)?.context).toContain(
    'COMPACTION EVENT: 1 of 1 this session; CHECKPOINT: cx-001-checkpoint.json',
  );
  expect(it.all.shown).toEqual([
    'Plimsoll: checkpoint cx-001 saved at 80% of the window; the agent was re-oriented after the compaction.',
  ]);
  const before = it.asked();
  expect((await it.tools())?.context ?? '').toBe('');
  expect(it.asked()).toEqual(before);
  await answerEnd(it.client, it.door, { ...it.common, hook_event_name: 'Stop' });
  await finish(it.client, it.door, {});
  expect(it.asked()).toEqual([...before, 'Stop']);
  expect(it.all.started?.at(-1)?.stdin?.plimsoll).toMatchObject({
    alert: {
      session: 'a',
      alert: { epoch: 1, checkpoint: 'cx-001', channel: 'SessionStart', offset: 3, tries: 1 },
      unflushed: { epoch: 1, offset: 2 },
    },
  });
  expect(it.door.given).toBeNull();
});

test.each<[string, SessionPatch, (it: Awaited<ReturnType<typeof compacting>>) => void]>([
  ['the project has a workflow', {}, ({ root }) => writeFileSync(`${root}/ORCHESTRATION.yaml`, '')],
  ['it has a quality file', {}, ({ root }) => mkdirSync(`${root}/.plimsoll/quality.md`, { recursive: true })],
  [
    'an earlier compaction is not in the transcript yet',
    { compaction_not_in_transcript: { epoch: 1, offset: 0, at: 0 } },
    () => undefined,
  ],
  ['another boundary waits for its answer', { unanswered_boundary: 1 }, () => undefined],
  [
    'the checkpoint cannot be read',
    {},
    ({ paths, all }) => {
      const { answer } = all;
      all.answer = (call) => {
        const facts = answer?.(call) ?? '';
        writeFileSync(`${paths.checkpoints}/cx-001-checkpoint.json`, '{');
        return facts;
      };
    },
  ],
])('a process is asked for the alert where %s', async (_, patch, change) => {
  const it = await compacting(() => answerOf('<compaction-alert>x</compaction-alert>'), {
    ...NOMINAL,
    ...patch,
  });
  change(it);
  await it.serve(async () =>
    expect((await it.tell())?.context).toBe('<compaction-alert>x</compaction-alert>'),
  );
  expect(it.asked().at(-1)).toBe('SessionStart');
});

test.each([
  ['in a subagent', { agent_id: 'x' }, () => undefined],
  [
    'where hooks in settings say it',
    {},
    ({ door }: Awaited<ReturnType<typeof compacting>>) => door.handled?.add('SessionStart'),
  ],
])('no alert is said %s', async (_, more, change) => {
  const it = await compacting();
  await it.serve(async () => {
    change(it);
    expect(await it.tell(more)).toBeNull();
  });
});

test('an alert that nobody has noted is noted at the end of the session, and of no other one', async () => {
  const it = await compacting();
  await it.serve(async () => void (await it.tell()));
  await finish(it.client, it.door, { ...it.common, session_id: 'b', hook_event_name: 'SessionEnd' });
  expect(it.all.started?.at(-1)?.stdin?.plimsoll).toMatchObject({ alert: null });
  await finish(it.client, it.door, { ...it.common, hook_event_name: 'SessionEnd' });
  expect(it.all.started?.at(-1)?.stdin?.plimsoll).toMatchObject({ alert: { session: 'a' } });
  expect(it.door.given).toBeNull();
});
