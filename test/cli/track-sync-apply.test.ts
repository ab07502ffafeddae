// Tests that all files of a compaction change or none, even if the process dies, the disk fills or others write.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Host } from '../hooks/host.ts';
import { moments } from '../kit/effort.ts';
import { CLI } from '../kit/plimsoll.ts';
import {
  compact,
  compactCut,
  FOLDER,
  filesIn,
  LOG,
  NOTES,
  outputsIn,
  read,
  trackHost,
  VIOLATION,
  write,
} from './tracks.ts';

/** What there is before, and once all is done. */
function ends() {
  const host = trackHost();
  const before = outputsIn(host);
  expect(compact(host).code).toBe(0);
  return { before, after: outputsIn(host) };
}

test('wherever it dies, the next one finishes it or begins anew; a refused one leaves no mix', () => {
  const { before, after } = ends();
  const seen = { died: 0, begun: 0, finished: 0 };
  const { first, step } = moments(10);
  for (let at = first; at < 200; at += step) {
    const host = trackHost();
    if (compactCut(host, at, 'death').code === 0) break;
    seen.died++;
    // The next one is refused: what it finds is what the dead one began, all of it or nothing.
    write(host, LOG, `${NOTES}${VIOLATION}`);
    const { code, stderr } = compact(host);
    expect([at, code, stderr]).toEqual([at, 1, expect.stringContaining('1 violation')]);
    const found = outputsIn(host);
    const isFinished = found['docs/context/INVARIANTS.md'] !== undefined;
    expect([at, found]).toEqual([at, isFinished ? after : before]);
    seen[isFinished ? 'finished' : 'begun']++;
    // Nothing of the dead one is left.
    expect(Object.keys(filesIn(host)).filter((name) => /\.(?:tmp|take|lock)$|journal/.test(name))).toEqual(
      [],
    );
  }
  // Each was met, and as often as the steps between the moments let it.
  for (const [end, least] of [
    ['died', 30],
    ['begun', 10],
    ['finished', 10],
  ] as const)
    expect([end, seen[end] > 0, (seen[end] + 1) * step > least]).toEqual([end, true, true]);
}, 600_000);

test('wherever it dies, the copy that latest.json names is there; in the end the newest ones are left', () => {
  const folder = 'artifacts/checkpoints/cache';
  const copies = (host: Host): string[] =>
    readdirSync(path.join(host.project, folder)).filter((name) => name.startsWith('plan-'));
  let died = 0;
  let removed = 0;
  const { first, step } = moments(10);
  for (let at = first; at < 200; at += step) {
    const host = trackHost();
    compact(host);
    const { plan } = JSON.parse(read(host, `${folder}/latest.json`)) as { plan: { path: string } };
    utimesSync(path.join(host.project, plan.path), 1, 1);
    for (let nth = 0; nth < 12; nth++)
      write(host, `${folder}/plan-${String(nth).padStart(16, '0')}.md`, '# Of before\n');
    write(host, LOG, `${NOTES}- [ ] Task: one more\n`);
    const isDead = compactCut(host, at, 'death').code !== 0;
    if (isDead) died++;
    const named = JSON.parse(read(host, `${folder}/latest.json`)) as {
      plan: { path: string; sha256: string };
    };
    expect([at, createHash('sha256').update(read(host, named.plan.path)).digest('hex')]).toEqual([
      at,
      named.plan.sha256,
    ]);
    if (isDead && copies(host).length < 13) removed++;
    if (!isDead || at % 5 === 0) {
      expect([at, compact(host).code, copies(host).length]).toEqual([at, 0, 10]);
      expect(read(host, plan.path)).toBe('');
    }
    if (!isDead) break;
  }
  expect([(died + 1) * step > 30, removed > 0 || step > 1]).toEqual([true, true]);
}, 600_000);

test('a disk that is full changes nothing, and says so; with room it works', () => {
  const { before, after } = ends();
  let full = 0;
  const { first, step } = moments(10);
  for (let at = first; at < 200; at += step) {
    const host = trackHost();
    const { code, stderr } = compactCut(host, at, 'full');
    if (code === 0) break;
    full++;
    expect([at, code, stderr]).toEqual([at, 1, expect.stringMatching(/ENOSPC[^\n]*\n {2}Next: /)]);
    expect([at, outputsIn(host)]).toEqual([at, before]);
    if (at % 4 > 0) continue;
    expect([at, compact(host).code]).toEqual([at, 0]);
    expect([at, outputsIn(host)]).toEqual([at, after]);
  }
  expect([full > 0, (full + 1) * step > 8]).toEqual([true, true]);
}, 600_000);

test('one that was interrupted is taken back where somebody has changed a file since; their change stays', () => {
  const { after } = ends();
  const isWritten = (host: Host, name: string): boolean =>
    read(host, `${FOLDER}/${name}`) === after[`${FOLDER}/${name}`];
  const died = (at: number): Host => {
    const host = trackHost();
    compactCut(host, at, 'death');
    return host;
  };
  // Dies at its third rename of a document: two files are changed, the others are not.
  let [before, behind] = [0, 200];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (isWritten(died(middle), 'DECISIONS.md')) behind = middle;
    else before = middle;
  }
  const host = died(behind);
  expect(['DECISIONS.md', 'RISKS.md'].map((name) => isWritten(host, name))).toEqual([true, false]);
  write(host, `${FOLDER}/RISKS.md`, '# Risks\n\nWords of somebody.\n');
  const { code, stderr } = compact(host);
  expect(stderr).toMatch(
    /^An interrupted compaction of cache was taken back: docs\/tracks\/cache\/RISKS.md changed since\.\n/,
  );
  expect(code).toBe(0);
  expect(read(host, `${FOLDER}/RISKS.md`)).toMatch(
    /^# Risks\n\nWords of somebody\.\n\n<!-- plimsoll:risks -->\n/,
  );
  expect(read(host, `${FOLDER}/DECISIONS.md`)).toBe(after[`${FOLDER}/DECISIONS.md`]);
});

test('a journal that names other files is not taken up', () => {
  const host = trackHost();
  const journal = 'artifacts/checkpoints/cache/journal.json';
  const files = [{ path: '../escaped.txt', before: null, after: 'x' }];
  write(host, journal, JSON.stringify({ schema_version: '1.0.0', track: 'cache', files }));
  const before = filesIn(host);
  const { code, stderr } = compact(host);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/journal\.json .*cannot be read\n {2}Next: .*remove/),
  ]);
  expect(filesIn(host)).toEqual(before);
  expect(readdirSync(host.root)).not.toContain('escaped.txt');
});

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
