import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Leftover, Liveness, StateInventory, StoredCheckpoint } from './retention.ts';
import { planRetention } from './retention.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ENDED: Liveness = { ended: true, touched: NOW - DAY };
const ALIVE: Liveness = { ...ENDED, ended: false };

const checkpoint = (more: Partial<StoredCheckpoint> = {}): StoredCheckpoint => ({
  state: 'ok',
  at: NOW - DAY,
  isAcknowledged: true,
  life: ENDED,
  ...more,
});

const stock = (more: Partial<StateInventory> = {}): StateInventory => ({
  ids: [],
  checkpoints: {},
  owners: {},
  sessions: [],
  workflows: [],
  leftovers: [],
  ...more,
});

/** The verdict on cx-001, which is not among the newest one. */
function verdictOn(found: StoredCheckpoint | undefined, more: Partial<StateInventory> = {}) {
  const checkpoints = found === undefined ? {} : { 'cx-001': found };
  const [verdict] = planRetention(stock({ ids: ['cx-001', 'cx-002'], checkpoints, ...more }), 1, NOW);
  return verdict;
}

const workflow = (status: string | null, text = 'checkpoints:\n  latest_id: cx-001\n') => ({
  path: '/p/ORCHESTRATION.yaml',
  source: `workflow:\n  id: w\n${text}`,
  status,
});

describe('planRetention(): checkpoints', () => {
  test.each<[string, Partial<StoredCheckpoint>, string]>([
    ['told of, ended', {}, 'its session has ended, and the agent was told of it'],
    [
      'not told of, old, ended',
      { isAcknowledged: false, at: NOW - 31 * DAY },
      'its session has ended, and it is older than 30 days',
    ],
    [
      'of a session without state and transcript',
      { life: { ended: false, touched: null } },
      'its session is gone, and the agent was told of it',
    ],
    [
      'of a session that nobody touched for 30 days',
      { life: { ...ALIVE, touched: NOW - 31 * DAY } },
      'its session was not touched for 30 days, and the agent was told of it',
    ],
    [
      'damaged and old',
      { state: 'damaged', life: null, at: NOW - 31 * DAY },
      'damaged, and older than 30 days',
    ],
  ])('lets one go that is %s', (_, more, reason) => {
    expect(verdictOn(checkpoint(more))).toEqual({ kind: 'checkpoint', name: 'cx-001', goes: true, reason });
  });

  test.each<[string, Partial<StoredCheckpoint>, string]>([
    ['of a session that may go on', { life: ALIVE }, 'its session may go on'],
    [
      'of one that may go on, however old it is',
      { life: ALIVE, at: NOW - 400 * DAY },
      'its session may go on',
    ],
    [
      'not told of and young',
      { isAcknowledged: false },
      'the agent was not told of it, and it is younger than 30 days',
    ],
    [
      'not told of and just not old enough',
      { isAcknowledged: false, at: NOW - 30 * DAY },
      'the agent was not told of it, and it is younger than 30 days',
    ],
    ['damaged and young', { state: 'damaged', life: null }, 'damaged, but younger than 30 days'],
    [
      'of a newer version',
      { state: 'newer', life: null, at: NOW - 400 * DAY },
      'a newer version of Plimsoll wrote it',
    ],
    ['unreadable', { state: 'unreadable', life: null, at: NOW - 400 * DAY }, 'it cannot be read'],
  ])('keeps one that is %s', (_, more, reason) => {
    expect(verdictOn(checkpoint(more))).toEqual({ kind: 'checkpoint', name: 'cx-001', goes: false, reason });
  });

  test('keeps one that was not looked at', () => {
    expect(verdictOn(undefined)).toMatchObject({ goes: false, reason: 'not looked at in this run' });
  });

  test.each<[string, StateInventory['workflows'][number], boolean]>([
    ['active', workflow('ACTIVE'), true],
    ['active, in small letters', workflow('active'), true],
    ['active, with the id in a path', workflow('ACTIVE', 'x: .plimsoll/cx-001-checkpoint.json\n'), true],
    ['of no status', workflow(null), true],
    ['not understood', { path: '/p/ORCHESTRATION.yaml', source: '{ cx-001 }', status: null }, true],
    ['not readable', { path: '/p/ORCHESTRATION.yaml', source: null, status: null }, true],
    ['complete', workflow('COMPLETE'), false],
    ['paused', workflow('PAUSED'), false],
    ['active, naming cx-0011', workflow('ACTIVE', 'checkpoints:\n  latest_id: cx-0011\n'), false],
    ['active, naming xcx-001', workflow('ACTIVE', 'checkpoints:\n  latest_id: xcx-001\n'), false],
    ['active, naming nothing', workflow('ACTIVE', ''), false],
  ])('where a workflow is %s', (_, given, isKept) => {
    const verdict = verdictOn(checkpoint(), { workflows: [given] });
    expect(verdict?.goes).toBe(!isKept);
    if (isKept) expect(verdict?.reason).toContain('/p/ORCHESTRATION.yaml');
  });

  test('keeps a damaged one that an active workflow names', () => {
    const damaged = checkpoint({ state: 'damaged', life: null, at: NOW - 31 * DAY });
    expect(verdictOn(damaged, { workflows: [workflow('ACTIVE')] })?.goes).toBe(false);
  });

  test('never lets go of so many of the newest, and never of the last one', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `cx-${String(index + 1).padStart(3, '0')}`);
    const checkpoints = Object.fromEntries(ids.map((id) => [id, checkpoint()]));
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 20 }), fc.integer({ min: 0, max: 12 }), (keep, count) => {
        const some = ids.slice(0, count);
        const left = planRetention(stock({ ids: some, checkpoints }), keep, NOW).filter((each) => !each.goes);
        expect(left.map((each) => each.name)).toEqual(some.slice(-Math.max(1, keep)));
      }),
    );
  });
});

