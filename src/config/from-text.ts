// Which value does a text stand for that a person typed, or that a variable holds?
import { parse as parseToml } from 'smol-toml';
import { checkValue, type SettingKey } from './settings.ts';

const attempted = (read: () => unknown): unknown[] => {
  try {
    return [read()];
  } catch {
    return [];
  }
};

/** All that a text can mean, the plainest first. */
function readingsOf(text: string): unknown[] {
  const readings: unknown[] = [text];
  if (/^(?:true|yes|on|1)$/i.test(text)) readings.push(true);
  if (/^(?:false|no|off|0)$/i.test(text)) readings.push(false);
  if (text.trim() !== '') readings.push(Number(text.replace(/(?<=\d)_(?=\d)/g, '')));
  readings.push(...attempted(() => JSON.parse(text)));
  readings.push(...attempted(() => parseToml(`value = ${text}`).value));
  return readings;
}

/** A text as the value that its setting wants: the first reading that the schema accepts; else the text. */
export const fromText = (key: SettingKey, text: string): unknown =>
  readingsOf(text).find((value) => 'value' in checkValue(key, value)) ?? text;

/** The same for one entry of a setting that is a table. */
export const entryFromText = (key: SettingKey, name: string, text: string): unknown =>
  readingsOf(text).find((value) => 'value' in checkValue(key, { [name]: value })) ?? text;
