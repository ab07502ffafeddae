// Tests that a replay gives the figures of past sessions, and how early each compaction would have been announced.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { answer, boundary, jsonl, request, summary, toolResult } from '../unit/lines.ts';
import { run } from './healthy.ts';
import { converse } from './saved.ts';

const CORPUS = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

interface Replayed {
  file: string;
  series: number[];
  compactions: {
    trigger: string | null;
    pre_tokens: number | null;
    next_tokens: number | null;
    lead: Record<'prompt_only' | 'with_tool_use', Record<string, number> | null>;
    rework: number;
    retention?: Record<string, number>;
  }[];
  peak: number | null;
  models: string[];
  announced: { kind: string; tier: string; tokens: number }[];
  false_alarms: number;
}

const replayed = (host: Host, ...args: string[]): Replayed[] =>
  (JSON.parse(run(host, 'replay', ...args, '--json').stdout) as { files: Replayed[] }).files;

interface Expected {
  contextSeries: number[];
  peakContextTokens: number | null;
  compactions: {
    sidechain: boolean;
    trigger: string | null;
    preTokens: number | null;
    nextContextAfter: number | null;
  }[];
}

test('the series and the compactions of every transcript of the corpus are the expected ones', (context) => {
  if (!existsSync(CORPUS)) {
    notRun('the replay of the corpus', 'the corpus is not beside the project');
    context.skip();
  }
  const all = JSON.parse(readFileSync(path.join(CORPUS, 'expected.json'), 'utf8')) as Record<
    string,
    Expected
  >;
  const files = replayed(newHost(), CORPUS);
  expect(files.map(({ file }) => path.basename(file)).sort()).toEqual(Object.keys(all).sort());
  for (const { file, series, peak, compactions } of files) {
    const expected = all[path.basename(file)];
    const main = expected?.compactions.filter(({ sidechain }) => !sidechain) ?? [];
    expect({ file, series, peak }).toEqual({
      file,
      series: expected?.contextSeries,
      peak: expected?.peakContextTokens,
    });
    expect(
      compactions.map(({ trigger, pre_tokens, next_tokens }) => [trigger, pre_tokens, next_tokens]),
    ).toEqual(main.map(({ trigger, preTokens, nextContextAfter }) => [trigger, preTokens, nextContextAfter]));
  }
});

const at = (minute: number): { timestamp: string } => ({ timestamp: `2026-11-27T10:0${minute}:00.000Z` });
const told = (tokens: number, minute: number, id: string, content?: unknown) =>
  answer(tokens, { id, at: at(minute).timestamp, ...(content === undefined ? {} : { content }) });
const read = (file: string) => [
  { type: 'tool_use', id: `t-${file}`, name: 'Read', input: { file_path: file } },
];

/** A turn that rises to a warning between two tools, and is compacted in its middle. */
const SESSION = [
  request('Build the parser', at(0)),
  told(30_000, 0, 'a', read('/p/a.ts')),
  { ...toolResult('t-/p/a.ts'), ...at(1) },
  told(120_000, 1, 'b', read('/p/b.ts')),
  { ...toolResult('t-/p/b.ts'), ...at(2) },
  told(150_000, 3, 'c'),
  request('go on', at(4)),
  told(160_000, 4, 'd'),
  boundary('auto', 161_000, at(5)),
  summary(at(5)),
  told(40_000, 6, 'e', read('/p/a.ts')),
  { ...toolResult('t-/p/a.ts'), ...at(6) },
  told(41_000, 7, 'f'),
];

test('the lead of each channel is counted from its first warning to the compaction', () => {
  const host = newHost();
  writeFileSync(path.join(host.project, 'a.jsonl'), jsonl(SESSION));
  const [file] = replayed(host, 'a.jsonl');
  expect(file).toMatchObject({ series: [30_000, 120_000, 150_000, 160_000, 40_000, 41_000], peak: 160_000 });
  expect(file?.compactions).toEqual([
    {
      ...{
        trigger: 'auto',
        call: 4,
        window: 200_000,
        client: null,
        at: at(5).timestamp,
        pre_tokens: 161_000,
        last_tokens: 160_000,
        next_tokens: 40_000,
      },
      lead: {
        prompt_only: { calls: 1, minutes: 1, tokens: 10_000, prompts: 0 },
        with_tool_use: { calls: 2, minutes: 3, tokens: 40_000, prompts: 1 },
        status_line: { calls: 2, minutes: 4, tokens: 40_000, prompts: 1 },
      },
      // Four calls, with 50 tokens of answers each; four tokens of the last one were in no cache.
      other_methods: { input_only: 4, summed: 460_200, bytes_by_4: expect.any(Number) },
      rework: 1,
    },
  ]);
  expect(file?.announced.map(({ kind, tier, tokens }) => `${kind} ${tier} ${tokens}`)).toEqual([
    'tools WARNING 120000',
    'prompt EMERGENCY 150000',
  ]);
  expect(file?.false_alarms).toBe(0);
});

test('people read a table, and programs a line for each compaction', () => {
  const host = newHost();
  converse(host, SESSION, 'one');
  const { stdout } = run(host, 'replay');
  expect(stdout).toMatch(/^1 session, 6 calls, 1 compaction: the first warning/);
  expect(stdout).toMatch(/^prompts only +1 of 1 +1 +1 +10,000 +0$/m);
  expect(stdout).toMatch(/^prompts and tools +1 of 1 +2 +3 +40,000 +1$/m);
  expect(stdout).toMatch(/^bytes \/ 4 .*%$/m);
  expect(stdout).toContain(
    'auto, 161,000 → 40,000; prompts only: 1 call before, prompts and tools: 2 calls before, status line: 2 calls before; 1 file read again',
  );
  expect(run(host, 'replay', '--csv').stdout.split('\n')[1]).toEqual(
    expect.stringMatching(
      /^one\.jsonl,1,auto,161000,40000,1,1,10000,0,2,3,40000,1,2,4,40000,1,4,460200,\d+,1$/,
    ),
  );
  expect(replayed(host, '--all')).toHaveLength(1);
});

