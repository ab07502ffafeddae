// Tests that past sessions give figures and a proposal, and that --apply sets it so that it can be taken back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { answer, boundary, jsonl, request, summary, toolResult } from '../unit/lines.ts';
import { run } from './healthy.ts';

const CORPUS = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

const read = (id: string) => [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/p/${id}.ts` } }];

/** Calls of one turn, each with a tool, at these usages. */
const turn = (name: string, usages: readonly number[]) => [
  request(`job ${name}`),
  ...usages.flatMap((tokens, index) => {
    const id = `${name}-${index}`;
    return [answer(tokens, { id, content: read(id) }), toolResult(id)];
  }),
];

/** A session that is compacted at 166,000, after usages that both the usual and later thresholds warn of. */
const compacted = (name: string, left: number) => [
  ...turn(name, [30_000, 90_000, 125_000, 136_000, 160_000]),
  boundary('auto', 166_000),
  summary(),
  answer(left, { id: `${name}-after` }),
];

/** Three sessions that were compacted, and two that ended at 75% of the limit: a warning in vain by the usual thresholds. */
function sessionsOf(host: Host): string {
  const all = {
    one: compacted('one', 31_000),
    two: compacted('two', 45_000),
    three: compacted('three', 38_000),
    four: turn('four', [30_000, 90_000, 125_000]),
    five: turn('five', [30_000, 90_000, 125_000]),
  };
  for (const [name, lines] of Object.entries(all))
    writeFileSync(path.join(host.project, `${name}.jsonl`), jsonl(lines));
  return host.project;
}

const FILES = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}.jsonl`);
const userConfig = (host: Host): string =>
  path.join(host.env.XDG_CONFIG_HOME ?? path.join(host.env.HOME ?? '', '.config'), 'plimsoll', 'config.toml');

const calibrated = (host: Host, ...args: string[]) =>
  JSON.parse(run(host, 'calibrate', ...args, '--json').stdout) as Record<string, never> & {
    proposal: { name: string | null; reason: string | null; settings: Record<string, unknown> };
    candidates: { name: string; warned: number; compactions: number; false_warnings: number }[];
    applied: { file: string; settings: object; sizes_learned: number; undo: string[] } | null;
  };

test('figures and a proposal come of the sessions, each set of thresholds judged by a replay', () => {
  const host = newHost();
  sessionsOf(host);
  const { proposal, candidates, applied, ...figures } = calibrated(host, ...FILES);
  expect(figures).toMatchObject({
    ...{ sessions: 5, calls: 24, compactions: { total: 3, automatic: 3 }, typical_step: null },
    auto_compact: [{ window: 200_000, n: 3, least: 166_000, median: 166_000, most: 166_000 }],
    growth: {
      per_call: { n: 16, least: 11_000, median: 35_000, most: 60_000 },
      per_prompt: { n: 5, least: 95_000, most: 130_000 },
      falls: 0,
    },
    after_compaction: [{ window: 200_000, n: 3, least: 31_000, median: 38_000, most: 45_000 }],
    counted_by_client: { n: 3, median: 1.0375 },
    in_force: { mode: 'static', warning: 0.7, critical: 0.8, emergency: 0.88, typical_step_tokens: 29_000 },
  });
  expect(
    candidates.map(({ name, warned, compactions, false_warnings }) => [
      name,
      `${warned}/${compactions}`,
      false_warnings,
    ]),
  ).toEqual([
    ['static 70/80/88%', '3/3', 2],
    ['static 50/65/78%', '3/3', 2],
    ['static 60/72/82%', '3/3', 2],
    ['static 80/90/95%', '3/3', 0],
    ['dynamic, steps of 29,000', '3/3', 2],
  ]);
  expect(proposal).toEqual({
    name: 'static 80/90/95%',
    reason: null,
    settings: {
      'context_monitor.warning_threshold': 0.8,
      'context_monitor.critical_threshold': 0.9,
      'context_monitor.emergency_threshold': 0.95,
    },
  });
  expect(applied).toBeNull();
  expect(existsSync(userConfig(host))).toBe(false);
});

