// Tests `plimsoll probe` on a made-up session: what it prints, and that it prints the same again.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, jsonl, type Line, request, summary, toolResult, toolUse } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]) =>
  plimsoll({ env: host.env, projectDir: host.project }, 'probe', ...args);

const session = { sessionId: '0f6e3a52-1111-4222-8333-444455556666', cwd: '/home/someone/app' };
const call = (id: string, name: string, input: unknown): Line[] => [toolUse(id, name, input), toolResult(id)];
const LINES: Line[] = [
  request('Build the parser of the grammar, and nothing else but that', session),
  ...call('a', 'Write', { file_path: '/home/someone/app/src/parser.ts' }),
  ...call('b', 'Bash', { command: 'npm test' }),
  answer(90_000),
  boundary(),
  summary(),
  ...call('c', 'Edit', { file_path: '/home/someone/app/src/parser.ts' }),
];

test('a folder of transcripts, plain and gzipped, gives the same bytes each time and leaves nothing behind', () => {
  const host = newHost();
  const folder = join(host.project, 'transcripts');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), jsonl(LINES));
  writeFileSync(join(folder, 'b.jsonl.gz'), gzipSync(jsonl([...LINES, boundary('manual'), answer(1)])));
  writeFileSync(join(folder, 'c.txt'), 'no transcript');
  const before = readdirSync(host.project);
  const first = run(host, 'transcripts', '--json');
  expect(first.code).toBe(0);
  expect(run(host, 'transcripts', '--json').stdout).toBe(first.stdout);
  const found = JSON.parse(first.stdout) as {
    units: number;
    sessions: number;
    kinds: Record<string, unknown>;
    each: { name: string; missed: unknown }[];
  };
  expect(found).toMatchObject({ units: 3, sessions: 1, interval: { summary: [0, 0] } });
  expect(found.kinds['files written']).toEqual({
    facts: 3,
    needed: 2,
    told: { summary: 0, with: 2, alone: 2, ideal: 2 },
  });
  expect(found.each.map(({ name }) => name)).toEqual(['a', 'b#1', 'b#2']);
  expect(readdirSync(host.project)).toEqual(before);
});

test('the table names every kind there is, and what Plimsoll adds; --csv has a line for each', () => {
  const host = newHost();
  host.append(...LINES);
  const { stdout } = run(host, host.transcript);
  expect(stdout).toMatch(/^1 compaction of 1 session: /);
  expect(stdout).toMatch(/files written +1 +1 +0\.0 +100\.0 +100\.0 +100\.0/);
  expect(stdout).toMatch(/last request +1 +1 +0\.0 +100\.0/);
  expect(stdout).toMatch(/Points per 100 +\d+\.\d\d gained/);
  const rows = run(host, host.transcript, '--csv').stdout.trim().split('\n');
  expect(rows).toHaveLength(1 + 14);
  expect(rows[1]).toMatch(
    new RegExp(`^${session.sessionId},${session.sessionId},files written,1,1,0,1,1,\\d+$`),
  );
});

test.each([
  [['nowhere.jsonl'], 1, /^Nothing is there: ".*nowhere\.jsonl"\n {2}Next: name a transcript/],
  [['nothing'], 1, /^There is no transcript in ".*nothing"\n {2}Next: name a transcript/],
  [['torn.jsonl.gz'], 1, /^No whole gzip file: ".*torn\.jsonl\.gz"\n {2}Next: /],
  [['--checks', 'many'], 2, /--checks "many" is no number/],
])('probe %j says what is wrong', (args, code, message) => {
  const host = newHost({ files: { 'nothing/notes.txt': '', 'torn.jsonl.gz': 'torn' } });
  host.append(...LINES);
  const result = run(host, ...args, ...(code === 2 ? [host.transcript] : []));
  expect(result.code).toBe(code);
  expect(result.stderr).toMatch(message);
});

test('a transcript without a compaction has nothing to measure', () => {
  const host = newHost();
  host.append(request('hello'), answer(1_000));
  const result = run(host, host.transcript);
  expect([result.code, result.stdout]).toEqual([1, '']);
  expect(result.stderr).toMatch(/No compaction in this transcript/);
});