describe('planRetention(): sessions', () => {
  const old = { folder: '/s/a', isReadable: true, touched: NOW - 91 * DAY };
  const on = (session: StateInventory['sessions'][number], more: Partial<StateInventory> = {}) =>
    planRetention(stock({ sessions: [session], ...more }), 1, NOW).at(-1);

  test('lets one go that nobody touched for 90 days and that has no checkpoint', () => {
    expect(on(old)).toEqual({
      kind: 'session',
      name: '/s/a',
      goes: true,
      reason: 'not touched for 90 days, and no checkpoint of it is left',
    });
    expect(on(old, { ids: ['cx-001'], owners: { 'cx-001': '/s/b' } })?.goes).toBe(true);
    expect(on(old, { ids: ['cx-001'], owners: { 'cx-001': null } })?.goes).toBe(true);
  });

  test.each<[string, StateInventory['sessions'][number], Partial<StateInventory>, string]>([
    ['that is younger', { ...old, touched: NOW - 90 * DAY }, {}, 'touched within 90 days'],
    ['that is not read', { ...old, isReadable: false }, {}, 'this version cannot read it'],
    [
      'with a checkpoint',
      old,
      { ids: ['cx-001'], owners: { 'cx-001': '/s/a' } },
      'a checkpoint of it is left',
    ],
    [
      'where not all checkpoints are known',
      old,
      { ids: ['cx-001'] },
      'not all checkpoints were looked at in this run',
    ],
  ])('keeps one %s', (_, session, more, reason) => {
    expect(on(session, more)).toMatchObject({ goes: false, reason });
  });

  test('goes together with the last checkpoint of its session', () => {
    const more = {
      ids: ['cx-001', 'cx-002'],
      checkpoints: { 'cx-001': checkpoint() },
      owners: { 'cx-001': '/s/a', 'cx-002': '/s/b' },
    };
    expect(on(old, more)?.goes).toBe(true);
  });
});

describe('planRetention(): leftovers', () => {
  test.each<[Leftover, boolean]>([
    [{ kind: 'claim', name: '/c', at: NOW - 25 * HOUR }, true],
    [{ kind: 'claim', name: '/c', at: NOW - 24 * HOUR }, false],
    [{ kind: 'temporary', name: '/t', at: NOW - HOUR - 1 }, true],
    [{ kind: 'temporary', name: '/t', at: NOW - HOUR }, false],
    [{ kind: 'temporary', name: '/t', at: NOW + DAY }, false],
    [{ kind: 'lock', name: '/l', at: NOW - 2 * HOUR, isOwnerAlive: false }, true],
    [{ kind: 'lock', name: '/l', at: NOW - 2 * HOUR, isOwnerAlive: true }, false],
    [{ kind: 'lock', name: '/l', at: NOW - HOUR, isOwnerAlive: false }, false],
    [{ kind: 'marker', name: 'cx-001', at: 0 }, true],
    [{ kind: 'marker', name: 'cx-009', at: 0 }, false],
  ])('%j goes: %s', (leftover, expected) => {
    const [, verdict] = planRetention(stock({ ids: ['cx-002'], leftovers: [leftover] }), 1, NOW);
    expect(verdict).toMatchObject({ kind: leftover.kind, name: leftover.name, goes: expected });
  });

  test('keeps the marker of the only checkpoint that there ever was', () => {
    const leftovers: Leftover[] = [{ kind: 'marker', name: 'cx-001', at: 0 }];
    expect(planRetention(stock({ leftovers }), 1, NOW)[0]?.goes).toBe(false);
  });
});