test('people read tables, the proposal with its evidence, and what a transcript cannot show', () => {
  const host = newHost();
  sessionsOf(host);
  const { stdout } = run(host, 'calibrate', ...FILES);
  expect(stdout).toMatch(/^5 sessions, 24 calls, 3 compactions, of which 3 automatic$/m);
  expect(stdout).toMatch(/^each call +16 +35,000 +60,000/m);
  expect(stdout).toMatch(/^200,000 +3 +38,000 +31,000 +45,000\n +19% +16% +23%$/m);
  expect(stdout).toMatch(/^today: static 70\/80\/88% +3 of 3 +2 +2 +35,000 +35,000 +2$/m);
  expect(stdout).toMatch(/^static 80\/90\/95% +3 of 3 +1 +1 +24,000 +24,000 +0$/m);
  expect(stdout).toContain("the client's own count was 3.8% above it");
  expect(stdout).toContain('How well rules are obeyed at which usage, a transcript does not show.');
  expect(stdout).toContain(
    'Proposal: static 80/90/95%: 3 of 3 warned, 0 in vain, 24,000 tokens ahead; today 3 of 3 warned, 2 in vain, 35,000 tokens ahead (n = 3 compactions).',
  );
  expect(stdout).toContain('To set it: the same with --apply');
});

test.each([
  ['user', []],
  ['local', ['--scope', 'local']],
])(
  '--apply sets the proposal in the %s settings, and the commands that it names take it back',
  (scope, more) => {
    const host = newHost();
    sessionsOf(host);
    const { stdout } = run(host, 'calibrate', ...FILES, '--apply', '--yes', ...more);
    const undo = [...stdout.matchAll(/^ {2}plimsoll (config .*)$/gm)].map(([, command]) => command ?? '');
    expect(undo).toEqual(
      ['warning', 'critical', 'emergency'].map(
        (tier) => `config unset context_monitor.${tier}_threshold --scope ${scope}`,
      ),
    );
    expect(stdout).toContain('  context_monitor.warning_threshold = 0.8\n');
    expect(run(host, 'config', 'get', 'context_monitor.warning_threshold').stdout).toContain('0.8');
    // What is set now is not proposed again, and what was learned is learned once.
    const again = calibrated(host, ...FILES, '--apply', '--yes');
    expect(again.proposal).toEqual({ name: null, reason: 'nothing-better', settings: {} });
    expect(again.applied).toMatchObject({ file: null, sizes_learned: 0 });
    for (const command of undo) expect(run(host, ...command.split(' ')).code).toBe(0);
    expect(calibrated(host, ...FILES).candidates[0]?.name).toBe('static 70/80/88%');
  },
);

test("thresholds that are lower than today's are taken back from the highest on: each step is accepted", () => {
  const host = newHost();
  for (const name of ['one', 'two', 'three']) {
    // 90,000 is 54% of the limit: only the earliest thresholds warn of it.
    const lines = [...turn(name, [30_000, 90_000]), boundary('auto', 166_000), summary()];
    writeFileSync(path.join(host.project, `${name}.jsonl`), jsonl(lines));
  }
  const files = FILES.slice(0, 3);
  const { proposal, applied } = calibrated(host, ...files, '--apply', '--yes');
  expect(proposal.name).toBe('static 50/65/78%');
  expect(applied?.undo.map((command) => /_monitor\.(\w+)_threshold/.exec(command)?.[1])).toEqual([
    'emergency',
    'critical',
    'warning',
    'low',
  ]);
  for (const command of applied?.undo ?? []) expect(run(host, ...command.split(' ').slice(1)).code).toBe(0);
  expect(calibrated(host, ...files).candidates[0]).toMatchObject({ name: 'static 70/80/88%', warned: 0 });
});

