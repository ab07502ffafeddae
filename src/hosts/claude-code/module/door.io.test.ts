import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerOf, holdProcesses, NOMINAL, running } from '../../../../test/unit/door.ts';
import { readSample } from '../../../context/usage-samples.io.ts';
import { createSessionState } from '../../../sessions/session-state.ts';
import { readLastStop } from '../../../sessions/session-states.io.ts';
import { answerEnd, finish, keepSubagentEnd } from './answer.io.ts';
import { SILENCE } from './ask-process.io.ts';

test('a rise is said at once, and kept by a process that nobody waits for; until then it is not said again', async () => {
  const it = running({}, NOMINAL);
  await it.prompt();
  const letGo = holdProcesses(it);
  it.all.tokens = 120_000;
  const first = await it.tools();
  expect(first?.context).toMatch(/^<context-monitor>\nCONTEXT STATUS: WARNING/);
  expect(first?.context).toContain('Last checkpoint: being written');
  expect(it.asked()).toEqual([]);
  expect(await it.tools()).toEqual(SILENCE);
  it.all.tokens = 140_000;
  expect((await it.tools())?.context).toMatch(/CONTEXT STATUS: CRITICAL/);
  letGo();
  await finish(it.client, it.door, {});
  expect(it.asked()).toEqual(['PostToolBatch', 'PostToolBatch']);
});

test('what the process of a rise says besides comes with the next event, but for the usage', async () => {
  const usage = '<context-monitor>\nCONTEXT STATUS: WARNING\n</context-monitor>';
  const it = running(
    { answer: () => answerOf(`<compaction-alert>x</compaction-alert>\n\n${usage}`) },
    NOMINAL,
  );
  await it.prompt();
  it.all.tokens = 120_000;
  await it.tools();
  await finish(it.client, it.door, {});
  it.keep({ last_announced: { ...NOMINAL.last_announced, highest_tier: 'WARNING', max_tokens: 120_000 } });
  expect((await it.tools())?.context).toBe('<compaction-alert>x</compaction-alert>');
  expect(await it.tools()).toEqual(SILENCE);
});

const LEASED = {
  ...{ epoch: 0, checkpoint: null, status: 'leased' as const, tries: 1, offset: 0, at: '' },
  channel: 'SessionStart',
};

test.each(['prompt', 'tools'] as const)(
  'whether the alert has arrived is looked at once, beside a prompt, or at the end of the turn: %s',
  async (kind) => {
    const it = running({ answer: () => '' }, NOMINAL);
    await it.prompt();
    it.keep({ ...NOMINAL, alert: LEASED });
    const letGo = holdProcesses(it);
    expect((await it[kind]())?.context ?? '').not.toContain('alert');
    expect(await it.tools()).toEqual(SILENCE);
    expect(await answerEnd(it.client, it.door, { ...it.common, hook_event_name: 'Stop' })).toBeNull();
    letGo();
    await finish(it.client, it.door, {});
    expect(it.asked()).toEqual([kind === 'prompt' ? 'UserPromptSubmit' : 'Stop']);
  },
);

test('where the client is about to compact, its own hook keeps all; if it does not compact, a process is started', async () => {
  const it = running({}, NOMINAL);
  await it.prompt();
  it.all.tokens = 168_000;
  expect([await it.tools(), it.asked()]).toEqual([SILENCE, []]);
  expect([await it.tools(), await finish(it.client, it.door, {})]).toEqual([SILENCE, undefined]);
  expect(it.asked()).toEqual(['PostToolBatch']);
});

test('that a context is reported for the first time can wait until a process is started anyway', async () => {
  const it = running();
  expect((await it.prompt())?.context).toMatch(/CONTEXT STATUS: NOMINAL \(/);
  expect((await it.prompt())?.context).toMatch(/CONTEXT STATUS: NOMINAL ~/);
  await finish(it.client, it.door, {});
  expect(it.asked()).toEqual([]);
});

test.each<[string, number, boolean, string[]]>([
  ['little is new since then', 500_000, true, []],
  ['much is new since then', 600_000, true, ['Stop']],
  ['nothing was kept yet, be it what the session was handed', 500, false, ['Stop']],
])(
  'nobody waits for the end of a turn to be kept, but the end of the session: %s',
  async (_, bytes, hasLedger, kept) => {
    const it = running({}, NOMINAL);
    if (!hasLedger) rmSync(it.paths.session('a').ledger);
    await it.prompt();
    writeFileSync(it.common.transcript_path, `${' '.repeat(bytes)}\n`);
    const letGo = holdProcesses(it);
    const last_assistant_message = `Done with ghp_${'aB3dE5gH7j'.repeat(4)}`;
    const stop = { ...it.common, hook_event_name: 'Stop', last_assistant_message };
    expect(await answerEnd(it.client, it.door, stop)).toBeNull();
    expect(it.asked()).toEqual([]);
    letGo();
    await finish(it.client, it.door, {});
    expect(it.asked()).toEqual(kept);
    const noted = readLastStop(it.paths, createSessionState('a'));
    expect(noted?.answer ?? null).toEqual(
      kept.length > 0 ? null : expect.stringMatching(/^Done with .*redacted/i),
    );
  },
);

test.each([
  ['reviewer', ['SubagentStop']],
  ['', []],
])('the end of a subagent of type "%s" is kept by %j', async (type, kept) => {
  const it = running({}, NOMINAL);
  await it.prompt();
  await keepSubagentEnd(it.client, it.door, {
    ...it.common,
    ...{ hook_event_name: 'SubagentStop', agent_id: 'x', agent_type: type },
  });
  await finish(it.client, it.door, {});
  expect(it.asked()).toEqual(kept);
});

test('the usage at the end of a turn stays noted, though a client that ends does not know it any more', async () => {
  const it = running({}, NOMINAL);
  await it.prompt();
  rmSync(it.paths.session('a').ledger);
  const { hookEnv } = it.client.process;
  it.client.process.hookEnv = async () => {
    delete it.all.tokens;
    return hookEnv();
  };
  await answerEnd(it.client, it.door, { ...it.common, hook_event_name: 'Stop' });
  await finish(it.client, it.door, {});
  expect(it.asked()).toEqual(['Stop']);
  expect(readSample(it.paths, 'a', 'module')?.tokens).toBe(40_000);
});
