// Tests that every event is logged exactly once, by the hook that made it true, also when hooks run in parallel.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { answer, boundary, injection, request, summary, toolUse } from '../unit/lines.ts';
import { failuresOf } from './calls.ts';
import { type Host, MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

const eventsOf = (host: Host, stream: string): LoggedEvent[] =>
  readFileSync(host.state('events', `${stream}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent);
const typesOf = (host: Host, stream: string): string[] => eventsOf(host, stream).map((event) => event.type);
const streams = (host: Host): string[] =>
  existsSync(host.state('events')) ? readdirSync(host.state('events')).sort() : [];
const compact = { trigger: 'auto', custom_instructions: null };
const batch = { tool_calls: [] };

test('a whole conversation, every hook four times at once: every event once, in places 1 to n', async () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  expect(streams(host)).toEqual([]);
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
  expect(events.map((event) => event.version)).toEqual(events.map((_, index) => index + 1));
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
    SessionCompleted: 1,
  });
  expect(events.find((event) => event.type === 'CompactionDetected')).toMatchObject({
    conversation: 'a',
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
  expect(events.find((event) => event.type === 'SessionCompleted')).toMatchObject({
    reason: 'other',
    cause: 'conversation',
  });
  expect(a.state()).toMatchObject({ session: 'a', session_open: false });
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
  test('is not begun by a start that nothing follows', () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('SessionEnd', { reason: 'other' });
    expect(streams(host)).toEqual([]);
    expect(a.state()).toMatchObject({ session: null });
  });

  test('goes on when its conversation is resumed, and only when something follows', () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.fire('SessionEnd', { reason: 'other' });
    a.fire('SessionStart', { source: 'resume' });
    a.fire('SessionEnd', { reason: 'other' });
    expect(typesOf(host, 'a')).toEqual(['SessionStarted', 'SessionCompleted']);
    a.write(request('go'), answer(30_000));
    a.fire('SessionStart', { source: 'resume' });
    a.fire('UserPromptSubmit');
    a.fire('UserPromptSubmit');
    expect(typesOf(host, 'a')).toEqual(['SessionStarted', 'SessionCompleted', 'SessionLinked']);
    expect(eventsOf(host, 'a').at(-1)).toMatchObject({ conversation: 'a', from: null, reopened: true });
    expect(a.state()).toMatchObject({ session: 'a', session_open: true });
  });

  test('that nothing ended is given up by the next one that begins', async () => {
    const host = newHost({ files: { [MINE]: '[resume]\nauto = "off"\n' } });
    const [a, b, c] = ['a', 'b', 'c'].map((id) => talk(host, id));
    if (!a || !b || !c) throw new Error('three');
    for (const each of [a, b]) {
      each.fire('SessionStart', { source: 'startup' });
      each.fire('UserPromptSubmit');
    }
    await a.kill();
    c.fire('SessionStart', { source: 'startup' });
    expect(typesOf(host, 'a')).toEqual(['SessionStarted']);
    c.fire('UserPromptSubmit');
    expect(eventsOf(host, 'a').at(-1)).toMatchObject({
      type: 'SessionAbandoned',
      reason: 'died without an end',
      cause: 'died',
    });
    expect(typesOf(host, 'b')).toEqual(['SessionStarted']);
    expect(a.state()).toMatchObject({ session_open: false });
  });

  test('of a conversation that is taken over goes on in the one that takes it, and ends with the last of them', async () => {
    const host = newHost();
    const [a, b] = ['a', 'b'].map((id) => talk(host, id));
    if (!a || !b) throw new Error('two');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.write(request('go'), toolUse('t1', 'Write', { file_path: 'a.ts', content: 'x' }));
    await a.kill();
    expect(b.fire('SessionStart', { source: 'startup' }).context).toContain('ended without saying so');
    await b.together(4, 'UserPromptSubmit');
    expect(streams(host)).toEqual(['a.jsonl']);
    expect(eventsOf(host, 'a').slice(1)).toMatchObject([
      { type: 'SessionLinked', conversation: 'b', from: 'a', reopened: false },
    ]);
    expect(b.state()).toMatchObject({ session: 'a', session_open: true });
    expect(a.state()).toMatchObject({ session_open: false });
    // The one that was taken over is opened again, and goes on beside the other.
    const again = talk(host, 'a');
    again.fire('SessionStart', { source: 'resume' });
    again.fire('UserPromptSubmit');
    b.fire('SessionEnd', { reason: 'other' });
    expect(typesOf(host, 'a')).not.toContain('SessionCompleted');
    again.fire('SessionEnd', { reason: 'other' });
    expect(typesOf(host, 'a').filter((type) => type === 'SessionCompleted')).toHaveLength(1);
    expect(failuresOf(host)).toEqual([]);
  });

  test('of a fork is one of its own', () => {
    const host = newHost();
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    const b = talk(host, 'b');
    b.fire('SessionStart', { source: 'fork' });
    b.fire('UserPromptSubmit');
    expect(eventsOf(host, 'b')).toMatchObject([{ type: 'SessionStarted', conversation: 'b', forked: true }]);
    expect(eventsOf(host, 'a')).toMatchObject([{ type: 'SessionStarted', forked: false }]);
  });

  test.each([
    ['compaction', 'the context was compacted'],
    ['emergency', 'the context usage reached EMERGENCY'],
  ])('is given up by abandon_on = "%s", and work that follows is another one', (on, reason) => {
    const host = newHost({ files: { [MINE]: `[session]\nabandon_on = "${on}"\n` } });
    const a = talk(host, 'a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    a.write(request('go'), answer(150_000));
    a.fire('PostToolBatch', batch);
    a.fire('PreCompact', compact);
    a.fire('SessionStart', { source: 'compact' });
    a.write(boundary(), summary(), answer(30_000, { id: 'msg_2' }));
    a.fire('PostToolBatch', batch);
    const first = eventsOf(host, 'a');
    expect(first.at(-1)).toMatchObject({ type: 'SessionAbandoned', reason, cause: on });
    const compactions = on === 'compaction' ? 1 : 0;
    expect(typesOf(host, 'a').filter((type) => type === 'CompactionDetected')).toHaveLength(compactions);
    expect(typesOf(host, 'a~2').filter((type) => type === 'CompactionDetected')).toHaveLength(
      1 - compactions,
    );
    expect(first.filter(({ type }) => type === 'SessionAbandoned')).toHaveLength(1);
    expect(eventsOf(host, 'a~2')[0]).toMatchObject({
      type: 'SessionStarted',
      conversation: 'a',
      previous: 'a',
    });
    expect(a.state()).toMatchObject({ session: 'a~2', session_open: true });
    expect(streams(host)).toEqual(['a.jsonl', 'a~2.jsonl']);
  });
});

test('where no event can be written nothing else is lost, and not every prompt tries again', () => {
  const host = newHost();
  const a = talk(host, 'a');
  a.fire('SessionStart', { source: 'startup' });
  writeFileSync(host.state('events'), 'in the way');
  a.write(request('go'), answer(120_000));
  expect(a.fire('UserPromptSubmit').context).toContain('CONTEXT STATUS: WARNING');
  const failed = failuresOf(host).length;
  expect(failed).toBe(1);
  for (let time = 0; time < 3; time++) a.fire('UserPromptSubmit');
  expect(failuresOf(host)).toHaveLength(failed);
  expect(readdirSync(host.state('checkpoints'))).toHaveLength(1);
  rmSync(host.state('events'));
  mkdirSync(host.state('events'));
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
  const lines = Array.from({ length: 600 }, (_, index) => JSON.stringify({ ...agent, version: index + 2 }));
  appendFileSync(host.state('events', 'a.jsonl'), `${lines.join('\n')}\n`);
  a.fire('SubagentStop', { agent_id: 'sub', agent_type: 'Explore' });
  a.fire('SessionEnd', { reason: 'other' });
  expect(eventsOf(host, 'a').slice(-2)).toMatchObject([
    { type: 'AgentCompleted', version: 602 },
    { type: 'SessionCompleted', version: 603 },
  ]);
});
