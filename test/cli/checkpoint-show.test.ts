// Tests that a person can read a checkpoint, and see what was done between two of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CheckpointDiff } from '../../src/compaction/checkpoint/show-diff.command.ts';
import { newHost } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { converse, cx, file, json, morning, saved, twoCheckpoints } from './saved.ts';

describe('checkpoint show', () => {
  test('reads like a page of a log book, in plain text', () => {
    const host = twoCheckpoints();
    const { code, stdout } = cx(host, 'show', '1');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    for (const line of [
      /^Checkpoint +cx-001, \d{4}-.* \(just now\)$/m,
      /^Because +cli \(plimsoll checkpoint create\)$/m,
      /^Note +the first$/m,
      /^Usage +120,000 tokens, 60% of the 200,000 window, WARNING$/m,
      /^Workflow +flow-1 \(ACTIVE\); phase 3 \(Implementation\); creator revision; gate qg-2 at 0.894, iteration 2; 1 pending decision$/m,
      /^Acknowledged +no, the agent was not told of it yet$/m,
      /^Integrity +ok, sha256 [0-9a-f]{12}…$/m,
      /^File +\.plimsoll\/state-\w+\/checkpoints\/cx-001-checkpoint\.json$/m,
    ])
      expect(stdout).toMatch(line);
    for (const words of [
      "\nTHE USER'S GOAL:\n  write the lexer\n",
      '\nOPEN TASKS:\n  - Lexer (in progress)\n  - Parser\n',
      '\nFAILING NOW:\n  npm test',
      'Error: expected 3, got 4',
      'src/lexer.ts',
      '\nYOUR LAST ANSWER:\n  One test is red.\n',
      'D-1: flat files. Affects phase 4 (not applied yet)',
    ])
      expect(stdout).toContain(words);
  });

  test('shows the newest one unless one is named, with done tasks counted and the latest file first', () => {
    const { stdout } = cx(twoCheckpoints(), 'show');
    expect(stdout).toMatch(/^Checkpoint +cx-002/);
    expect(stdout).toContain("THE USER'S GOAL:\n  write the lexer\n");
    expect(stdout).toContain('OPEN TASKS:\n  - Parser (in progress)\n  - Docs\n');
    expect(stdout).toContain('Tasks done:\n  - Lexer\n');
    expect(stdout).toContain('FILES CHANGED (latest first):\n  - src/parser.ts\n  - src/lexer.ts\n');
  });

  test('tells when, how and with what a checkpoint was acknowledged', () => {
    const host = twoCheckpoints();
    cx(host, 'ack', '2');
    expect(cx(host, 'show', '2').stdout).toMatch(/^Acknowledged +yes, just now \(cli\)$/m);
    expect(cx(host, 'show', '1').stdout).toMatch(/^Acknowledged +yes, just now, with cx-002 \(cli\)$/m);
  });

  test('prints the file as it is with --json', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-001'), JSON.stringify(saved(host)[0], null, 1));
    expect(cx(host, 'show', 'cx-001', '--json').stdout).toBe(`${JSON.stringify(saved(host)[0], null, 1)}\n`);
    expect(cx(host, 'show', '--json').stdout).toBe(readFileSync(file(host, 'cx-002'), 'utf8'));
  });

  test.each(['1', 'cx-1', 'cx-001', 'CX-001', '001'])('knows cx-001 as "%s"', (name) => {
    const host = newHost();
    converse(host, morning(host));
    cx(host, 'create');
    expect(cx(host, 'show', name).stdout).toContain('cx-001, ');
  });

  test.each([[['show', '9']], [['show', '../x']], [['diff', 'x']], [['ack', '9']], [['verify', '9']]])(
    '%j names no checkpoint, and what to do',
    (args) => {
      const result = cx(newHost(), ...args);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain(`No checkpoint "${args[1]}" in this project\n  Next: `);
    },
  );
});

describe('checkpoint diff', () => {
  test('tells what was done between two checkpoints, the earlier one first in whichever order', () => {
    const host = twoCheckpoints();
    const { code, stdout } = cx(host, 'diff', '1');
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf('\nUsage:'))).toBe(`
Usage:
  tokens: 120,000 → 150,000
  of the window: 60% → 75%
  tier: WARNING → EMERGENCY

Workflow:
  current phase: 3 → 4
  current gate score: 0.894 → 0.951

New requests:
  - go on with the parser

Tasks:
  [x] Lexer (finished)
  [~] Parser (was pending)
  [ ] Docs (new)

Files newly written (1):
  src/parser.ts

Failing commands:
  fixed: npm test
  new: npm run lint
    → src/parser.ts: unused
`);
    for (const args of [['2'], ['1', '2'], ['2', '1']]) expect(cx(host, 'diff', ...args).stdout).toBe(stdout);
  });

  test('gives the same as data', () => {
    type Ends = { from: { id: string }; to: { id: string } };
    const { from, to, ...diff } = json<CheckpointDiff & Ends>(cx(twoCheckpoints(), 'diff', '1', '--json'));
    expect([from.id, to.id, diff.compactions]).toEqual(['cx-001', 'cx-002', 0]);
    expect(diff.tasks.finished.map((task) => task.subject)).toEqual(['Lexer']);
    expect(diff.failing_commands.fixed.map((each) => each.command)).toEqual(['npm test']);
    expect(diff.workflow).toEqual([
      { of: 'current_phase', from: 3, to: 4 },
      { of: 'current_gate_score', from: 0.894, to: 0.951 },
    ]);
  });

  test('compares with the newest of the same session, not with that of another one', () => {
    const host = twoCheckpoints();
    converse(host, [request('something else'), answer(20_000)], 'another');
    cx(host, 'create', '--session', 'another');
    expect(json<{ to: { id: string } }>(cx(host, 'diff', '1', '--json')).to.id).toBe('cx-002');
    const alone = cx(host, 'diff', '3');
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringContaining('Checkpoint "cx-003" is the only one of its session\n  Next: '),
    ]);
    expect(cx(host, 'diff', '1', '3').stdout).toContain('(of another session)');
  });

  test('says so when nothing changed', () => {
    const { stdout } = cx(twoCheckpoints(), 'diff', '2', '2');
    expect(stdout).toMatch(/\(no compaction in between\)\n\nNothing changed in the work\.\n$/);
  });
});
