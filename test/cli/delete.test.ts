// Tests that purge removes what was meant and nothing else, and leaves nothing that looks untold, whenever it dies.
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION, sessionFile } from '../hooks/host.ts';
import { moments } from '../kit/effort.ts';
import { type CliResult, plimsollProcess } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { run } from './healthy.ts';

const purge = (host: Host, ...args: string[]): CliResult => run(host, 'delete', ...args);

interface Data {
  dry_run: boolean;
  sessions: { id: string; checkpoints: string[]; files: number }[];
  kept_running: string[];
  failed: unknown[];
}
const dataOf = (host: Host, ...args: string[]): Data =>
  JSON.parse(purge(host, '--json', ...args).stdout) as Data;

/** A session that has come to an end, with a checkpoint or two. */
function session(host: Host, id: string, hasEnded = true): void {
  const transcript = path.join(path.dirname(host.transcript), `${id}.jsonl`);
  const fields = { session_id: id, transcript_path: transcript };
  writeFileSync(
    transcript,
    [request('go'), answer(140_000)].map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  host.fire('SessionStart', { ...fields, source: 'startup' });
  host.fire('UserPromptSubmit', { ...fields, prompt: 'x' });
  host.fire('PreCompact', { ...fields, trigger: 'manual', custom_instructions: null });
  if (hasEnded) host.fire('SessionEnd', { ...fields, reason: 'other' });
}

/** Names of all files below the state folder that hold something of a session. */
const left = (host: Host, holds: string): string[] =>
  readdirSync(host.state(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => file.includes(holds) || readFileSync(file, 'utf8').includes(holds))
    .map((file) => path.relative(host.state(), file))
    .sort();

const checkpoints = (host: Host): string[] => readdirSync(host.state('checkpoints')).sort();

test('one session goes, with all that holds its name; another one and the settings stay', () => {
  const host = newHost();
  session(host, SESSION);
  session(host, 'other-1');
  writeFileSync(host.shared('config.toml'), 'enabled = true\n');
  mkdirSync(host.shared('rules'));
  writeFileSync(host.shared('rules', 'mine.md'), 'x');
  // Whatever lies in its folder goes with it.
  writeFileSync(host.state('sessions', SESSION, 'what-nobody-knows'), 'x');
  const before = left(host, 'other-1');
  expect(left(host, SESSION).length).toBeGreaterThan(3);
  const { stdout, code } = purge(host, '--session', SESSION, '--yes');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^To be removed from \.plimsoll\/state-\w+, for good:\n {2}0f6e3a52-\S+, just now: \d checkpoints? \(cx-001.*\), \d+ other files\n/,
  );
  expect(stdout).toMatch(/\nRemoved: 1 session, \d checkpoints?\.\n$/);
  expect(left(host, SESSION)).toEqual([]);
  expect(left(host, 'other-1')).toEqual(before);
  expect(existsSync(host.shared('config.toml'))).toBe(true);
  expect(existsSync(host.shared('rules', 'mine.md'))).toBe(true);
  expect(existsSync(host.transcript)).toBe(true);
  expect(run(host, 'checkpoint', 'verify').code).toBe(0);
});

test('--dry-run shows it and removes nothing', () => {
  const host = newHost();
  session(host, SESSION);
  const before = left(host, SESSION);
  expect(purge(host, '--all', '--dry-run').stdout).toMatch(/^To be removed .*\n {2}0f6e3a52/);
  expect(dataOf(host, '--all', '--dry-run')).toMatchObject({
    dry_run: true,
    sessions: [{ id: SESSION }],
  });
  expect(left(host, SESSION)).toEqual(before);
});

test('without a terminal and without --yes it refuses, with the command to run', () => {
  const host = newHost();
  session(host, SESSION);
  const before = left(host, SESSION);
  const { code, stderr } = purge(host, '--session', SESSION);
  expect(code).toBe(2);
  expect(stderr).toBe(
    `Nobody can be asked here: this is no terminal\n  Next: if all of that is to go: plimsoll delete --session ${SESSION} --yes\n`,
  );
  expect(left(host, SESSION)).toEqual(before);
});

test('a running session stays, unless it is named and --force is given', () => {
  const host = newHost();
  session(host, SESSION, false);
  session(host, 'finished-1');
  expect(purge(host, '--session', SESSION, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is running\n {2}Next: .* --force/),
  });
  expect(purge(host, '--all', '--yes', '--force').stdout).toContain(`Kept: ${SESSION}, running.`);
  expect(left(host, SESSION).length).toBeGreaterThan(2);
  expect(left(host, 'finished-1')).toEqual([]);
  expect(purge(host, '--session', SESSION, '--yes', '--force').code).toBe(0);
  expect(left(host, SESSION)).toEqual([]);
  // Its hooks begin anew.
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).code).toBe(0);
});

