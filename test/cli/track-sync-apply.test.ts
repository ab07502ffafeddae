// Tests that every file of a compaction is whole and the next one completes it, even if the process dies, the disk fills
// or others write.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Host } from '../hooks/host.ts';
import { moments } from '../kit/effort.ts';
import { CLI } from '../kit/plimsoll.ts';
import { compact, compactCut, FOLDER, filesIn, LOG, outputsIn, read, trackHost, write } from './tracks.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';

/** What there is before, and once all is done. */
function ends() {
  const host = trackHost();
  const before = outputsIn(host);
  expect(compact(host).code).toBe(0);
  return { before, after: outputsIn(host) };
}

/** Every file of the project that is as it was, or as it is to be; without what is only there while files are written. */
function expectWhole(at: number, host: Host, { before, after }: ReturnType<typeof ends>): void {
  for (const [name, text] of Object.entries(outputsIn(host))) {
    if (/\.(?:tmp|take)$/.test(name)) continue;
    expect([at, name, text === before[name] || text === after[name]]).toEqual([at, name, true]);
  }
}

test('wherever it dies, every file is whole, and the next one completes it to the same bytes', () => {
  const both = ends();
  const seen = { died: 0, begun: 0, entries: 0 };
  const { first, step } = moments(10);
  for (let at = first; at < 200; at += step) {
    const host = trackHost();
    if (compactCut(host, at, 'death').code === 0) break;
    seen.died++;
    expectWhole(at, host, both);
    const outputs = outputsIn(host);
    const isBegun = Object.keys(outputs).some((name) => /\/entries\/.*\.md$/.test(name));
    const isGenerated = outputs[`${FOLDER}/PLAN.md`] === both.after[`${FOLDER}/PLAN.md`];
    seen[isBegun && !isGenerated ? 'entries' : 'begun']++;
    // latest.json names what is there: it comes last.
    if (outputs[LATEST] !== undefined)
      expect([at, outputs]).toEqual([at, expect.objectContaining(both.after)]);
    expect([at, compact(host).code, outputsIn(host)]).toEqual([at, 0, both.after]);
    // Nothing of the dead one is left.
    expect(Object.keys(filesIn(host)).filter((name) => /\.(?:tmp|take|lock)$/.test(name))).toEqual([]);
  }
  // Each was met, and as often as the steps between the moments let it.
  for (const [end, least] of [
    ['died', 30],
    ['begun', 10],
    ['entries', 10],
  ] as const)
    expect([end, seen[end] > 0, (seen[end] + 1) * step > least]).toEqual([end, true, true]);
}, 600_000);

test('a disk that is full leaves every file whole, and is told; with room it is completed', () => {
  const both = ends();
  let full = 0;
  const { first, step } = moments(10);
  for (let at = first; at < 200; at += step) {
    const host = trackHost();
    const { code, stderr } = compactCut(host, at, 'full');
    if (code === 0) break;
    full++;
    expect([at, code, stderr]).toEqual([at, 1, expect.stringMatching(/ENOSPC[^\n]*\n {2}Next: /)]);
    expectWhole(at, host, both);
    if (at % 4 > 0) continue;
    expect([at, compact(host).code]).toEqual([at, 0]);
    expect([at, outputsIn(host)]).toEqual([at, both.after]);
  }
  expect([full > 0, (full + 1) * step > 8]).toEqual([true, true]);
}, 600_000);

test('a file that leads out of the project is neither read nor written', () => {
  const host = trackHost({ [`${FOLDER}/PLAN.md`]: '' });
  const outside = path.join(host.root, 'outside.md');
  writeFileSync(outside, '# Not of this project\n');
  const plan = path.join(host.project, FOLDER, 'RISKS.md');
  mkdirSync(path.dirname(plan), { recursive: true });
  write(host, `${FOLDER}/RISKS.md`, '');
  const before = outputsIn(host);
  symlinkSync(outside, `${plan}.new`);
  // In its place, in one step.
  renameSync(`${plan}.new`, plan);
  const { code, stdout, stderr } = compact(host);
  expect([code, stdout, stderr]).toEqual([
    1,
    `${FOLDER}/RISKS.md:1: found a link that leads out of the project\n  expected: a file of the project\n`,
    expect.stringMatching(/Nothing was changed/),
  ]);
  expect(read(host, `${FOLDER}/PLAN.md`)).toBe(before[`${FOLDER}/PLAN.md`]);
  expect(read(host, '../outside.md')).toBe('# Not of this project\n');
});

test('what a link shows of another place is copied into no checkpoint', () => {
  const host = trackHost({ [LOG]: '' });
  const outside = path.join(host.root, 'outside.md');
  writeFileSync(outside, '# Of somebody else\n');
  unlinkSync(path.join(host.project, FOLDER, 'PLAN.md'));
  symlinkSync(outside, path.join(host.project, FOLDER, 'PLAN.md'));
  expect(compact(host, '--json').code).toBe(1);
  expect(Object.keys(filesIn(host)).filter((name) => name.startsWith('artifacts/checkpoints'))).toEqual([]);
});

test.each(['artifacts', 'artifacts/checkpoints', 'docs'])(
  'nothing is made outside of the project where %s leads there',
  (name) => {
    const host = trackHost();
    const elsewhere = path.join(host.root, 'elsewhere');
    mkdirSync(elsewhere);
    const link = path.join(host.project, name);
    mkdirSync(path.dirname(link), { recursive: true });
    if (existsSync(link)) renameSync(link, path.join(host.root, 'moved'));
    symlinkSync(elsewhere, link);
    if (name === 'docs') mkdirSync(path.join(elsewhere, 'tracks/cache'), { recursive: true });
    const { code, stderr } = compact(host, 'cache');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/A link leads out of the project: /)]);
    expect(readdirSync(elsewhere)).toEqual(name === 'docs' ? ['tracks'] : []);
  },
);

test('several at once: each ends well, and the files are those of one', async () => {
  const { after } = ends();
  const host = trackHost();
  const codes = await Promise.all(
    Array.from(
      { length: 6 },
      () =>
        new Promise<number | null>((resolve) => {
          const child = spawn(process.execPath, [CLI, 'track', 'sync'], { cwd: host.project, env: host.env });
          child.on('close', resolve);
        }),
    ),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(outputsIn(host)).toEqual(after);
});
