// Checks the value of a setting, says what is wrong inside it, and suggests the key that was probably meant.
import * as v from 'valibot';
import { nearest } from '../text/did-you-mean.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

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
  const near = nearest(path.pop() ?? '', namesAt(SETTINGS[key].schema as Node, path));
  return `unknown key "${place}"${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Checks one value; the problem says what is expected. */
export function checkValue(key: SettingKey, value: unknown): { value: unknown } | { problem: string } {
  const result = v.safeParse(SETTINGS[key].schema, value);
  if (result.success) return { value: result.output };
  return { problem: result.issues.map((issue) => problemOf(key, issue)).join('; ') };
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

/** The nearest known key to a mistyped one, or the only one of that name in another table; null when none is near. */
export function nearestKey(name: string): SettingKey | null {
  const [same, ...others] = SETTING_KEYS.filter((key) => lastOf(key) === lastOf(name));
  return nearest(name, SETTING_KEYS) ?? (others.length === 0 ? (same ?? null) : null);
}