test('--before takes those that were silent since', () => {
  const host = newHost();
  session(host, SESSION);
  session(host, 'young');
  for (const name of readdirSync(host.state('sessions', SESSION)))
    utimesSync(host.state('sessions', SESSION, name), 1, 1);
  const state = sessionFile(host);
  const known = JSON.parse(readFileSync(state, 'utf8')) as { ended: { at: string } };
  writeFileSync(
    state,
    JSON.stringify({ ...known, ended: { ...known.ended, at: '2020-01-01T00:00:00.000Z' } }),
  );
  utimesSync(host.transcript, 1, 1);
  expect(dataOf(host, '--before', '30d', '--yes').sessions.map(({ id }) => id)).toEqual([SESSION]);
  expect(left(host, SESSION)).toEqual([]);
  expect(left(host, 'young').length).toBeGreaterThan(2);
  expect(purge(host, '--before', '30d', '--yes').stdout).toBe('Nothing to remove.\n');
});

test('--all takes what does not say whose it is, and the log of failures; numbers are not given again', () => {
  const host = newHost();
  session(host, SESSION);
  host.fire('Stop', {}, '{"torn');
  writeFileSync(host.state('failures.jsonl'), '{}\n');
  writeFileSync(host.state('checkpoints', 'cx-077-checkpoint.json'), '{"torn');
  mkdirSync(host.state('sessions', 'x'));
  writeFileSync(host.state('sessions', 'x', 'state.json.unreadable'), '{"torn');
  expect(purge(host, '--all', '--yes').code).toBe(0);
  expect(checkpoints(host)).toEqual(['cx-077-checkpoint.json.acknowledged']);
  expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  expect(readdirSync(host.state('sessions'))).toEqual([]);
  session(host, SESSION);
  expect(checkpoints(host)).toContain('cx-078-checkpoint.json');
});

test('the calls that are not understood say what is', () => {
  const host = newHost();
  const rows: [string[], number, RegExp][] = [
    [[], 2, /not said.*\n.*--session ID, --before 30d/],
    [['--all', '--before', '30d'], 2, /too much at once/],
    [['--before', 'yesterday'], 2, /"yesterday" is no time/],
    [['--session', 'nobody'], 1, /Nothing is kept here of session "nobody"/],
  ];
  for (const [args, code, said] of rows) {
    const result = purge(host, ...args);
    expect([args, result.code]).toEqual([args, code]);
    expect(result.stderr).toMatch(said);
  }
  expect(purge(host, '--all', '--yes')).toMatchObject({ code: 0, stdout: 'Nothing to remove.\n' });
});

test('wherever it dies, no checkpoint looks untold that was told, and the next one finishes', () => {
  const host = newHost();
  // The process is gone at its nth removal, as a power cut would have it.
  const cut = path.join(host.root, 'cut.cjs');
  writeFileSync(
    cut,
    `const fs = require('node:fs');
    const { unlinkSync } = fs;
    let left = Number(process.env.CUT_AT);
    fs.unlinkSync = (path) => (left-- > 0 || /\\.(?:lock|tmp)$/.test(path) ? unlinkSync(path) : process.kill(process.pid, 'SIGKILL'));`,
  );
  const untold = (): string[] => {
    const names = checkpoints(host);
    return names.filter((name) => name.endsWith('.json') && !names.includes(`${name}.acknowledged`));
  };
  const { first, step } = moments(4);
  let died = 0;
  let halves = 0;
  for (let at = first; at < 60; at += at < 8 ? step : 3 * step) {
    session(host, SESSION);
    session(host, SESSION);
    run(host, 'checkpoint', 'ack', '--all');
    expect(untold()).toEqual([]);
    const env = { ...host.env, NODE_OPTIONS: `--require "${cut}"`, CUT_AT: String(at) };
    const { code } = plimsollProcess(
      { env, projectDir: host.project },
      'delete',
      '--session',
      SESSION,
      '--yes',
    );
    expect([at, untold()]).toEqual([at, []]);
    if (code === 0) break;
    died++;
    // Its folder is there whole until the rest is gone, and by it the rest is found.
    const isThere = existsSync(host.state('sessions', SESSION));
    expect(isThere).toBe(existsSync(sessionFile(host)));
    halves += left(host, '.tmp').length > 0 ? 1 : 0;
    expect(purge(host, '--session', SESSION, '--yes').code).toBe(isThere ? 0 : 1);
    expect(checkpoints(host)).toHaveLength(1);
    expect(left(host, SESSION)).toEqual([]);
  }
  expect(died * step).toBeGreaterThan(5);
  expect(halves).toBeGreaterThan(0);
}, 180_000);
