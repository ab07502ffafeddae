import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { type DraftOptions, draft, orchestration, state } from '../../../test/unit/drafts.ts';
import { hostileDraft } from '../../../test/unit/hostile.ts';
import type { WorkTask } from '../work.ts';
import { type CheckpointDiff, diffCheckpoints, isEmptyDiff } from './show-diff.command.ts';

const task = (
  subject: string,
  status: WorkTask['status'] = 'pending',
  id: string | null = null,
): WorkTask => ({
  id,
  subject,
  status,
  active: null,
});

const between = (before: DraftOptions, after: DraftOptions): CheckpointDiff =>
  diffCheckpoints(draft(before), draft(after));

const NOTHING: CheckpointDiff = {
  compactions: 0,
  tasks: { finished: [], added: [], changed: [], gone: [] },
  requests: [],
  files_written: [],
  failing_commands: { fixed: [], added: [], unknown: [] },
  workflow: [],
  usage: [],
  git: [],
  dirty_files: { added: [], gone: [] },
};

describe('diffCheckpoints()', () => {
  test.each<[string, WorkTask[], WorkTask[], Partial<CheckpointDiff['tasks']>]>([
    ['finished', [task('a')], [task('a', 'completed')], { finished: [task('a', 'completed')] }],
    ['new and finished already', [], [task('a', 'completed')], { finished: [task('a', 'completed')] }],
    ['new', [task('a')], [task('a'), task('b')], { added: [task('b')] }],
    [
      'begun',
      [task('a')],
      [task('a', 'in_progress')],
      { changed: [{ ...task('a', 'in_progress'), was: 'pending' }] },
    ],
    [
      'opened again',
      [task('a', 'completed')],
      [task('a')],
      { changed: [{ ...task('a'), was: 'completed' }] },
    ],
    ['gone', [task('a'), task('b')], [task('b')], { gone: [task('a')] }],
    ['finished before and gone now', [task('a', 'completed')], [], {}],
    [
      'of the same words and other ids',
      [task('run the tests', 'completed', '1')],
      [task('run the tests', 'pending', '5')],
      { added: [task('run the tests', 'pending', '5')] },
    ],
    ['renamed', [task('a', 'pending', '1')], [task('b', 'pending', '1')], {}],
    [
      'one of two with the same words',
      [task('a'), task('a')],
      [task('a'), task('a', 'completed')],
      { finished: [task('a', 'completed')] },
    ],
    [
      'given an id',
      [task('a')],
      [task('a', 'in_progress', '1')],
      { changed: [{ ...task('a', 'in_progress', '1'), was: 'pending' }] },
    ],
  ])('finds a task that is %s', (_, before, after, expected) => {
    expect(between({ work: { tasks: before } }, { work: { tasks: after } })).toEqual({
      ...NOTHING,
      tasks: { ...NOTHING.tasks, ...expected },
    });
  });

  test('knows tasks of two sessions by their words, since ids begin anew', () => {
    const before = { work: { tasks: [task('a', 'pending', '1'), task('b', 'pending', '2')] } };
    const after = {
      work: { tasks: [task('b', 'completed', '1')] },
      conversation: { session_id: 'session-2' },
    };
    const { tasks, compactions } = between(before, after);
    expect(compactions).toBeNull();
    expect(tasks).toEqual({
      ...NOTHING.tasks,
      finished: [task('b', 'completed', '1')],
      gone: [task('a', 'pending', '1')],
    });
  });

  test.each<[string, string[], string[], string[]]>([
    ['one more', ['a'], ['a', 'b'], ['b']],
    ['a window that has moved on', ['1', '2', '3', '4', '5'], ['3', '4', '5', '6', '7'], ['6', '7']],
    ['the same words once more', ['fix it', 'go on'], ['fix it', 'go on', 'go on'], ['go on']],
    ['nothing in common', ['a', 'b'], ['c', 'd'], ['c', 'd']],
    ['none any more', ['a'], [], []],
  ])('finds new requests: %s', (_, before, after, expected) => {
    expect(between({ work: { requests: before } }, { work: { requests: after } })).toEqual({
      ...NOTHING,
      requests: expected,
    });
  });

  test('finds files that were written since, and not those that an epoch left behind', () => {
    const before = { work: { files_written: ['/a', '/b'] } };
    const after = { work: { files_written: ['/b', '/c'] } };
    expect(between(before, after)).toEqual({ ...NOTHING, files_written: ['/c'] });
  });

  const failing = (...commands: string[]) => commands.map((command) => ({ command, output: 'no' }));

  test.each<[string, DraftOptions, Partial<CheckpointDiff['failing_commands']>]>([
    ['fixed in the same segment', {}, { fixed: failing('a') }],
    ['not known after a compaction', { conversation: { epoch: 1 } }, { unknown: failing('a') }],
    ['not known where not all was read', { work: { truncated: true } }, { unknown: failing('a') }],
    ['not known in another session', { conversation: { session_id: 'x' } }, { unknown: failing('a') }],
  ])('says that a failing command is %s', (_, options, expected) => {
    const after = { ...options, work: { ...options.work, failing_commands: failing('b') } };
    expect(between({ work: { failing_commands: failing('a') } }, after).failing_commands).toEqual({
      fixed: [],
      unknown: [],
      added: failing('b'),
      ...expected,
    });
  });

  test('calls nothing fixed that five newer failures may have pushed out', () => {
    const after = { work: { failing_commands: failing('1', '2', '3', '4', '5') } };
    const { failing_commands } = between({ work: { failing_commands: failing('a', '1') } }, after);
    expect(failing_commands).toEqual({
      fixed: [],
      added: failing('2', '3', '4', '5'),
      unknown: failing('a'),
    });
  });

  test('finds what changed in the workflow, also where there was none', () => {
    const before = { orchestration: orchestration() };
    const after = {
      orchestration: orchestration({
        state: state({
          current_phase: 4,
          current_gate_score: 0,
          current_activity: null,
          updated_at: 'later',
        }),
      }),
    };
    const expected = [
      { of: 'current_phase', from: 3, to: 4 },
      { of: 'current_activity', from: 'qg-2 iteration 2', to: null },
      { of: 'current_gate_score', from: 0.894, to: 0 },
    ];
    expect(between(before, after)).toEqual({ ...NOTHING, workflow: expected });
    expect(between({}, before).workflow).toContainEqual({ of: 'workflow_id', from: null, to: 'flow-1' });
  });

  test('finds what changed in fill and git', () => {
    const git = { branch: 'main', head: 'aaa', dirty_files: ['a', 'b'] };
    const before = { tokens: 100_000, conversation: { git } };
    const after = {
      tokens: 160_000,
      conversation: { git: { branch: 'feature', head: 'aaa', dirty_files: ['b', 'c'] }, epoch: 2 },
    };
    expect(between(before, after)).toEqual({
      ...NOTHING,
      compactions: 2,
      usage: [
        { of: 'estimated_tokens_used', from: 100_000, to: 160_000 },
        { of: 'estimated_fill_before_compaction', from: 0.5, to: 0.8 },
        { of: 'tier', from: 'LOW', to: 'EMERGENCY' },
      ],
      git: [{ of: 'branch', from: 'main', to: 'feature' }],
      dirty_files: { added: ['c'], gone: ['a'] },
    });
  });

  test('says nothing of changed files where git could not', () => {
    const git = { branch: 'main', head: 'aaa', dirty_files: null };
    const known = { ...git, dirty_files: ['a'] };
    expect(between({ conversation: { git } }, { conversation: { git: known } })).toEqual(NOTHING);
    expect(between({ conversation: { git: known } }, { conversation: { git: null } }).dirty_files).toEqual(
      NOTHING.dirty_files,
    );
  });

  test('is empty between any checkpoint and itself', () => {
    const any = fc.boolean().chain(hostileDraft);
    fc.assert(
      fc.property(any, (one) => {
        const diff = diffCheckpoints(one, structuredClone(one));
        expect(diff).toEqual(NOTHING);
        expect(isEmptyDiff(diff)).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  test('names every task of the later checkpoint once at the most, and none of unchanged status', () => {
    const tasks = fc.array(
      fc.record({
        id: fc.option(fc.constantFrom('1', '2', '3')),
        subject: fc.constantFrom('a', 'b', 'c'),
        status: fc.constantFrom('pending', 'in_progress', 'completed' as const),
        active: fc.constant(null),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(tasks, tasks, fc.boolean(), (before, after, isSame) => {
        const session_id = isSame ? 'session-1' : 'session-2';
        const { tasks: found } = between(
          { work: { tasks: before } },
          { work: { tasks: after }, conversation: { session_id } },
        );
        const named = found.finished.length + found.added.length + found.changed.length;
        expect(named).toBeLessThanOrEqual(after.length);
        expect(found.gone.length).toBeLessThanOrEqual(before.length);
        for (const each of found.changed) expect(each.was).not.toBe(each.status);
      }),
    );
  });
});

describe('isEmptyDiff()', () => {
  test.each<[string, DraftOptions]>([
    ['a usage of nothing', { tokens: null }],
    ['an empty request', { work: { requests: [''] } }],
    ['a compaction', { conversation: { epoch: 1 } }],
  ])('sees %s', (_, after) => {
    expect(isEmptyDiff(between({}, after))).toBe(false);
  });
});
