import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, deadPid, program, start, together } from '../../test/unit/programs.ts';
import { temporaryProject } from '../../test/unit/temporary.ts';
import { isAlive } from '../platform/process.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { takeClaim } from './claim.io.ts';

const never = (): boolean => false;

/** A project of its own with a folder of claims. */
function claims(): ProjectPaths & { root: string } {
  const paths = temporaryProject();
  mkdirSync(paths.session('s').claims, { recursive: true });
  return { ...paths, root: paths.root ?? '' };
}

/** A claim as another process left it, so many milliseconds ago. */
function claimOf(paths: ProjectPaths, name: string, pid: number | string, age: number, now: number): void {
  const path = join(paths.session('s').claims, name);
  writeFileSync(path, `${pid} 2026-11-27T10:00:00.000Z\n`);
  utimesSync(path, (now - age) / 1_000, (now - age) / 1_000);
}

const contender = (): string =>
  program(`
    import { takeClaim } from './hook/claim.io.ts';
    import { listProjectPaths } from './platform/project/paths.ts';
    ${AT_THE_MOMENT}
    console.log(takeClaim(listProjectPaths(args[0], { HOME: args[0] + '.home' }), 's', 'alert', Date.now(), () => false) ? 'won' : 'lost');
    setTimeout(() => {}, 1200); // the winner lives while the others try
  `);

describe('takeClaim()', () => {
  test('gives a free claim, once', () => {
    const paths = temporaryProject();
    const now = Date.now();
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(true);
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(false);
    expect(takeClaim(paths, 's', 'other', now, never)).toBe(true);
    expect(takeClaim(paths, 'another session', 'alert', now, never)).toBe(true);
  });

  test('has one winner among 16 processes', async () => {
    const paths = claims();
    const ended = await together(contender(), 16, [paths.root]);
    expect(ended.filter((each) => each.stdout.trim() === 'won')).toHaveLength(1);
    expect(readdirSync(paths.session('s').claims)).toEqual(['alert']);
  });

  test('has one winner among 8 processes that take over from a dead one', async () => {
    const paths = claims();
    const now = Date.now();
    claimOf(paths, 'alert', await deadPid(), 0, now);
    const ended = await together(contender(), 8, [paths.root]);
    expect(ended.filter((each) => each.stdout.trim() === 'won')).toHaveLength(1);
    expect(readdirSync(paths.session('s').claims).sort()).toEqual(['alert', 'alert~1']);
  });

  test('takes over from a dead holder at once', async () => {
    const paths = claims();
    const now = Date.now();
    claimOf(paths, 'alert', await deadPid(), 10, now);
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(true);
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(false);
  });

  test('takes over from a living holder after 2 seconds, not before', () => {
    const paths = claims();
    const now = Date.now();
    const { pid } = start('-e', ['setTimeout(() => {}, 60000)']);
    claimOf(paths, 'alert', pid, 1_900, now);
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(false);
    expect(takeClaim(paths, 's', 'alert', now + 200, never)).toBe(true);
  });

  test.each([
    ['dead', 10],
    ['living', 5_000],
  ])("does not take a %s holder's claim again once the thing was said", async (kind, age) => {
    const paths = claims();
    const now = Date.now();
    claimOf(paths, 'alert', kind === 'dead' ? await deadPid() : process.pid, age, now);
    expect(takeClaim(paths, 's', 'alert', now, () => true)).toBe(false);
    expect(readdirSync(paths.session('s').claims)).toEqual(['alert']);
  });

  test('goes on from taker to taker', async () => {
    const paths = claims();
    const now = Date.now();
    const dead = await deadPid();
    for (const name of ['alert', 'alert~1', 'alert~2']) claimOf(paths, name, dead, 0, now);
    expect(takeClaim(paths, 's', 'alert', now, never)).toBe(true);
    expect(readdirSync(paths.session('s').claims)).toContain('alert~3');
  });

  test.each([['' as string], ['nonsense'], ['-5'], ['0']])(
    'takes over a claim whose holder reads "%s"',
    (pid) => {
      const paths = claims();
      const now = Date.now();
      claimOf(paths, 'alert', pid, 0, now);
      expect(takeClaim(paths, 's', 'alert', now, never)).toBe(true);
    },
  );

  test('stays in its folder, whatever the name', () => {
    const paths = temporaryProject();
    for (const name of ['../../escape', '/etc/x', 'a/b', '..', 'nul', 'x'.repeat(500)]) {
      expect(takeClaim(paths, 's', name, Date.now(), never)).toBe(true);
    }
    expect(readdirSync(paths.session('s').claims)).toHaveLength(6);
    expect(readdirSync(paths.session('s').folder)).toEqual(['claims']);
    expect(readdirSync(paths.state).sort()).toEqual(['.gitignore', 'sessions']);
  });
});

describe('isAlive()', () => {
  test('tells living processes from dead ones', async () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(1)).toBe(true);
    expect(isAlive(await deadPid())).toBe(false);
  });
});
