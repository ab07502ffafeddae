import { describe, expect, test } from 'vitest';
import { changeLine, listHookChanges } from './hook-changes.ts';
import { findHookProgram, isOurHook, listRegistrations, type Registration } from './hooks.ts';

const wanted = (more: Partial<Parameters<typeof listRegistrations>[0]> = {}): Registration[] =>
  listRegistrations({
    clientVersion: '2.1.332',
    bundle: '/data/plimsoll/current/hook.cjs',
    node: '/usr/bin/node',
    windows: false,
    isShared: false,
    ...more,
  });
const lines = (installed: Registration[], want = wanted()): string[] =>
  listHookChanges(installed, want).map(changeLine);

describe('listHookChanges()', () => {
  test('finds nothing to change in the wanted set, in any order', () => {
    expect(lines(wanted())).toEqual([]);
    expect(lines(wanted().reverse())).toEqual([]);
  });

  test('adds all where there is nothing', () => {
    expect(lines([])).toEqual([
      '+ UserPromptSubmit, at most 5 s',
      '+ PostToolBatch, at most 5 s',
      '+ PreCompact, at most 10 s',
      '+ SessionStart, at most 10 s',
      '+ Stop, at most 5 s',
      '+ SubagentStop, at most 5 s',
      '+ SessionEnd, at most 1 s',
    ]);
  });

  test('names every difference of one hook, and only those', () => {
    const old = wanted({ node: '/old/node', bundle: '/elsewhere/plimsoll/current/hook.cjs' })
      .filter((each) => each.event === 'Stop')
      .map((each) => ({ ...each, matcher: 'x', timeout: 9 }));
    const rest = wanted().filter((each) => each.event !== 'Stop');
    expect(lines([...rest, ...old])).toEqual([
      '~ Stop, matcher "x" → every, at most 9 s → 5 s, node /old/node → /usr/bin/node, bundle /elsewhere/plimsoll/current/hook.cjs → /data/plimsoll/current/hook.cjs',
    ]);
  });

  test('keeps the copy that is right, and takes the other out', () => {
    const stale = wanted()
      .filter((each) => each.event === 'Stop')
      .map((each) => ({ ...each, timeout: 60 }));
    expect(lines([...stale, ...wanted()])).toEqual(['- Stop, a second copy']);
  });

  test('takes out what is not asked for any more', () => {
    expect(lines([...wanted(), { event: 'Notification', command: 'x', timeout: 5 }])).toEqual([
      '- Notification, not asked for any more',
    ]);
  });
});

describe('findHookProgram()', () => {
  const names = ['/usr/bin/node', "/home/o'neil/my node", '/a b/ä;c/node'];
  test.each(names)('finds the Node %s in a command of ours, and the bundle', (node) => {
    const [hook] = wanted({ node, bundle: '/d/plimsoll/current/hook.cjs' });
    expect(hook && findHookProgram(hook)).toEqual({ bundle: '/d/plimsoll/current/hook.cjs', node });
  });

  test.each([
    ['what a team shares', wanted({ isShared: true })[0]],
    [
      'a command of another form',
      { event: 'Stop', command: 'node /x/plimsoll/current/hook.cjs', timeout: 1 },
    ],
  ])('finds none in %s', (_name, hook) => {
    expect(hook && findHookProgram(hook)).toEqual({ bundle: null, node: null });
  });

  test('finds both in a command without a shell', () => {
    const [own] = wanted({ windows: true, node: 'C:\\node.exe', bundle: 'C:\\plimsoll\\current\\hook.cjs' });
    expect(own && findHookProgram(own)).toEqual({
      bundle: 'C:\\plimsoll\\current\\hook.cjs',
      node: 'C:\\node.exe',
    });
    expect(own && isOurHook(own)).toBe(true);
  });
});

test('where the client is not found, the hook that is installed stays', () => {
  const events = (installed: Registration[]): string[] =>
    wanted({ clientVersion: null, installed }).map((each) => each.event);
  expect(events([])).toContain('PostToolUse');
  expect(events(wanted())).toContain('PostToolBatch');
  expect(events(wanted({ clientVersion: '2.0.0' }))).toContain('PostToolUse');
});
