// Runs `plimsoll config get`, `show`, `path`, `schema` and `validate`: settings, their origins, files, schema, problems.

import { formatCount, formatTable, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { exists } from '../../platform/look.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { buildSettingsSchema } from '../allowed.ts';
import { describeValue, findEffective } from '../effective.io.ts';
import { type Fault, findSettingsFaults } from '../find-faults.io.ts';
import { listSettingsFiles } from '../layers.io.ts';
import { listNotFollowed } from '../resolved.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS } from '../settings.ts';
import { describeOrigin, findConfigTarget } from './config-key.io.ts';

// Runs `plimsoll config validate`: prints each problem in the settings of all layers, with its place and the fix.
const placeWords = (place: ProjectContext, { where, line, column }: Fault): string =>
  [displayPath(where, place), line, column].filter((part) => part !== null).join(':');

/** Prints the problems. @returns whether there are none */
export function configValidate(place: ProjectContext, options: { json?: boolean }, output: Output): boolean {
  const faults = findSettingsFaults(place.root, place.env);
  const files = listSettingsFiles(place.root, place.env).filter(({ path }) => exists(path));
  if (options.json) {
    output.print(toJson({ ok: faults.length === 0, files: files.map(({ path }) => path), problems: faults }));
    return faults.length === 0;
  }
  for (const fault of faults)
    output.print(stripControls(`${placeWords(place, fault)}: ${fault.message}\n  Next: ${fault.next}`));
  const looked = ['the environment', ...files.map(({ path }) => displayPath(path, place))].join(', ');
  output.print(
    faults.length === 0
      ? `The settings are in order. Looked at: ${looked}${files.length === 0 ? '; there is no settings file' : ''}.`
      : `\n${formatCount(faults.length, 'problem')}. What is not usable is left out, and the next layer or the default counts.`,
  );
  return faults.length === 0;
}

interface Json {
  json?: boolean;
}

export interface ConfigShowOptions extends Json {
  origin?: boolean;
}

export function configGet(place: ProjectContext, given: string, options: Json, output: Output): void {
  const { key, entry } = findConfigTarget(given);
  const found = findEffective(key, place.root, place.env, place.resolved);
  const isSet = entry === null || Object.hasOwn(found.value as object, entry);
  if (!isSet)
    throw new PlimsollError('not-found', `${key} has no entry "${entry}"`, {
      hint: `plimsoll config set ${given} VALUE adds it; plimsoll config get ${key} shows those there are`,
      found: { key, entry },
    });
  const value = entry === null ? found.value : (found.value as Record<string, unknown>)[entry];
  output.print(
    options.json
      ? toJson({
          ...found,
          ...(entry === null ? {} : { entry, value }),
          default: SETTINGS[key].default,
          variable: buildVariableName(key),
        })
      : stripControls(describeValue(key, value)),
  );
}

export function configShow(place: ProjectContext, options: ConfigShowOptions, output: Output): void {
  const all = SETTING_KEYS.map((key) => findEffective(key, place.root, place.env, place.resolved));
  const { problems } = place.resolved;
  const held = listNotFollowed(place.resolved);
  if (options.json) {
    const settings = all.map((each) => ({
      ...each,
      default: SETTINGS[each.key].default,
      is_default: each.origin === 'default',
      variable: buildVariableName(each.key),
    }));
    output.print(toJson({ root: place.root, settings, problems, not_followed: held }));
    return;
  }
  const words = all.map((each) => stripControls(describeValue(each.key, each.value)) || '""');
  const width = Math.min(24, Math.max(...words.map((each) => each.length)));
  const rows = all.map((each, index): [string, string] => {
    const from = describeOrigin(place, each);
    const mark = options.origin
      ? from
      : each.origin === 'default'
        ? '(default)'
        : each.origin === 'preset'
          ? `(${from})`
          : '';
    return [each.key, `${(words[index] ?? '').padEnd(width)}  ${mark}`.trimEnd()];
  });
  const faults =
    problems.length === 0
      ? ''
      : `\n\n${formatCount(problems.length, 'problem')}: plimsoll config validate names them`;
  const left =
    held.length === 0
      ? ''
      : `\n\nNot followed of the project's settings, until you allow it: ${held.join(', ')}. Next: plimsoll trust`;
  output.print(`${formatTable(rows)}${left}${faults}`);
}

export function configPath(place: ProjectContext, options: Json, output: Output): void {
  const files = listSettingsFiles(place.root, place.env).map(({ origin, path }) => ({
    scope: origin,
    path,
    exists: exists(path),
  }));
  output.print(
    options.json
      ? toJson({ root: place.root, files })
      : formatTable(
          files.map((each) => [
            each.scope,
            `${displayPath(each.path, place)}${each.exists ? '' : '  (not there)'}`,
          ]),
        ),
  );
}

export const configSchema = (output: Output): void => output.print(toJson(buildSettingsSchema()));