test('--apply gives the estimate what compactions have left', () => {
  const host = newHost();
  sessionsOf(host);
  expect(calibrated(host, ...FILES, '--apply', '--yes').applied?.sizes_learned).toBe(3);
  const file = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'compaction-points.json');
  const { sizes } = JSON.parse(readFileSync(file, 'utf8')) as { sizes: Record<string, number[]> };
  expect(sizes['200000']?.toSorted()).toEqual([31_000, 38_000, 45_000]);
});

test('a value that stood in the file is given back by the command that is named', () => {
  const host = newHost();
  sessionsOf(host);
  run(host, 'config', 'set', 'context_monitor.warning_threshold', '0.72', '--scope', 'user');
  const before = readFileSync(userConfig(host), 'utf8');
  const { applied } = calibrated(host, ...FILES, '--apply', '--yes');
  expect(applied?.undo).toContain('plimsoll config set context_monitor.warning_threshold 0.72 --scope user');
  for (const command of applied?.undo ?? []) expect(run(host, ...command.split(' ').slice(1)).code).toBe(0);
  expect(readFileSync(userConfig(host), 'utf8')).toBe(before);
});

test('nothing is set where nobody can be asked, and what comes before it is said', () => {
  const host = newHost();
  sessionsOf(host);
  const { code, stderr } = run(host, 'calibrate', ...FILES, '--apply');
  expect(code).toBe(2);
  expect(stderr).toContain('with --yes to accept, or without --apply to see the figures only\n');
  expect(existsSync(userConfig(host))).toBe(false);
  run(host, 'config', 'set', 'context_monitor.warning_threshold', '0.71');
  const { stdout } = run(host, 'calibrate', ...FILES, '--apply', '--yes');
  expect(stdout).toMatch(
    /^Still in force: context_monitor\.warning_threshold = 0\.71, from .*config\.local\.toml/m,
  );
});

test.each([
  ['two compactions', ['one.jsonl', 'two.jsonl'], 'No proposal: only 2 automatic compactions'],
  ['no compaction', ['four.jsonl'], 'No proposal: no automatic compaction'],
])('with %s nothing is proposed, and it says so', (_, files, words) => {
  const host = newHost();
  sessionsOf(host);
  expect(run(host, 'calibrate', ...files).stdout).toContain(words);
  expect(calibrated(host, ...files).proposal).toEqual({
    name: null,
    reason: 'too-few-compactions',
    settings: {},
  });
});

test('where there is nothing to measure the next step is named', () => {
  const { code, stderr } = run(newHost(), 'calibrate');
  expect(code).toBe(1);
  expect(stderr).toContain('plimsoll calibrate PATH');
});

test('the corpus keeps the usual thresholds: none leaves fewer compactions without a warning, or warns less in vain', (context) => {
  if (!existsSync(CORPUS)) {
    notRun('the calibration of the corpus', 'the corpus is not beside the project');
    context.skip();
  }
  const { proposal, ...found } = calibrated(newHost(), CORPUS);
  expect(found).toMatchObject({
    ...{ sessions: 19, calls: 630, compactions: { total: 9, automatic: 6 } },
    growth: { per_call: { n: 603, median: 475 }, per_prompt: { n: 38, median: 8_277 } },
  });
  // These figures stand in docs/probe.md.
  const { auto_compact, after_compaction, typical_step } = found;
  expect({ auto_compact, after_compaction, typical_step }).toMatchObject({
    auto_compact: [{ window: 200_000, n: 4, least: 155_554, median: 167_117, most: 174_834 }, { n: 2 }],
    after_compaction: [{ window: 200_000, n: 6, least: 29_644, median: 32_473, most: 84_375 }, { n: 1 }],
    typical_step: 51_000,
  });
  expect(found.candidates.map(({ name, warned, false_warnings }) => [name, warned, false_warnings])).toEqual([
    ['static 70/80/88%', 6, 4],
    ['static 50/65/78%', 6, 5],
    ['static 60/72/82%', 6, 5],
    ['static 80/90/95%', 5, 2],
    ['dynamic, steps of 51,000', 6, 7],
    ['dynamic, steps of 29,000', 6, 4],
  ]);
  expect(proposal).toEqual({ name: null, reason: 'nothing-better', settings: {} });
});
