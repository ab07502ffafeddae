// Describes which values a setting may have: in words for messages, and as a JSON schema.

import { toJsonSchema } from '@valibot/to-json-schema';
import { formatThousands } from '../text/lines.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

/** The part of JSON Schema that settings need. */
interface ValueSchema {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  additionalProperties?: ValueSchema | boolean;
  properties?: Record<string, ValueSchema>;
  items?: ValueSchema;
  description?: string;
  default?: unknown;
}

/** The schema of one value. */
function valueSchema(key: SettingKey): ValueSchema {
  const { $schema: _draft, ...schema } = toJsonSchema(SETTINGS[key].schema, {
    target: 'draft-07',
    // Checks across fields have no JSON Schema; only we make them.
    ignoreActions: ['check'],
  });
  return schema as ValueSchema;
}

const table = (description: string): ValueSchema & { properties: Record<string, ValueSchema> } => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties: {},
});

/** The schema of a whole settings file. */
export function buildSettingsSchema() {
  const top = table(
    'Settings of Plimsoll: .plimsoll/config.toml, config.local.toml in the state folder, or those of the user',
  );
  for (const key of SETTING_KEYS) {
    const path = key.split('.');
    const name = path.pop() ?? '';
    let place = top.properties;
    for (const [depth, part] of path.entries()) {
      const below = place[part] ?? table(`Settings ${path.slice(0, depth + 1).join('.')}.*`);
      place[part] = below;
      place = below.properties ?? {};
    }
    const { default: value, meaning } = SETTINGS[key];
    place[name] = {
      description: meaning,
      ...valueSchema(key),
      ...(value === null ? {} : { default: value }),
    };
  }
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Plimsoll settings', ...top };
}

export const formatSettingsSchema = (): string => `${JSON.stringify(buildSettingsSchema(), null, 2)}\n`;

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

export const describeAllowed = (key: SettingKey): string => textRule(key) ?? inWords(valueSchema(key));
