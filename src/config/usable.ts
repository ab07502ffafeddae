// Extracts the valid part of a faulty table, so that one misspelt entry does not disable the others.
import { checkValue } from './check-value.ts';
import type { SettingKey } from './settings.ts';

const isRight = (key: SettingKey, name: string, value: unknown): boolean =>
  'value' in checkValue(key, { [name]: value });

/** The valid entries of a setting's table, lists without their faulty items; undefined when nothing is valid. */
export function usablePart(key: SettingKey, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (isRight(key, name, each)) return [[name, each]];
    const items = Array.isArray(each) ? each.filter((item) => isRight(key, name, [item])) : [];
    return items.length > 0 ? [[name, items]] : [];
  });
  if (entries.length === 0) return undefined;
  const checked = checkValue(key, Object.fromEntries(entries));
  return 'value' in checked ? checked.value : undefined;
}