test('threads give what one process gives, in the order of the files', () => {
  const host = newHost();
  for (const name of ['a', 'b', 'c'])
    writeFileSync(path.join(host.project, `${name}.jsonl`), jsonl([request(name, at(1)), ...SESSION]));
  expect(replayed(host, '.', '--threads', '2')).toEqual(replayed(host, '.'));
  // A file that is named twice is one.
  expect(replayed(host, '.', 'a.jsonl')).toHaveLength(3);
});

test('with --retention it is measured for each compaction what was needed and what was told of it', () => {
  const host = newHost();
  writeFileSync(path.join(host.project, 'a.jsonl'), jsonl(SESSION));
  const [file] = replayed(host, 'a.jsonl', '--retention');
  const [{ retention } = {}] = file?.compactions ?? [];
  // The file that was read before it was read again, and the summary does not name it.
  expect(retention).toMatchObject({ needed: 1, by_summary: 0, with_plimsoll: 1 });
  expect(run(host, 'replay', 'a.jsonl', '--retention').stdout).toContain(
    "The work after a compaction needed 1 fact of before it: told by the host's summary 0.0%, with Plimsoll's text 100.0%",
  );
  const [head, row] = run(host, 'replay', 'a.jsonl', '--retention', '--csv').stdout.split('\n');
  expect(head).toMatch(/,retention_needed,retention_by_summary,retention_with_plimsoll,retention_tokens$/);
  expect(row).toMatch(/,1,1,0,1,\d+$/);
});

test('a folder that is named like a transcript is left out, and no name of a file is a formula', () => {
  const host = newHost();
  mkdirSync(path.join(host.project, 'folder.jsonl'));
  writeFileSync(path.join(host.project, '=1+1,b.jsonl'), jsonl(SESSION));
  const { code, stdout } = run(host, 'replay', '.', '--csv');
  expect([code, stdout.split('\n').slice(1, -1).length]).toEqual([0, 1]);
  expect(stdout).toContain('\n"\'=1+1,b.jsonl",1,auto,161000,');
});

test('what a fork copied counts once', () => {
  const host = newHost();
  const own = [request('Go another way', at(8)), told(42_000, 8, 'g')];
  writeFileSync(path.join(host.project, 'a.jsonl'), jsonl(SESSION));
  writeFileSync(path.join(host.project, 'b.jsonl'), jsonl([...SESSION, ...own]));
  const { stdout } = run(host, 'replay', '.');
  expect(stdout).toMatch(/^2 sessions, 7 calls, 1 compaction:/);
  expect(stdout).toContain('6 calls that forks copied from other files count once.');
});

test.each([
  [
    'no threads',
    ['--threads', '0'],
    '--threads "0" is no number from 1 to 99',
    'plimsoll replay --threads 2',
  ],
  ['no session', [], 'No session was found for', 'plimsoll replay PATH'],
  ['no file', ['gone.jsonl'], 'Nothing is there: ', 'plimsoll replay PATH'],
  ['a packed file', ['a.jsonl.gz'], 'No transcript by its name: ', 'name a transcript (.jsonl)'],
  ['a folder without any', ['.'], 'There is no transcript in ', 'plimsoll replay PATH'],
  ['other lines', ['../other.jsonl'], 'Nothing in it is a call of a model', 'plimsoll replay PATH'],
])('where there is nothing to replay the next step is named: %s', (_, args, words, next) => {
  const host = newHost();
  writeFileSync(path.join(host.project, 'a.jsonl.gz'), 'x');
  writeFileSync(path.join(host.project, '..', 'other.jsonl'), 'hello\n{"a":1}\n');
  const { code, stderr } = run(host, 'replay', ...args);
  expect(code).toBe(args[0] === '--threads' ? 2 : 1);
  expect(stderr).toContain(words);
  expect(stderr).toContain(next);
});

test.each(['replay', 'probe', 'calibrate', 'report'])(
  '%s names itself where a file is no transcript',
  (command) => {
    const host = newHost();
    writeFileSync(path.join(host.project, 'notes.md'), 'x');
    expect(run(host, command, 'notes.md')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^No transcript by its name: .*: plimsoll ${command} PATH\n$`, 's'),
      ),
    });
  },
);

test.each(['replay', 'probe'])('%s prints a table for programs or data, not both', (command) => {
  const { code, stdout } = run(newHost(), command, '.', '--csv', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'usage', message: "option '--csv' cannot be used with option '--json'" },
  });
});

test.each([
  ['replay', /^2 sessions, 6 calls/],
  ['probe', /^2 compactions of 2 sessions/],
  ['calibrate', /./],
  ['report', /Written: .*2 sessions/],
])('%s leaves out what is no plain file in a folder, and says so', (command, words) => {
  const host = newHost();
  for (const name of ['a', 'c'])
    writeFileSync(path.join(host.project, `${name}.jsonl`), jsonl([request(name, at(1)), ...SESSION]));
  execFileSync('mkfifo', [path.join(host.project, 'b.jsonl')]);
  const { code, stdout, stderr } = run(host, command, '.');
  expect([code, stderr]).toEqual([0, `Left out: Not a file: "${path.join(host.project, 'b.jsonl')}"\n`]);
  expect(stdout).toMatch(words);
  // What is named by itself is refused.
  expect(run(host, command, 'b.jsonl').code).toBe(1);
});
