import { describe, expect, test } from 'vitest';
import { draft, orchestration, state } from '../../test/unit/drafts.ts';
import { isActive } from '../compaction/workflow/workflow.ts';
import type { HandoffSettings, HandoffStep, Unfinished } from './decide-handoff.ts';
import { decideHandoff, findUnfinished, isHeadless, isUnderWay } from './decide-handoff.ts';

const MINUTE = 60_000;
const ended = { at: '2026-11-28T08:00:00.000Z', reason: 'other' };

describe('isUnderWay()', () => {
  test.each<[string, object | null, number, boolean | null, boolean]>([
    ['its process runs', null, 300, true, true],
    ['its process is gone a moment ago', null, 0, false, false],
    ['its process is unknown and it spoke 29 minutes ago', null, 29, null, true],
    ['its process is unknown and it spoke 30 minutes ago', null, 30, null, false],
    ['its end came, though the client runs on (/clear)', ended, 0, true, false],
  ])('where %s', (_, end, minutes, isRunning, expected) => {
    const now = 1e12;
    const state = { ended: end as typeof ended | null };
    expect(isUnderWay(state, { at: now - minutes * MINUTE, now, isRunning })).toBe(expected);
  });
});

describe('unfinishedBecause()', () => {
  const task = { id: null, subject: 'x', status: 'pending' as const, active: null };
  test.each<[string, object | null, Parameters<typeof draft>[0], Unfinished[]]>([
    ['nothing is open', ended, { work: { requests: ['Go'] } }, []],
    ['tasks are open', ended, { work: { tasks: [task] } }, ['tasks']],
    ['all tasks are done', ended, { work: { tasks: [{ ...task, status: 'completed' }] } }, []],
    ['the turn is open', ended, { work: { turn_open: true } }, ['interrupted']],
    ['it ended without a word', null, {}, ['died']],
    ['a workflow is active', ended, { orchestration: orchestration() }, ['workflow']],
    [
      'an active workflow has not been touched for more than a day',
      ended,
      { orchestration: orchestration({ state: state({ updated_at: '2026-11-27T07:59:00Z' }) }) },
      [],
    ],
    [
      'it has not, but was written in the session',
      ended,
      {
        orchestration: orchestration({
          state: state({
            updated_at: '2026-11-26T10:00:00Z',
            section: {
              file_changed_at: null,
              session_since: '2026-11-26T09:00:00Z',
              phase_since: null,
            },
          }),
        }),
      },
      ['workflow'],
    ],
    [
      'it has not, and tasks are open',
      ended,
      {
        work: { tasks: [task] },
        orchestration: orchestration({ state: state({ updated_at: '2026-11-20' }) }),
      },
      ['tasks'],
    ],
    [
      'an active workflow does not say when it was written',
      ended,
      { orchestration: orchestration({ state: state({ updated_at: null }) }) },
      ['workflow'],
    ],
    [
      'a workflow is complete',
      ended,
      { orchestration: orchestration({ state: state({ workflow_status: 'COMPLETE' }) }) },
      [],
    ],
  ])('where %s', (_, end, options, expected) => {
    expect(
      findUnfinished(
        { ended: end as typeof ended | null },
        draft(options),
        Date.parse('2026-11-28T08:00:00Z'),
      ),
    ).toEqual(expected);
  });
});

describe('resumeStep()', () => {
  const settings = (more: Partial<HandoffSettings>): HandoffSettings => ({
    auto: 'unfinished',
    headless: false,
    maxAgeHours: 72,
    ...more,
  });
  const person = { source: 'startup', isHeadless: false } as const;
  const clear = { source: 'clear', isHeadless: false } as const;
  const run = { source: 'startup', isHeadless: true } as const;
  test.each<
    [string, Partial<HandoffSettings>, typeof person | typeof clear | typeof run, Unfinished[], HandoffStep]
  >([
    ['a start after unfinished work', {}, person, ['tasks'], 'context'],
    ['a start after finished work', {}, person, [], 'pointer'],
    ['/clear after unfinished work', {}, clear, ['tasks', 'interrupted'], 'pointer'],
    ['/clear in an active workflow', {}, clear, ['workflow'], 'context'],
    ['a headless run after unfinished work', {}, run, ['tasks'], 'pointer'],
    ['a headless run that may', { headless: true }, run, ['tasks'], 'context'],
    ['a start with "always"', { auto: 'always' }, person, [], 'context'],
    ['/clear with "always"', { auto: 'always' }, clear, [], 'context'],
    ['a headless run with "always"', { auto: 'always' }, run, ['tasks'], 'pointer'],
    ['a start with "pointer"', { auto: 'pointer' }, person, ['workflow'], 'pointer'],
    ['a start with "off"', { auto: 'off' }, person, ['workflow'], 'nothing'],
  ])('for %s', (_, more, start, because, expected) => {
    expect(decideHandoff(settings(more), start, because)).toBe(expected);
  });
});

test.each([
  ['ACTIVE', true],
  ['active', true],
  ['IN_PROGRESS', true],
  ['in progress', true],
  ['COMPLETE', false],
  ['INACTIVE', false],
  [null, false],
])('isActive(%j) is %s', (status, expected) => {
  expect(isActive(status)).toBe(expected);
});

test.each([
  ['sdk-cli', true],
  ['sdk-ts', true],
  ['cli', false],
  ['claude-vscode', false],
  [null, false],
])('isHeadless(%j) is %s', (entrypoint, expected) => {
  expect(isHeadless(entrypoint)).toBe(expected);
});
