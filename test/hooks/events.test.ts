// Tests that every event is logged exactly once, by the hook that made it true, also when hooks run in parallel.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { answer, boundary, injection, request, summary, toolUse } from '../unit/lines.ts';
import { failuresOf } from './calls.ts';
import { type Host, MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

const logOf = (host: Host, id: string): string => host.state('sessions', id, 'events.jsonl');
const eventsOf = (host: Host, id: string): LoggedEvent[] =>
  readFileSync(logOf(host, id), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent);
const typesOf = (host: Host, id: string): string[] => eventsOf(host, id).map((event) => event.type);
const compact = { trigger: 'auto', custom_instructions: null };
const batch = { tool_calls: [] };

test('a whole session, every hook four times at once: every event once', async () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  expect(existsSync(logOf(host, 'a'))).toBe(false);
  await a.together(4, 'UserPromptSubmit', { prompt: 'go' });
  expect(typesOf(host, 'a')).toEqual(['SessionStarted']);

  a.write(request('go'), answer(120_000));
  await a.together(4, 'PostToolBatch', batch);
  a.write(answer(150_000, { id: 'msg_2' }));
  await a.together(4, 'PostToolBatch', batch);
  expect(typesOf(host, 'a').slice(1).sort()).toEqual([
    'CheckpointCreated',
    'CheckpointCreated',
    'ContextThresholdReached',
    'ContextThresholdReached',
  ]);

  await a.together(4, 'SubagentStop', { agent_id: 'sub1', agent_type: 'Explore' });
  a.fire('SubagentStop', { agent_id: 'sub2', agent_type: '' });
  await a.together(4, 'PreCompact', compact);
  const { context } = a.fire('SessionStart', { source: 'compact' });
  await a.together(3, 'SessionStart', { source: 'compact' });
  a.write(boundary('auto', 150_500), summary());
  a.store('SessionStart', context);
  await a.together(4, 'PostToolBatch', batch);
  a.write(answer(30_000, { id: 'msg_3' }), toolUse('t1', 'Write', { file_path: 'a.ts', content: 'x' }));
  await a.together(4, 'PostToolBatch', batch);
  await a.together(4, 'Stop', { last_assistant_message: 'Done.' });
  await a.together(4, 'SessionEnd', { reason: 'other' });

  const events = eventsOf(host, 'a');
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect(
    Object.fromEntries([...new Set(events.map(({ type }) => type))].map((type) => [type, count(type)])),
  ).toEqual({
    SessionStarted: 1,
    ContextThresholdReached: 2,
    AgentCompleted: 1,
    CheckpointCreated: 4,
    CompactionDetected: 1,
    AlertLeased: 1,
    AlertDelivered: 1,
    SessionEnded: 1,
  });
  expect(events.every(({ session }) => session === 'a')).toBe(true);
  expect(events.find((event) => event.type === 'CompactionDetected')).toMatchObject({
    epoch: 1,
    trigger: 'auto',
    tokens: 150_000,
  });
  expect(events.find((event) => event.type === 'ContextThresholdReached')).toMatchObject({
    tier: 'WARNING',
    tokens: 120_000,
    window: 200_000,
    fill: 0.6,
    epoch: 0,
  });
  expect(events.find((event) => event.type === 'AlertDelivered')).toMatchObject({
    status: 'delivered',
    epoch: 1,
  });
  expect(events.filter((event) => event.type === 'CheckpointCreated').map((event) => event.trigger)).toEqual([
    'tier-rise',
    'tier-rise',
    'auto',
    'session-end',
  ]);
  expect(events.find(({ type }) => type === 'SessionEnded')).toMatchObject({ reason: 'other' });
  expect(failuresOf(host)).toEqual([]);
});

test('an alert without a trace is repeated, and its end is noted', () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  a.write(injection('<x/>'), request('go'), answer(150_000));
  a.fire('UserPromptSubmit');
  a.fire('PreCompact', compact);
  a.fire('SessionStart', { source: 'compact' });
  a.write(boundary(), summary());
  for (let number = 3; number < 7; number++) {
    a.write(answer(30_000 + number, { id: `msg_${number}` }));
    a.fire('PostToolBatch', batch);
  }
  const about = eventsOf(host, 'a').filter(({ type }) => type.startsWith('Alert'));
  expect(about.map((event) => [event.type, 'tries' in event ? event.tries : 1])).toEqual([
    ['AlertLeased', 1],
    ['AlertRepeated', 2],
    ['AlertRepeated', 3],
    ['AlertDelivered', 3],
  ]);
  expect(about.at(-1)).toMatchObject({ status: 'undelivered' });
});

