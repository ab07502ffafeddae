// Reads the status line of a settings file, and runs it as the client does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Host } from '../hooks/host.ts';

export const user = (host: Host): string => path.join(host.env.HOME ?? '', '.claude', 'settings.json');
export const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
export const read = (file: string): string => readFileSync(file, 'utf8');

export interface StatusLine {
  type?: string;
  command: string;
  [key: string]: unknown;
}
export const lineIn = (file: string): StatusLine =>
  (JSON.parse(read(file)) as { statusLine: StatusLine }).statusLine;
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** Runs the status line of a settings file as the client does. */
export const shown = (host: Host, file: string, env: Record<string, string> = {}): string => {
  const input = JSON.stringify({ session_id: 's', cwd: host.project, model: { display_name: 'Opus' } });
  const options = {
    cwd: host.project,
    env: { ...host.env, NO_COLOR: '1', ...env },
    input,
    encoding: 'utf8',
  } as const;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', lineIn(file).command], options);
  expect(`${status} ${stderr}`).toBe('0 ');
  return stdout;
};
export const OURS = 'Opus usage unknown\n';
