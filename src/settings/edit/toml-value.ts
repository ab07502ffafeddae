// Writes keys and values as TOML text.
import { TomlDate } from 'smol-toml';

const ESCAPES: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

const quoted = (text: string): string =>
  `"${text.replace(
    /["\\\u0000-\u001f\u007f]/g,
    (sign) => ESCAPES[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}"`;

const keyText = (part: string): string => (/^[A-Za-z0-9_-]+$/.test(part) ? part : quoted(part));

export const pathText = (path: readonly string[]): string => path.map(keyText).join('.');

/** @throws on a value that TOML cannot express */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) throw new Error('TOML has no word for this value');
  const entries = Object.entries(value).map(([key, each]) => `${keyText(key)} = ${valueText(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
