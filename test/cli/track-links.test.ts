// Tests that no track command reads or writes through a link that leads out of the project.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Host } from '../hooks/host.ts';
import { newHost } from '../hooks/host.ts';
import { READY, TRACK } from '../unit/tracks.ts';
import { run } from './healthy.ts';

const SECRET = 'words of somebody else';
/** File, why, and the next step. */
const SAYS = (name: string): RegExp =>
  new RegExp(
    `A link leads out of the project: ${name} is ".*outside.*"(?:\\n {2}Next|): put a file or folder of the project in place of the link`,
  );

/** Moves what lies at a path out of the project, and puts a link in its place. */
function leadOut(host: Host, name: string): string {
  const outside = path.join(host.root, 'outside');
  const link = path.join(host.project, name);
  mkdirSync(path.dirname(link), { recursive: true });
  if (existsSync(link)) renameSync(link, outside);
  symlinkSync(outside, link);
  return outside;
}

/** Every file below a folder with its text; or the text of a file. */
function contentOf(at: string): unknown {
  if (!existsSync(at)) return null;
  try {
    return readFileSync(at, 'utf8');
  } catch {
    return Object.fromEntries(readdirSync(at).map((name) => [name, contentOf(path.join(at, name))]));
  }
}

const FILES = {
  ...READY,
  [`${TRACK}/PLAN.md`]: `${READY[`${TRACK}/PLAN.md`]}- [ ] Task: ${SECRET}\n`,
  [`${TRACK}/CLOSED`]: `${SECRET}\n`,
  'artifacts/checkpoints/cache/latest.json': '{}',
};

describe.each<[string, string[][]]>([
  [
    'docs/tracks',
    [
      ['track', 'new', 'net'],
      ['track', 'list'],
      ['track', 'activate', 'cache'],
      ['track', 'close', 'cache'],
    ],
  ],
  [
    TRACK,
    [
      ['track', 'new', 'cache'],
      ['track', 'activate', 'cache', '--reopen'],
      ['track', 'close', 'cache'],
      ['track', 'show', 'cache'],
      ['track', 'show'],
      ['track', 'lint', 'cache'],
      ['track', 'lint'],
      ['track', 'verify', 'cache'],
      ['track', 'show', 'cache', '--full'],
      ['note', 'task', 'x', '--track', 'cache'],
      ['track', 'sync', 'cache'],
    ],
  ],
  [
    `${TRACK}/PLAN.md`,
    [
      ['track', 'new', 'cache'],
      ['track', 'show'],
      ['track', 'lint'],
      ['track', 'verify'],
      ['track', 'show', '--full'],
    ],
  ],
  [
    `${TRACK}/CLOSED`,
    [
      ['track', 'activate', 'cache', '--reopen'],
      ['track', 'close', 'cache'],
    ],
  ],
  [
    'docs/tracks/ACTIVE_TRACK',
    [
      ['track', 'show'],
      ['track', 'lint'],
      ['track', 'show', '--full'],
      ['track', 'sync'],
      ['note', 'task', 'x'],
    ],
  ],
  [
    'artifacts/checkpoints/cache/latest.json',
    [
      ['track', 'show', '--full'],
      ['track', 'verify'],
    ],
  ],
])('where %s leads out', (name, commands) => {
  test.each(commands.map((args) => [args.join(' '), args] as const))('plimsoll %s refuses', (_, args) => {
    const host = newHost({ files: FILES });
    const outside = leadOut(host, name);
    const before = contentOf(outside);
    const { code, stdout, stderr } = run(host, ...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(SAYS('[^ ]+'))]);
    expect(stderr).not.toContain(SECRET);
    expect(contentOf(outside)).toEqual(before);
  });
});

test('a list names the track that leads out, and says what it can of the others', () => {
  const host = newHost({ files: { ...FILES, 'docs/tracks/net/PLAN.md': '- [x] Task: a\n' } });
  leadOut(host, `${TRACK}/PLAN.md`);
  const { code, stdout } = run(host, 'track', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/\bcache .*A link leads out of the project: docs\/tracks\/cache\/PLAN\.md is /);
  expect(stdout).toMatch(/\bnet +done +1 of 1/);
  expect(stdout).not.toContain(SECRET);
});

test('a pointer that leads out is told of by its path, never by what stands there, and is put right by activate', () => {
  const host = newHost({ files: { ...READY, 'docs/tracks/ACTIVE_TRACK': `${SECRET}\n` } });
  const outside = leadOut(host, 'docs/tracks/ACTIVE_TRACK');
  expect(run(host, 'track', 'list').stdout).toMatch(SAYS('docs/tracks/ACTIVE_TRACK'));
  expect(run(host, 'status', '--json').stdout).not.toContain(SECRET);
  expect(run(host, 'track', 'activate', 'cache').code).toBe(0);
  expect(readFileSync(outside, 'utf8')).toBe(`${SECRET}\n`);
  expect(run(host, 'track', 'lint').code).toBe(0);
});

test('init --tracks writes nothing where one of its folders leads out', () => {
  const host = newHost();
  mkdirSync(path.join(host.root, 'outside'));
  const outside = leadOut(host, 'docs/context');
  const { code, stderr } = run(host, 'init', '--tracks', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringMatching(SAYS('docs/context'))]);
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(path.join(host.project, '.plimsoll/config.toml'))).toBe(false);
});

test('a link that stays in the project is followed', () => {
  const host = newHost({ files: READY });
  const plan = path.join(host.project, TRACK, 'PLAN.md');
  renameSync(plan, path.join(host.project, 'PLAN.md'));
  symlinkSync('../../../PLAN.md', plan);
  expect(run(host, 'track', 'lint').code).toBe(0);
  rmSync(plan);
  expect(run(host, 'track', 'lint').code).toBe(1);
});

test('what lies beside checkpoints that lead out is neither taken up nor swept away', () => {
  const folder = 'artifacts/checkpoints/cache';
  const host = newHost({
    files: {
      ...READY,
      [`${folder}/latest.json.999999.0.tmp`]: 'half',
    },
  });
  const outside = leadOut(host, folder);
  const before = contentOf(outside);
  const { code, stderr } = run(host, 'track', 'sync');
  expect([code, stderr]).toEqual([1, expect.stringMatching(SAYS(folder))]);
  expect(contentOf(outside)).toEqual(before);
});
