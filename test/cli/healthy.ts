// A project in which everything is in order, and a compaction in it.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Answer, type Host, newHost, SESSION } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, injection, request, summary } from '../unit/lines.ts';

export const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);

/** Our hooks as the client of the client tests wants them; without a scope, in the settings of one person. */
export const init = (host: Host, ...args: string[]): CliResult =>
  run(host, 'init', '--yes', '--client-version', '2.1.332', ...args);

/** Puts a client of a version on the PATH of a host: all that doctor asks it is its version. */
export function withClient(host: Host, version: string): void {
  const bin = path.join(host.root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'claude'), `#!/bin/sh\necho "${version} (Claude Code)"\n`);
  chmodSync(path.join(bin, 'claude'), 0o755);
  host.env.PATH = `${bin}${path.delimiter}${host.env.PATH}`;
}

export const local = (host: Host): string => path.join(host.project, '.claude', 'settings.local.json');
export const team = (host: Host): string => path.join(host.project, '.claude', 'settings.json');
export const data = (host: Host): string => path.join(host.env.XDG_DATA_HOME ?? '', 'plimsoll');
export const bundle = (host: Host): string => path.join(data(host), 'current', 'hook.cjs');

/** A project with everything in order: client, trust, git that ignores what it should, hooks, and a transcript in place. */
export function healthy(): Host {
  const host = newHost();
  withClient(host, '2.1.332');
  rmSync(path.join(host.project, '.git'), { recursive: true });
  spawnSync('git', ['init', '--quiet'], { cwd: host.project, env: host.env });
  writeFileSync(path.join(host.project, '.git', 'info', 'exclude'), '.claude/settings.local.json\n');
  const folder = host.project.replace(/[^A-Za-z0-9]/g, '-');
  const transcripts = path.join(host.env.HOME ?? '', '.claude', 'projects', folder);
  renameSync(path.dirname(host.transcript), transcripts);
  host.transcript = path.join(transcripts, `${SESSION}.jsonl`);
  expect(run(host, 'init', '--yes').code).toBe(0);
  return host;
}

/** Something that happened now, as the client would date it. */
export const now = (): { timestamp: string } => ({ timestamp: new Date().toISOString() });

export function fire(host: Host, event: string, fields: Record<string, unknown> = {}): Answer {
  const answer = host.fire(event, { ...fields, transcript_path: host.transcript });
  // A machine that is busy with tests is no finding.
  const beats = host.state('sessions', SESSION, 'runs');
  if (existsSync(beats))
    writeFileSync(
      beats,
      readFileSync(beats, 'utf8').replace(/(?<=Z )\d+ ms/g, (found) => '9 ms'.padEnd(found.length)),
    );
  return answer;
}
export const append = (host: Host, ...lines: Record<string, unknown>[]): void =>
  writeFileSync(host.transcript, lines.map((line) => `${JSON.stringify({ ...line, ...now() })}\n`).join(''), {
    flag: 'a',
  });

/** A session up to the prompt after a compaction; the alert arrived when `proof` is stored. */
export function compacted(host: Host, proof = true): void {
  fire(host, 'SessionStart', { source: 'startup' });
  append(host, request('write the lexer'), answer(95_000));
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  append(host, answer(160_000, { id: 'msg_2' }));
  fire(host, 'PreCompact', { trigger: 'auto', custom_instructions: null });
  const { context } = fire(host, 'SessionStart', { source: 'compact' });
  append(
    host,
    boundary(),
    summary(),
    ...(proof ? [injection(context)] : []),
    answer(40_000, { id: 'msg_3' }),
  );
  fire(host, 'UserPromptSubmit', { prompt: 'go on' });
}
