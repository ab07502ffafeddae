// Tests that the compaction gives the same bytes in any folder, order, time zone, language and Node version.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runDeterminismGate } from '../../src/addons/tracks/commands/gates.io.ts';
import { readProjectContext } from '../../src/cli/project.io.ts';
import { readEnvironment } from '../../src/hosts/claude-code/environment.io.ts';
import { newHost } from '../hooks/host.ts';
import { runs } from '../kit/effort.ts';
import { notRun } from '../kit/not-run.ts';
import { NODE_22, otherNode } from '../kit/other-node.ts';
import { DIST } from '../kit/plimsoll.ts';
import { change, project } from '../unit/tracks/projects.ts';
import { READY } from '../unit/tracks.ts';
import { compact, FOLDER, LOG, NOTES, outputsIn, run, trackHost, VIOLATION, write } from './tracks.ts';

/**
 * Writes each project into a folder of its own and compacts it, some of them once more after a change; prints one hash for
 * each, over the paths and bytes of all files.
 */
const RUNNER = `const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { compactInHook } = require(process.env.CHUNK);
const isReversed = process.env.REVERSED === '1';
// Half of them are slow on a disk that syncs: what is durable is not what is looked at here.
fs.fsyncSync = () => undefined;
const filesIn = (root) => fs.readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
  .sort();
const put = (root, files) => {
  const all = Object.entries(files);
  for (const [name, text] of isReversed ? all.reverse() : all) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
};
JSON.parse(fs.readFileSync(process.env.PROJECTS, 'utf8')).forEach((steps, index) => {
  const root = path.join(process.env.BASE, process.env.PREFIX + index);
  const state = root + '.state';
  const paths = { state, session: () => ({ refusal: path.join(state, 'refusal') }) };
  const hash = createHash('sha256');
  for (const files of steps) {
    put(root, files);
    compactInHook(paths, { root, session: 'i0', track: 'cache', coreWrites: index % 2 === 0 });
    for (const name of filesIn(root)) hash.update(name).update('\\0').update(fs.readFileSync(path.join(root, name))).update('\\0');
  }
  console.log(hash.digest('hex'));
});
console.error(new Date(0).getTimezoneOffset() + ' ' + Intl.DateTimeFormat().resolvedOptions().locale);
`;

const PLACES = [
  { prefix: 'p-', reversed: '0', TZ: 'UTC', LC_ALL: 'C' },
  { prefix: 'another folder, ä ', reversed: '1', TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
] as const;

test('projects of any kind give the same bytes wherever that happens', () => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'plimsoll-same-')));
  try {
    const projects = fc
      .sample(fc.tuple(project, change), runs(500))
      .map(([files, next], index) => (index % 5 > 0 ? [files] : [files, next(files)]));
    const runner = path.join(base, 'runner.cjs');
    writeFileSync(runner, RUNNER);
    const chunk = path.join(base, 'keep-compaction.cjs');
    buildSync({
      entryPoints: [path.join(DIST, '../src/addons/tracks/files/compact-in-hook.io.ts')],
      outfile: chunk,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    writeFileSync(path.join(base, 'projects.json'), JSON.stringify(projects));
    const hashes = (node: string, { prefix, reversed, TZ, LC_ALL }: (typeof PLACES)[number], name: string) =>
      execFileSync(node, [runner], {
        env: {
          PATH: process.env.PATH ?? '',
          CHUNK: chunk,
          PROJECTS: path.join(base, 'projects.json'),
          BASE: path.join(base, name),
          PREFIX: prefix,
          REVERSED: reversed,
          TZ,
          LC_ALL,
        },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
        .trim()
        .split('\n');
    const [here, there] = PLACES;
    const first = hashes(process.execPath, here, 'one');
    expect(first).toHaveLength(runs(500));
    expect(new Set(first).size).toBeGreaterThan(0.8 * runs(500));
    expect(hashes(process.execPath, there, 'two')).toEqual(first);
    const other = otherNode(NODE_22);
    if ('fault' in other) notRun('compaction under Node 22', other.fault);
    else expect(hashes(other.node, there, 'three')).toEqual(first);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}, 600_000);

interface Gate {
  gate: string;
  state: string;
  checks: { says: string }[];
}

test('track verify runs the four gates, in copies that are gone afterwards; nothing is changed', () => {
  const host = trackHost();
  expect(compact(host).code).toBe(0);
  const before = outputsIn(host);
  const { code, stdout } = run(host, 'track', 'verify');
  // The plan of this track has no sections, which the evaluator says.
  expect(code).toBe(1);
  expect(stdout).toMatch(/^evaluator: failed\n/);
  expect(stdout).toMatch(
    /\ndeterminism: held\n {2}ok {4}compacted twice, (?:[89]|\d\d) files have the same SHA-256 in any order\n/,
  );
  expect(stdout).toMatch(/\nrecovery: held\n/);
  expect(stdout).toMatch(/\nguardrails: not run\n/);
  // The gate reports on the files as they are now: the hash is that of the file.
  const plan = createHash('sha256')
    .update(before[`${FOLDER}/PLAN.md`] ?? '', 'utf8')
    .digest('hex');
  expect(stdout).toContain(`  ${FOLDER}/PLAN.md ${plan.slice(0, 16)}\n`);
  expect(readdirSync(path.join(host.root, 'temporary'))).toEqual([]);
  expect(outputsIn(host)).toEqual(before);
});

test('track verify passes a track that is ready, also as JSON', () => {
  const host = newHost({ files: READY });
  expect(run(host, 'track', 'sync').code).toBe(0);
  const { code, stdout } = run(host, 'track', 'verify', 'cache', '--json');
  const { gates } = JSON.parse(stdout) as { gates: Gate[] };
  expect([code, gates.map(({ gate, state }) => [gate, state])]).toEqual([
    0,
    [
      ['evaluator', 'held'],
      ['determinism', 'held'],
      ['recovery', 'held'],
      ['guardrails', 'not run'],
    ],
  ]);
});

test('the gate does not hold where nothing can be compacted, and names the place', () => {
  const host = trackHost();
  write(host, LOG, `${NOTES}${VIOLATION}`);
  expect(
    runDeterminismGate(
      readProjectContext(host.project, readEnvironment(host.env, host.project), Date.now()),
      'cache',
    ),
  ).toMatchObject({
    state: 'failed',
    checks: [
      {
        says: expect.stringMatching(/^artifacts\/sessions\/s-1\/work_log\.md:10 is as the schema has it$/),
        found: expect.stringMatching(/^found no Severity, expected /),
      },
    ],
  });
});
