// Which values may a setting have, in words?
import { type ValueSchema, valueSchema } from './schema.ts';
import type { SettingKey } from './settings.ts';

const written = (number: number): string => number.toLocaleString('en-US', { maximumFractionDigits: 2 });

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
  // Of several tables, or of texts.
  if (schema.type === 'array' && schema.items?.properties !== undefined)
    return `a list: each ${inWords(schema.items)}`;
  return schema.type === 'array' ? 'a list' : 'a text without control characters, < and >';
}

export const allowedFor = (key: SettingKey): string => inWords(valueSchema(key));
