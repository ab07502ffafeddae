// Tests what a hook does with what our module in the client adds to its payload: an alert that was said there, the usage.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GivenAlert } from '../../src/compaction/delivery.ts';
import { answer, boundary, injection, request, summary } from '../unit/lines.ts';
import { type Host, newHost, SESSION, sessionOf } from './host.ts';

const ALERT = '<compaction-alert>\nCOMPACTION EVENT: 1 of 1 this session\ncx-001-checkpoint.json\n';

/** A session that was compacted, and what the client's own process has said of it. */
function compacted(host: Host): GivenAlert {
  host.append(request('task BETA'), answer(150_000));
  host.fire('UserPromptSubmit');
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  const offset = sessionOf(host).pending_compaction?.offset ?? -1;
  return {
    session: SESSION,
    alert: {
      ...{ epoch: 1, checkpoint: 'cx-001', channel: 'SessionStart', tries: 1, offset },
      at: new Date().toISOString(),
    },
    unflushed: { epoch: 1, offset, at: Date.now() },
  };
}
const arrive = (host: Host, ...said: string[]): void =>
  host.append(boundary(), summary(), ...said.map((each) => injection(each)), answer(30_000, { id: 'm2' }));
const afterTool = (host: Host, alert: unknown): string =>
  host.fire('PostToolBatch', { tool_calls: [], plimsoll: { alert } }).context;
const eventsOf = (host: Host): { type: string; tokens?: number }[] =>
  readFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('the end of a turn notes an alert that was said there, with all that the transcript tells', () => {
  const host = newHost();
  const given = compacted(host);
  arrive(host, ALERT);
  host.fire('Stop', { plimsoll: { alert: given } });
  expect(sessionOf(host)).toMatchObject({
    ...{ epoch: 1, pending_compaction: null, compaction_not_in_transcript: null },
    ...{ alert: { status: 'delivered' }, transcript_position: { boundaries: 1 } },
  });
  expect(
    eventsOf(host)
      .slice(-3)
      .map(({ type }) => type),
  ).toEqual(['CompactionDetected', 'AlertLeased', 'AlertDelivered']);
  expect(host.fire('UserPromptSubmit').context).not.toContain('<compaction-alert>');
});

test('an alert that was said there is noted once, seen to have arrived, and not said again', () => {
  const host = newHost();
  const given = compacted(host);
  arrive(host, ALERT);
  for (const each of [given, given, null]) expect(afterTool(host, each)).not.toContain('<compaction-alert>');
  expect(sessionOf(host)).toMatchObject({
    ...{ epoch: 1, pending_compaction: null },
    alert: { status: 'delivered', tries: 1, channel: 'SessionStart' },
  });
  // The usage is that before it, as a hook at the compaction sees it, not the one of its boundary.
  expect(eventsOf(host).slice(-3)).toMatchObject([
    { type: 'CompactionDetected', tokens: 150_000 },
    { type: 'AlertLeased' },
    { type: 'AlertDelivered' },
  ]);
});

test('one that is not in the transcript is said again', () => {
  const host = newHost();
  const given = compacted(host);
  host.append(injection('of another hook of ours'));
  arrive(host);
  expect(afterTool(host, given)).toContain('<compaction-alert>');
  expect(sessionOf(host).alert).toMatchObject({ status: 'leased', tries: 2 });
});

test.each<[string, (given: GivenAlert) => unknown]>([
  ['of another session', (given) => ({ ...given, session: 'another' })],
  ['of odd types', (given) => ({ ...given, alert: { ...given.alert, epoch: '1' } })],
  ['of another compaction', (given) => ({ ...given, alert: { ...given.alert, epoch: 7 } })],
  ['without what it leaves open', ({ unflushed: _, ...rest }) => rest],
  ['that is a text', () => ALERT],
])('one %s is not noted: the alert is said', (_, change) => {
  const host = newHost();
  const given = compacted(host);
  arrive(host);
  expect(afterTool(host, change(given))).toContain('<compaction-alert>');
  expect(sessionOf(host).alert).toMatchObject({ status: 'leased', tries: 1, channel: 'PostToolBatch' });
});

test('its usage counts; it keeps that itself', () => {
  const host = newHost();
  host.append(request('task BETA'), answer(20_000));
  const usage = { v: 1, session: SESSION, from: 'module', at: Date.now(), tokens: 150_000, window: 200_000 };
  const { context } = host.fire('UserPromptSubmit', { plimsoll: { usage, alert: null } });
  expect(context).toContain('Tokens used: 150,000 / 167,000');
  expect(existsSync(host.state('sessions', SESSION, 'module.feed'))).toBe(false);
});

test('the summary of `/compact` gets all facts from it, and one line where the client would show them', () => {
  const host = newHost();
  host.append(request('task BETA'), answer(20_000));
  const manual = { trigger: 'manual', custom_instructions: null };
  expect(host.fire('PreCompact', manual).stdout).toMatch(/^Keep word for word in the summary what the user/);
  expect(host.fire('PreCompact', { ...manual, plimsoll: {} }).stdout).toContain("THE USER'S GOAL: task BETA");
});