describe('a session', () => {
  test('has no log by a start that nothing follows', () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(logOf(host, 'a'))).toBe(false);
  });

  test('is resumed by its own start, and by a prompt after an end', async () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.write(request('go'), answer(30_000));
    a.fire('SessionEnd', { reason: 'other' });
    await a.together(4, 'SessionStart', { source: 'resume' });
    a.fire('UserPromptSubmit');
    a.fire('SessionEnd', { reason: 'other' });
    await a.together(4, 'UserPromptSubmit');
    const again = ['SessionResumed', 'SessionEnded', 'SessionResumed'];
    expect(typesOf(host, 'a')).toEqual(['SessionStarted', 'SessionEnded', ...again]);
    expect(a.state()).toMatchObject({ ended: null });
    expect(failuresOf(host)).toEqual([]);
  });

  test('that is handed the work of another one has a log of its own, and the other one says where it went on', async () => {
    const host = newHost();
    const [a, b] = ['a', 'b'].map((id) => talk(host, id));
    if (!a || !b) throw new Error('two');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.write(request('go'), toolUse('t1', 'Write', { file_path: 'a.ts', content: 'x' }));
    await a.kill();
    expect(b.fire('SessionStart', { source: 'startup' }).context).toContain('ended without saying so');
    await b.together(4, 'UserPromptSubmit');
    expect(typesOf(host, 'a')).toEqual(['SessionStarted']);
    expect(typesOf(host, 'b')).toEqual(['SessionStarted']);
    expect(a.state()).toMatchObject({ resumed_by: { session_id: 'b', status: 'taken' } });
    expect(failuresOf(host)).toEqual([]);
  });

  test('that is a fork says so', () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    const b = talk(host, 'b');
    b.fire('SessionStart', { source: 'fork' });
    b.fire('UserPromptSubmit');
    expect(eventsOf(host, 'b')).toMatchObject([{ type: 'SessionStarted', session: 'b', forked: true }]);
    expect(eventsOf(host, 'a')).toMatchObject([{ type: 'SessionStarted', forked: false }]);
  });

  test.each([
    ['compaction', 'the context was compacted'],
    ['emergency', 'the context usage reached EMERGENCY'],
  ])('is dropped by abandon_on = "%s" until the next prompt, and its alert still comes', (on, reason) => {
    const host = newHost({ files: { [MINE]: `[session]\nabandon_on = "${on}"\n` } });
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.write(request('go'), answer(150_000));
    a.fire('PostToolBatch', batch);
    a.fire('PreCompact', compact);
    expect(a.fire('SessionStart', { source: 'compact' }).context).toContain('<compaction-alert>');
    a.write(boundary(), summary(), answer(30_000, { id: 'msg_2' }));
    a.fire('PostToolBatch', batch);
    const types = typesOf(host, 'a');
    const drops = eventsOf(host, 'a').filter(({ type }) => type === 'SessionAbandoned');
    expect(drops).toMatchObject([{ reason, cause: on }]);
    const before = on === 'compaction' ? 'CompactionDetected' : 'ContextThresholdReached';
    expect(types.indexOf('SessionAbandoned')).toBeGreaterThan(types.indexOf(before));
    expect(types).not.toContain('SessionResumed');
    expect(a.state()).toMatchObject({ dropped: { reason, cause: on } });
    a.fire('UserPromptSubmit');
    a.fire('UserPromptSubmit');
    expect(typesOf(host, 'a').filter((type) => type === 'SessionResumed')).toHaveLength(1);
    expect(a.state()).toMatchObject({ dropped: null });
  });
});

test('where no event can be written nothing else is lost, and not every prompt tries again', () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  mkdirSync(logOf(host, 'a'));
  a.write(request('go'), answer(120_000));
  expect(a.fire('UserPromptSubmit').context).toContain('CONTEXT STATUS: WARNING');
  const failed = failuresOf(host).length;
  expect(failed).toBe(1);
  for (let time = 0; time < 3; time++) a.fire('UserPromptSubmit');
  expect(failuresOf(host)).toHaveLength(failed);
  expect(readdirSync(host.state('checkpoints'))).toHaveLength(1);
  rmdirSync(logOf(host, 'a'));
  a.write(answer(150_000, { id: 'msg_2' }));
  a.fire('PostToolBatch', batch);
  expect(typesOf(host, 'a')).toEqual(['SessionStarted', 'CheckpointCreated', 'ContextThresholdReached']);
});

test('a long session ends like a short one', () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  a.fire('UserPromptSubmit');
  const [first] = eventsOf(host, 'a');
  const agent = { ...first, type: 'AgentCompleted', agent: 'x'.repeat(200), agent_type: 'y' };
  const lines = Array.from({ length: 600 }, (_, index) => JSON.stringify({ ...agent, id: `agent:${index}` }));
  appendFileSync(logOf(host, 'a'), `${lines.join('\n')}\n`);
  a.fire('SubagentStop', { agent_id: 'sub', agent_type: 'Explore' });
  a.fire('SessionEnd', { reason: 'other' });
  expect(eventsOf(host, 'a').slice(-2)).toMatchObject([
    { type: 'AgentCompleted', agent: 'sub' },
    { type: 'SessionEnded', reason: 'other' },
  ]);
});
