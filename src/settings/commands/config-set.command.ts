// Runs `plimsoll config set` and `config unset`: changes a settings file and tells which value is in force then.

import { dirname } from 'node:path';
import { explainFileError, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { guardHookNote } from '../../install/guard-registered.io.ts';
import { isIgnored } from '../../platform/git/git-state.ts';
import { readNamed } from '../../platform/in-project.ts';
import type { Env } from '../../platform/project/paths.ts';
import { ensureStateFolder } from '../../platform/project/state-folder.ts';
import { isError, PlimsollError } from '../../text/plimsoll-error.ts';
import { redact } from '../../text/redact.ts';
import { describeAllowed } from '../allowed.ts';
import { checkValue, parseEntry, parseSetting } from '../check-value.ts';
import { changeConfigFile } from '../edit/config-file.io.ts';
import { setKey, unsetKey } from '../edit/edit-toml.ts';
import { formatKey, formatValue } from '../edit/toml-text.ts';
import { describeValue, type Effective, findEffective } from '../effective.io.ts';
import { isTable, listSettingsFiles, readLayers, type SettingsLayer } from '../layers.io.ts';
import { loadSettings, resolveLayers } from '../load.io.ts';
import { listNotFollowed, type SettingOrigin, type SettingProblem } from '../resolved.ts';
import { SETTINGS } from '../settings.ts';
import { isOrderFault, THRESHOLD_KEYS } from '../usage-settings.ts';
import type { ConfigScope, ConfigTarget } from './config-key.io.ts';
import { describeOrigin, findConfigFile, findConfigTarget, splitKey } from './config-key.io.ts';

/** The combinations of layers to check: all, those from the changed one down, and for the project's file also it alone. */
const stacksOf = (layers: readonly SettingsLayer[], origin: SettingOrigin): SettingsLayer[][] => {
  const at = layers.findIndex((layer) => layer.origin === origin);
  return [[...layers], layers.slice(at), ...(origin === 'project' ? [layers.slice(at, at + 1)] : [])];
};

/** The first problem that a new text of a layer's file would add; null when there is none. */
function newProblem(
  root: string | null,
  env: Env,
  origin: SettingOrigin,
  text: string,
): SettingProblem | null {
  const path = listSettingsFiles(root, env).find((each) => each.origin === origin)?.path;
  const problemsOf = (layers: readonly SettingsLayer[]): SettingProblem[] => {
    const { problems, together } = resolveLayers(layers);
    return [...problems, ...together];
  };
  const before = stacksOf(readLayers(root, env).layers, origin).map(problemsOf);
  const changed = readLayers(root, env, (each) => (each === path ? text : readNamed(root, each))).layers;
  for (const [index, problems] of stacksOf(changed, origin).map(problemsOf).entries()) {
    // Thresholds that are out of order already may be corrected step by step.
    const isKnown = ({ key, message }: SettingProblem): boolean =>
      (before[index] ?? []).some(
        (each) =>
          each.message === message || (each.key === key && isOrderFault(each) && isOrderFault({ message })),
      );
    const found = problems.find((each) => !isKnown(each));
    if (found !== undefined) return found;
  }
  return null;
}

export interface ConfigSetOptions {
  scope?: ConfigScope;
  json?: boolean;
}

/** Turns an error of changing the file into one for people; returns any other error unchanged. */
function explainError(error: unknown, path: string, place: ProjectContext): unknown {
  const name = displayPath(path, place);
  const at = error as { line?: number | null; column?: number };
  if (!isError(error) && error instanceof Error && typeof at.line === 'number') {
    const [reason = 'no TOML'] = error.message.split('\n');
    const where = `${name}:${at.line}:${at.column ?? 1}`;
    return new PlimsollError('invalid', `${where}: ${redact(reason)}. Nothing was changed`, {
      hint: 'repair that place by hand, then run this again',
      path,
      found: { file: path, line: at.line },
    });
  }
  const hint = 'put that right, or use another --scope; plimsoll config path names the files';
  return explainFileError(error, { name, path }, { verb: 'change', hint });
}

/** Parses the value of a setting. @throws PlimsollError when the text is no value of it */
function valueFrom({ key, entry }: ConfigTarget, text: string): unknown {
  const value = entry === null ? parseSetting(key, text) : parseEntry(key, entry, text);
  const checked = checkValue(key, entry === null ? value : { [entry]: value });
  const isKept = entry === null || ('value' in checked && Object.hasOwn(checked.value as object, entry));
  if ('value' in checked && isKept) return value;
  // In a table, the allowed values alone do not say what is wrong.
  const isPart = typeof SETTINGS[key].default === 'object' && SETTINGS[key].default !== null;
  const why = isPart && 'problem' in checked ? `: ${redact(checked.problem)}` : '';
  throw new PlimsollError('usage', `"${redact(text)}" is no value for ${key}${why}`, {
    hint: `give ${describeAllowed(key)}`,
    found: { key, allowed: describeAllowed(key) },
  });
}

/** A number as it was typed, where TOML allows that form (`200_000`). */
const literalOf = (value: unknown, text: string): string | undefined =>
  typeof value === 'number' && /^[1-9]\d{0,2}(?:_\d{3})+$/.test(text) ? text : undefined;

interface Outcome {
  place: ProjectContext;
  scope: ConfigScope;
  path: string;
  changed: boolean;
}

/** Changes a settings file, unless the change would add a problem. @throws PlimsollError that says what to do */
export function changeSettings(
  place: ProjectContext,
  scope: ConfigScope,
  doing: string,
  edit: (text: string) => string,
): Outcome {
  const path = findConfigFile(place, scope);
  try {
    const changed = changeConfigFile(
      path,
      (text) => {
        const edited = edit(text);
        const problem = edited === text ? null : newProblem(place.root, place.env, scope, edited);
        if (problem === null) {
          if (edited !== text && scope === 'local') ensureStateFolder(place.paths);
          return edited;
        }
        const message = redact(problem.message).replace(/; [^;]* is used$/, '');
        throw new PlimsollError('invalid', `${doing} is refused: ${message}. Nothing was changed`, {
          hint: isOrderFault({ message })
            ? 'choose a value between its neighbours, or change the neighbour first'
            : 'choose another value',
          found: { file: path, key: problem.key ?? null },
        });
      },
      place.root,
      scope === 'local' ? 0o600 : undefined,
    );
    return { place: { ...place, resolved: loadSettings(place.root, place.env) }, scope, path, changed };
  } catch (error) {
    throw explainError(error, path, place);
  }
}

/** Notes on a changed setting: problems with its value, hooks to register, and tables that this file replaces. */
function notesFor({ place, scope, path, changed }: Outcome, target: ConfigTarget | null): string[] {
  if (target === null) return [];
  const isThreshold = THRESHOLD_KEYS.some((key) => key === target.key);
  const problems = place.resolved.problems.filter(
    ({ key }) => key === target.key || (isThreshold && THRESHOLD_KEYS.some((each) => each === key)),
  );
  const { layers } = readLayers(place.root, place.env);
  const own = layers.findIndex((layer) => layer.origin === scope);
  const hidden = layers.slice(own + 1).filter((layer) => layer.values[target.key] !== undefined);
  const isTableHere = isTable(layers[own]?.values[target.key]);
  const isOpen = changed && scope === 'local' && isIgnored(dirname(path), path, place.env) === false;
  const isGuard = target.key === 'guardrails.mode' || target.key === 'guardrails.tools';
  const hook = isGuard ? guardHookNote(place) : null;
  return [
    ...(hook === null ? [] : [`Note: ${hook}`]),
    ...(isOpen
      ? [`Note: git does not ignore ${displayPath(path, place)}; yours alone? Add it to .gitignore`]
      : []),
    ...problems.map(({ message }) => `Problem: ${message}`),
    ...(scope === 'project' && listNotFollowed(place.resolved).includes(target.key)
      ? ["Note: a project's file may not decide that by itself; plimsoll trust lets it count here"]
      : []),
    ...(isTableHere ? hidden : []).map(
      ({ where }) =>
        `Note: the table in ${displayPath(path, place)} replaces the one in ${displayPath(where, place)} as a whole`,
    ),
  ];
}

/** Prints the change, the value in force after it, and which stronger layer overrides it. */
function tell(
  done: Outcome,
  target: ConfigTarget | null,
  said: { line: string; data: object },
  options: ConfigSetOptions,
  output: Output,
): void {
  const { place, scope, path, changed } = done;
  const now: Effective | null =
    target === null ? null : findEffective(target.key, place.root, place.env, place.resolved);
  const ranks = ['env', 'local', 'project', 'user'];
  const isOverridden =
    now !== null && ranks.includes(now.origin) && ranks.indexOf(now.origin) < ranks.indexOf(scope);
  if (options.json) {
    output.print(
      toJson({
        ...said.data,
        scope,
        file: path,
        changed,
        effective: now?.value ?? null,
        origin: now?.origin ?? null,
        where: now?.where ?? null,
        overridden: isOverridden,
        notes: notesFor(done, target),
      }),
    );
    return;
  }
  const lines = [said.line];
  if (now !== null) {
    const from = describeOrigin(place, now);
    lines.push(
      isOverridden
        ? `Still in force: ${describeValue(now.key, now.value)}, from ${from}, which comes first`
        : `In force: ${describeValue(now.key, now.value)} (${from})`,
    );
  }
  output.print(stripControls([...lines, ...notesFor(done, target)].join('\n')));
}

export function configSet(
  place: ProjectContext,
  given: string,
  text: string,
  options: ConfigSetOptions,
  output: Output,
): void {
  const target = findConfigTarget(given);
  const value = valueFrom(target, text);
  const scope = options.scope ?? 'local';
  const name = formatKey(target.path);
  const written = literalOf(value, text) ?? formatValue(value);
  const done = changeSettings(place, scope, `${name} = ${written}`, (before) =>
    setKey(before, target.path, value, literalOf(value, text)),
  );
  const line = `${name} = ${written} ${done.changed ? 'is set in' : 'was set already in'} ${displayPath(done.path, place)}`;
  tell(done, target, { line, data: { key: name, value } }, options, output);
}

/** Finds the key to take out: a known setting, or any other key in the file. */
function unsetTarget(given: string): { target: ConfigTarget | null; path: string[] } {
  try {
    const target = findConfigTarget(given);
    return { target, path: target.path };
  } catch {
    return { target: null, path: splitKey(given) };
  }
}

export function configUnset(
  place: ProjectContext,
  given: string,
  options: ConfigSetOptions,
  output: Output,
): void {
  const { target, path } = unsetTarget(given);
  const scope = options.scope ?? 'local';
  const name = formatKey(path);
  const done = changeSettings(place, scope, `Without ${name} the rest`, (text) => unsetKey(text, path));
  if (!done.changed && target === null) findConfigTarget(given);
  const file = displayPath(done.path, place);
  const line = done.changed
    ? `${name} is taken out of ${file}`
    : `${name} is not set in ${file}: nothing to do`;
  tell(
    done,
    target,
    { line, data: { key: name, default: target === null ? null : SETTINGS[target.key].default } },
    options,
    output,
  );
}
