// Loads settings from layers that are given as texts, each written to where it belongs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { listProjectPaths, listUserPaths } from '../../src/platform/project/paths.ts';
import { loadSettings } from '../../src/settings/load.io.ts';
import type { Resolved, SettingProblem } from '../../src/settings/resolved.ts';
import { temporaryFolder } from './temporary.ts';

export interface Given {
  local?: string;
  project?: string;
  user?: string;
  env?: Record<string, string>;
  /** Files of the client, by their path below root (`.claude/…`) or home (`~/.claude/…`). */
  client?: Record<string, string>;
}

/** Settings as they come out of these layers. */
export function load(given: Given): Resolved & { root: string; env: Record<string, string> } {
  const root = temporaryFolder();
  const home = temporaryFolder();
  const env = { HOME: home, ...given.env };
  const paths = listProjectPaths(root, env);
  const write = (path: string, text: string | undefined): void => {
    if (text === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(paths.localConfig, given.local);
  write(paths.config, given.project);
  write(listUserPaths(env).config, given.user);
  for (const [name, text] of Object.entries(given.client ?? {})) {
    write(name.startsWith('~/') ? join(home, name.slice(2)) : join(root, name), text);
  }
  return { ...loadSettings(root, env), root, env };
}
export const only = (problems: SettingProblem[]): SettingProblem => {
  expect(problems).toHaveLength(1);
  const [problem] = problems;
  if (problem === undefined) throw new Error('no problem');
  return problem;
};

export const thresholdBase = (value: string): string => `[context_monitor]\nthreshold_base = "${value}"\n`;
