// Finds every fault in all layers of settings, even those that a stronger layer hides, with its place and its fix.

import { readNamed } from '../platform/in-project.ts';
import type { Env } from '../platform/project/paths.ts';
import { findNearest } from '../text/did-you-mean.ts';
import { redact } from '../text/redact.ts';
import { describeAllowed } from './allowed.ts';
import { findNearestKey, isSection } from './check-value.ts';
import { formatKey } from './edit/toml-text.ts';
import { findKeyLine } from './effective.io.ts';
import { listSettingsFiles, type Reader, readLayers, type SettingsLayer } from './layers.io.ts';
import { findValueProblem, resolveLayers } from './load.io.ts';
import type { SettingOrigin, SettingProblem } from './resolved.ts';
import { buildVariableName, SETTING_KEYS, type SettingKey } from './settings.ts';
import { isOrderFault } from './usage-settings.ts';

export interface Fault {
  origin: SettingOrigin;
  /** A file, or the name of a variable. */
  where: string;
  line: number | null;
  column: number | null;
  key: string | null;
  message: string;
  next: string;
}

const isKey = (name: string | undefined): name is SettingKey => SETTING_KEYS.some((key) => key === name);

/** Variables that look like one of our settings but are none; unrelated ones with the same prefix are left alone. */
function strangeVariables(env: Env): SettingProblem[] {
  const known = SETTING_KEYS.map(buildVariableName);
  const sections = new Set(
    SETTING_KEYS.filter((key) => key.includes('.')).map((key) => key.split('.')[0] ?? ''),
  );
  return Object.keys(env).flatMap((name): SettingProblem[] => {
    if (!name.startsWith('PLIMSOLL_') || known.includes(name)) return [];
    const section = /^PLIMSOLL_(.+?)__/.exec(name)?.[1]?.toLowerCase() ?? '';
    const near = findNearest(name, known);
    if (near === null && !sections.has(section)) return [];
    const meant = near === null ? '' : `; did you mean ${near}?`;
    return [{ origin: 'env', where: name, message: `no setting has this variable${meant}` }];
  });
}

/**
 * Problems that several keys cause together. It checks all layers, then each layer with those below it, then the
 * project's file alone: a fault that only another file corrects still hits whoever does not have that file.
 */
function togetherProblems(layers: readonly SettingsLayer[]): SettingProblem[] {
  const stacks = layers.map((_, index) => layers.slice(index));
  const shared = layers.filter(({ origin }) => origin === 'project');
  return [...stacks, shared].flatMap((stack) => resolveLayers(stack).together);
}

function nextFor({ origin, where, key, message }: SettingProblem, path: readonly string[]): string {
  if (/:\d+:\d+$/.test(where)) return 'repair that place by hand; no command changes this file until then';
  if (key === undefined && origin !== 'env') return 'make it a file that you may read, or take it away';
  if (origin === 'env')
    return isKey(key)
      ? `unset the variable, or give it ${describeAllowed(key)}`
      : 'unset the variable, or correct its name';
  if (isSection(key)) return `write it once, as a table [${key}]`;
  if (!isKey(key)) {
    const near = findNearestKey(key ?? '');
    const instead = near === null ? '' : `, then plimsoll config set ${near} VALUE --scope ${origin}`;
    return `plimsoll config unset ${formatKey(path)} --scope ${origin}${instead}`;
  }
  if (isOrderFault({ message }))
    return `plimsoll config unset ${key} --scope ${origin}, or set one that fits between its neighbours`;
  return `plimsoll config set ${key} VALUE --scope ${origin}, with ${describeAllowed(key)}`;
}

/**
 * Every fault of every layer, strongest layer first, each once.
 * @param read gives the text of a file, by default from the disk
 */
export function findSettingsFaults(
  root: string | null,
  env: Env,
  read: Reader = (path) => readNamed(root, path),
): Fault[] {
  const { layers, problems } = readLayers(root, env, read);
  const files = listSettingsFiles(root, env);
  const all = [
    ...problems,
    ...strangeVariables(env),
    ...layers.flatMap((layer) =>
      Object.keys(layer.values).flatMap((name) => findValueProblem(layer, name) ?? []),
    ),
    ...togetherProblems(layers),
  ];
  const faults = all.map((problem): Fault => {
    const at = /:(\d+):(\d+)$/.exec(problem.where);
    const file = files.find((each) => each.origin === problem.origin)?.path;
    const place = at === null ? null : { line: Number(at[1]), column: Number(at[2]) };
    const key = problem.key ?? '';
    const path = layers.find((each) => each.origin === problem.origin)?.paths[key] ?? key.split('.');
    const line = file === undefined || key === '' ? null : findKeyLine(read(file), path);
    return {
      origin: problem.origin,
      where: file ?? (isKey(problem.key) ? buildVariableName(problem.key) : problem.where),
      line: place?.line ?? line,
      column: place?.column ?? null,
      key: problem.key ?? null,
      message: redact(problem.message),
      next: nextFor(problem, path),
    };
  });
  const seen = new Set<string>();
  return faults.filter((each) => {
    const name = JSON.stringify([each.where, each.key, each.message]);
    return !seen.has(name) && seen.add(name);
  });
}
