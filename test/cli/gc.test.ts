// Tests that prune says what goes and why, and removes nothing else.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION, writeMine } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, 'gc', ...args);

const claimsOf = (host: Host): string => host.state('sessions', SESSION, 'claims');

const there = (host: Host): string[] =>
  readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.json'));

/** A project with three checkpoints of a session whose transcript and state are gone, and two old claims. */
function leftAlone(): Host {
  const host = newHost();
  for (const tokens of [120_000, 140_000, 160_000]) {
    host.append(request('go'), answer(tokens));
    host.fire('PreCompact', { trigger: 'manual', custom_instructions: String(tokens) });
  }
  const claims = readdirSync(claimsOf(host));
  expect(claims).toHaveLength(3);
  for (const name of claims.slice(0, 2)) utimesSync(path.join(claimsOf(host), name), 0, 0);
  return host;
}

/** The session was not touched for 30 days, and the agent was told of its checkpoints. */
function forsake(host: Host): void {
  plimsoll({ env: host.env, projectDir: host.project }, 'checkpoint', 'ack', '--all');
  const folder = host.state('sessions', SESSION);
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  for (const file of [host.transcript, ...files]) utimesSync(file, 1, 1);
}

interface Data {
  dry_run: boolean;
  keep: number;
  removed: { kind: string; name: string; reason: string }[];
  kept: { kind: string; name: string; reason: string }[];
  failed: unknown[];
}

test('keeps what a session may still need, and says why', () => {
  const host = leftAlone();
  const dry = run(host, '--dry-run', '--keep', '1');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toMatch(
    /^To be removed: 2 claims\. Kept: 3 checkpoints\.\n( {2}claim .*: older than 24 hours\n){2}Not among the newest 1, but they stay:\n {2}checkpoint cx-001: its session may go on\n {2}checkpoint cx-002: its session may go on\n$/,
  );
  expect(readdirSync(claimsOf(host))).toHaveLength(3);
  expect(run(host, '--keep', '1').stdout).toMatch(/^Removed: 2 claims\. Kept: 3 checkpoints\.\n/);
  expect(readdirSync(claimsOf(host))).toHaveLength(1);
  expect(run(host).stdout).toBe('Removed: nothing. Kept: 3 checkpoints.\n');
});

test('removes what nobody needs any more, down to the number that is to stay', () => {
  const host = leftAlone();
  forsake(host);
  const data = JSON.parse(run(host, '--keep', '2', '--json').stdout) as Data;
  expect(data).toMatchObject({ dry_run: false, keep: 2, failed: [] });
  expect(data.removed).toContainEqual({
    kind: 'checkpoint',
    name: 'cx-001',
    reason: expect.stringMatching(/^its session .*, and the agent was told of it$/),
  });
  expect(data.kept).toContainEqual({ kind: 'checkpoint', name: 'cx-003', reason: 'among the newest 2' });
  expect(there(host)).toEqual(['cx-002-checkpoint.json', 'cx-003-checkpoint.json']);
});

test('keeps as many as the setting says, and what an active workflow names', () => {
  const host = leftAlone();
  forsake(host);
  run(host);
  expect(there(host)).toHaveLength(3);
  const flow = 'workflow:\n  id: w\n  status: ACTIVE\ncheckpoints:\n  latest_id: cx-001\n';
  mkdirSync(path.join(host.project, 'docs'));
  writeFileSync(path.join(host.project, 'docs', 'flow.yaml'), flow);
  writeMine(host, '[checkpoint]\nkeep = 1\n\n[orchestration]\npath = "docs/flow.yaml"\n');
  expect(run(host, '--dry-run').stdout).toMatch(
    /checkpoint cx-001: the active workflow of ".*flow\.yaml" names it/,
  );
  run(host);
  expect(there(host)).toEqual(['cx-001-checkpoint.json', 'cx-003-checkpoint.json']);
});

test('says what it could not remove, and goes on; exit code 1', () => {
  const host = leftAlone();
  mkdirSync(host.state('checkpoints', 'cx-001-checkpoint.json.acknowledged', 'x'), { recursive: true });
  forsake(host);
  const result = run(host, '--keep', '1');
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/^Removed: 1 checkpoint, 2 claims\. Kept: 1 checkpoint\.\n/);
  expect(result.stderr).toMatch(/^Could not remove "cx-001" \(E.*\)\n {2}Next: check the permissions/);
  const data = JSON.parse(run(host, '--keep', '1', '--json').stdout) as Data & { error: { next: string } };
  expect(data.error.next).toContain('permissions');
  expect(data.failed).toEqual([{ name: 'cx-001', error: expect.stringMatching(/^E/) }]);
});

test.each([['0'], ['-1'], ['many'], ['2.5']])('--keep %s is not understood', (keep) => {
  const result = run(newHost(), `--keep=${keep}`);
  expect(result.code).toBe(2);
  expect(result.stderr).toBe(
    `--keep "${keep}" is not a whole number from 1 to 10,000\n  Next: plimsoll gc --keep 50\n`,
  );
});

test('has nothing to do in a new project, and leaves nothing behind', () => {
  const host = newHost();
  expect(run(host)).toEqual({ code: 0, stderr: '', stdout: 'Removed: nothing. Kept: 0 checkpoints.\n' });
  expect(readdirSync(host.project).sort()).toEqual(['.git']);
  expect(run(host, '--help').stdout).toContain('Examples:\n  plimsoll gc --dry-run');
});
