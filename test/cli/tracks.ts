// A project with an active track, its files as texts, and commands in a process that dies at a given change.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Host, newHost } from '../hooks/host.ts';
import { type CliResult, plimsoll, plimsollProcess } from '../kit/plimsoll.ts';

export const LOG = 'artifacts/sessions/s-1/work_log.md';
export const FOLDER = 'docs/tracks/cache';
const LATEST = 'artifacts/checkpoints/cache/latest.json';

export const NOTES = [
  '<!-- plimsoll work log; track: cache -->',
  '- 2026-11-28T10:00:00Z Edit src/a.ts: ok',
  '- Decision: Use one file',
  '  - Reason: no server',
  '  - Impact: a migration',
  '- [ ] Task: write the reader',
  '- Risk: the disk is full',
  '  - Severity: high',
  '- Invariant: hooks never block',
  '',
].join('\n');

/** Refuses every compaction. */
export const VIOLATION = '- Risk: without severity\n';

export const FILES: Record<string, string> = {
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  [`${FOLDER}/SPEC.md`]: '# Spec\n',
  [`${FOLDER}/PLAN.md`]: '\uFEFF# Plan\r\n\r\nWords.\r\n',
  [`${FOLDER}/RISKS.md`]: '# Risks\n\n| a | b |\n',
  [LOG]: NOTES,
};

export const trackHost = (files: Record<string, string> = {}): Host =>
  newHost({ files: { ...FILES, ...files } });

export const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
export const compact = (host: Host, ...args: string[]): CliResult => run(host, 'track', 'sync', ...args);

/** Every file of the project but state and git, by path. */
export function filesIn(host: Host): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(host.project, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(host.project, file);
    if (entry.isFile() && !/^\.(?:git|plimsoll)\//.test(name)) found[name] = readFileSync(file, 'utf8');
  }
  return found;
}

/** The documents, and what was left for the next one; without the log, which grows. */
export const outputsIn = (host: Host): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesIn(host)).filter(([name]) => name.startsWith('docs/') || name === LATEST),
  );

export function write(host: Host, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(host.project, name)), { recursive: true });
  writeFileSync(path.join(host.project, name), text);
}

export const read = (host: Host, name: string): string =>
  existsSync(path.join(host.project, name)) ? readFileSync(path.join(host.project, name), 'utf8') : '';

/** A module that counts the changes which a process makes to the disk, and at the nth dies, or finds the disk full. */
const PRELOAD = `const fs = require('node:fs');
let left = Number(process.env.CUT_AT);
const isFull = process.env.CUT_BY === 'full';
const writes = /^(?:writeSync|mkdirSync|linkSync)$/;
const opens = (flags) => typeof flags === 'string' ? /[wa+]/.test(flags) : (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
for (const name of ['openSync', 'writeSync', 'renameSync', 'unlinkSync', 'linkSync', 'mkdirSync', 'chmodSync', 'fsyncSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    // Output of the process goes to no disk.
    if (name === 'writeSync' && args[0] <= 2) return original(...args);
    if (name === 'openSync' && !opens(args[1])) return original(...args);
    if (isFull && !writes.test(name) && name !== 'openSync') return original(...args);
    if (left-- > 0) return original(...args);
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    // Half of what was to be written is there already.
    if (name === 'writeSync' && args[1].length > 1) original(args[0], args[1].subarray(0, args[1].length >> 1), 0);
    process.kill(process.pid, 'SIGKILL');
  };
}`;

/** Runs a command in a process that dies at its nth change of the disk, or for which the disk is full from then on. */
export function runCut(host: Host, at: number, by: 'death' | 'full', ...args: string[]): CliResult {
  const cut = path.join(host.root, 'cut.cjs');
  writeFileSync(cut, PRELOAD);
  const env = { ...host.env, NODE_OPTIONS: `--require "${cut}"`, CUT_AT: String(at), CUT_BY: by };
  return plimsollProcess({ env, projectDir: host.project }, ...args);
}
export const compactCut = (host: Host, at: number, by: 'death' | 'full'): CliResult =>
  runCut(host, at, by, 'track', 'sync');
