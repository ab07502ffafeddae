// Reads the value of a setting from text, checks it, says what is wrong inside it, and suggests the key that was meant.

import { parse as parseToml } from 'smol-toml';
import * as v from 'valibot';
import { findNearest } from '../text/did-you-mean.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

// Turns text that a person typed, or a variable holds, into the value that a setting expects.
const attempted = (read: () => unknown): unknown[] => {
  try {
    return [read()];
  } catch {
    return [];
  }
};

/** All values that a text can mean, the plainest first. */
function readingsOf(text: string): unknown[] {
  const readings: unknown[] = [text];
  if (/^(?:true|yes|on|1)$/i.test(text)) readings.push(true);
  if (/^(?:false|no|off|0)$/i.test(text)) readings.push(false);
  if (text.trim() !== '') readings.push(Number(text.replace(/(?<=\d)_(?=\d)/g, '')));
  readings.push(...attempted(() => JSON.parse(text)));
  readings.push(...attempted(() => parseToml(`value = ${text}`).value));
  return readings;
}

type Checked = ReturnType<typeof checkValue>;

/** The first accepted reading; else one of the right type, so that the message says what is wrong with it; else the text. */
function meant(text: string, check: (value: unknown) => Checked, wrongKind: string): unknown {
  const readings = readingsOf(text).map((value) => ({ value, checked: check(value) }));
  const found =
    readings.find(({ checked }) => 'value' in checked) ??
    readings.find(({ checked }) => 'problem' in checked && !checked.problem.startsWith(wrongKind));
  return found === undefined ? text : found.value;
}

/** A text as the value that its setting wants. */
export const parseSetting = (key: SettingKey, text: string): unknown =>
  meant(text, (value) => checkValue(key, value), 'Invalid type');

/** The same for one entry of a setting that is a table. */
export const parseEntry = (key: SettingKey, name: string, text: string): unknown =>
  meant(text, (value) => checkValue(key, { [name]: value }), `${name}: Invalid type`);

interface Node {
  entries?: Record<string, Node>;
  item?: Node;
  wrapped?: Node;
}

/** The names allowed in a table at a path in the schema of a setting. */
function namesAt(schema: Node, path: readonly string[]): string[] {
  let at = schema;
  for (const part of path) {
    const below = at.entries?.[part] ?? at.item;
    at = below?.wrapped ?? below ?? {};
  }
  return Object.keys(at.entries ?? {});
}

/** The message of an issue; inside a table or a list it also names the place: `layers.0.only`, counted from 0. */
function problemOf(key: SettingKey, issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue);
  if (place === null) return issue.message;
  if (issue.expected !== 'never') return `${place}: ${issue.message}`;
  const path = (issue.path ?? []).map((each) => String(each.key));
  const near = findNearest(path.pop() ?? '', namesAt(SETTINGS[key].schema as Node, path));
  return `unknown key "${place}"${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Checks one value; the problem says what is expected. */
export function checkValue(key: SettingKey, value: unknown): { value: unknown } | { problem: string } {
  const result = v.safeParse(SETTINGS[key].schema, value);
  if (result.success) return { value: result.output };
  return { problem: result.issues.map((issue) => problemOf(key, issue)).join('; ') };
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

/** Whether a name is that of a table that settings are kept in. */
export const isSection = (name: string | undefined): name is string =>
  name !== undefined && SETTING_KEYS.some((key) => key.startsWith(`${name}.`));

/** The nearest known key to a mistyped one, or the only one of that name in another table; null when none is near. */
export function findNearestKey(name: string): SettingKey | null {
  const [same, ...others] = SETTING_KEYS.filter((key) => lastOf(key) === lastOf(name));
  return findNearest(name, SETTING_KEYS) ?? (others.length === 0 ? (same ?? null) : null);
}
