// A project with a state file, runs of the `state` commands on it, and how its lines changed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Host, newHost } from '../hooks/host.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';

const FIXTURES = new URL('../fixtures/state/', import.meta.url);
export const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8');
export const FILE = 'ORCHESTRATION.yaml';

export const host = (files: Record<string, string> = {}): Host => newHost({ files });
export const withFile = (name = 'v2.yaml'): Host => host({ [FILE]: fixture(name) });
export const stateIn = (at: Host, folder: string, ...args: string[]): CliResult =>
  plimsoll({ env: at.env, projectDir: folder }, 'state', ...args);
export const state = (at: Host, ...args: string[]): CliResult => stateIn(at, at.project, ...args);
export const textOf = (at: Host, name = FILE): string => readFileSync(path.join(at.project, name), 'utf8');
export const json = <T = Record<string, unknown>>(result: CliResult): T => JSON.parse(result.stdout) as T;

export interface Section {
  [key: string]: unknown;
}
export const section = (at: Host, name = FILE): Section =>
  (parse(textOf(at, name)) as { resumption: Section }).resumption;

/** Lines of a file that are not as they were; only where no line came or went. */
export function changedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  return after.split('\n').filter((line, index) => line !== old[index]);
}
export const withoutStamp = (lines: string[]): string[] => lines.filter((line) => !/updated_at:/.test(line));
