// Turns text that a person typed, or a variable holds, into the value that a setting expects.
import { parse as parseToml } from 'smol-toml';
import { checkValue } from './check-value.ts';
import type { SettingKey } from './settings.ts';

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
export const fromText = (key: SettingKey, text: string): unknown =>
  meant(text, (value) => checkValue(key, value), 'Invalid type');

/** The same for one entry of a setting that is a table. */
export const entryFromText = (key: SettingKey, name: string, text: string): unknown =>
  meant(text, (value) => checkValue(key, { [name]: value }), `${name}: Invalid type`);
