// Describes in words which values a setting may have, for messages and the reference.
import { formatThousands } from '../text/lines.ts';
import { type ValueSchema, valueSchema } from './schema.ts';
import { SETTINGS, type SettingKey } from './settings.ts';

const written = (number: number): string =>
  Number.isInteger(number) ? formatThousands(number) : String(Number(number.toFixed(2)));

function inWords(schema: ValueSchema): string {
  if (schema.enum !== undefined) {
    const last = schema.enum.at(-1);
    const others = schema.enum.slice(0, -1).join(', ');
    return others === '' ? String(last) : `${others} or ${last}`;
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'number' || schema.type === 'integer') {
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
    const { minimum, maximum } = schema;
    return minimum === undefined || maximum === undefined
      ? kind
      : `${kind} from ${written(minimum)} to ${written(maximum)}`;
  }
  if (typeof schema.additionalProperties === 'object')
    return `a table: names, each with ${inWords(schema.additionalProperties)}`;
  if (schema.properties !== undefined) return `a table with ${Object.keys(schema.properties).join(', ')}`;
  // A list of tables; below, a list of texts.
  if (schema.type === 'array' && schema.items?.properties !== undefined)
    return `a list: each ${inWords(schema.items)}`;
  return schema.type === 'array' ? 'a list' : 'a text';
}

/** The rule for a text setting, in the words of its own check; null for any other setting. */
function textRule(key: SettingKey): string | null {
  const { pipe = [] } = SETTINGS[key].schema as { pipe?: { type: string; message?: unknown }[] };
  const rule = pipe.find(({ type }) => type === 'regex')?.message;
  return typeof rule === 'string' ? rule.replace(/^Expected /, '') : null;
}

export const allowedFor = (key: SettingKey): string => textRule(key) ?? inWords(valueSchema(key));
