// Tests what becomes of checkpoints and forks of dropped work, and of a checkpoint that somebody acknowledges.
import { copyFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, type Line, request, summary } from '../unit/lines.ts';
import { failuresOf } from './calls.ts';
import { end, work } from './earlier.ts';
import { type Host, newHost } from './host.ts';
import { type Talk, talk } from './talk.ts';

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const OF_A = /Port the expression compiler|Write the parser|lexer/;

/** A compaction whose alert was given, and of which no trace stands behind the boundary. */
function compacted(a: Talk): string {
  a.write(answer(150_000, { id: 'm10' }));
  a.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  const { context } = a.fire('SessionStart', { source: 'compact' });
  // The client stores what hooks inject, though not this.
  a.store('UserPromptSubmit', '<context-monitor>CONTEXT STATUS: NOMINAL ~10%</context-monitor>');
  a.write(boundary(), summary(), answer(30_000, { id: 'm11' }));
  return context;
}

test.each([
  [[], true],
  [['checkpoint', 'ack'], false],
])('an alert without a trace is given again after %j: %s', (args, isAgain) => {
  const host = newHost();
  const a = work(host, 'session-a');
  const id = /CHECKPOINT: (cx-\d+)-/.exec(compacted(a))?.[1] ?? '';
  if (args.length > 0) expect(run(host, ...args, id).stdout).toContain('Acknowledged: ');
  expect(a.fire('UserPromptSubmit').context.includes('<compaction-alert>')).toBe(isAgain);
  expect(failuresOf(host)).toEqual([]);
});

test('an alert that has nothing to tell does not say that anything was kept', () => {
  const host = newHost();
  const a = work(host, 'session-a');
  expect(run(host, 'session', 'abandon', 'session-a').code).toBe(0);
  const alert = compacted(a);
  expect(alert).toContain(
    'CONTEXT COMPACTION OCCURRED. Plimsoll kept nothing of the session beyond the summary',
  );
  expect(alert).not.toMatch(OF_A);
});

test('a handoff of a checkpoint does not say that its session ended there, where that went on', async () => {
  const host = newHost();
  const a = work(host, 'session-a');
  compacted(a);
  compacted(a);
  await end(a);
  const [first, last] = run(host, 'checkpoint', 'list').stdout.match(/^cx-\d+/gm) ?? [];
  const told = [first, last].map((id) => run(host, 'handoff', id ?? '').stdout);
  expect(told[0]).toMatch(/ had come this far, and went on; [\s\S]*SESSION: session-, as it was just now\n/);
  expect(told[1]).toMatch(/ (?:left work unfinished|has ended); [\s\S]*SESSION: session-, ended just now/);
});

test('checkpoints of dropped work are history: no list, handoff or default shows it', async () => {
  const host = newHost();
  const a = work(host, 'session-a');
  compacted(a);
  await end(a);
  expect(run(host, 'checkpoint', 'list').stdout).toMatch(OF_A);
  expect(run(host, 'session', 'abandon', 'session-a', '--reason', 'tried elsewhere').code).toBe(0);
  const list = run(host, 'checkpoint', 'list').stdout;
  expect(list).not.toMatch(OF_A);
  for (const line of list.trim().split('\n')) expect(line).toMatch(/ dropped$/);
  expect(run(host, 'checkpoint', 'show').stderr).toBe(
    'All checkpoints here are of dropped work\n  Next: plimsoll checkpoint create writes one; the hooks write them before a compaction\n',
  );
  const refused = run(host, 'handoff', 'cx-001');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('Checkpoint cx-001 holds work that was dropped: tried elsewhere');
  // Whoever names it reads it, as what it is.
  const shown = run(host, 'checkpoint', 'show', 'cx-001').stdout;
  expect(shown).toMatch(/its work was dropped just now \(tried elsewhere\): history, nothing to go on with/);
  expect(shown).toMatch(OF_A);
});

test('a fork of a fork keeps what the fork did before the first session was dropped, though that went on', async () => {
  const host = newHost();
  const a = work(host, 'session-a');
  const lines = (id: string, words: string): Line[] => [
    { ...request(words), uuid: `r-${id}` },
    { ...answer(50_000, { id: `m-${id}` }), uuid: `u-${id}` },
  ];
  const fork = (from: Talk, id: string): Talk => {
    const each = talk(host, id);
    copyFileSync(from.transcript, each.transcript);
    each.fire('SessionStart', { source: 'fork' });
    each.fire('UserPromptSubmit');
    return each;
  };
  const f = fork(a, 'session-f');
  f.write(...lines('f', 'Write the changelog'));
  f.fire('Stop', {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  a.write(...lines('a2', 'Port the printer'));
  a.fire('Stop', {});
  await end(a);
  expect(run(host, 'session', 'abandon', 'session-a').code).toBe(0);
  const g = fork(f, 'session-g');
  g.write(...lines('g', 'Sort the changelog'));
  g.fire('Stop', {});
  const ledger = readFileSync(host.state('sessions', 'session-g', 'ledger.json'), 'utf8');
  expect(ledger).toContain('Sort the changelog');
  expect(ledger).toContain('Write the changelog');
  expect(ledger).not.toContain('Port the printer');
});
