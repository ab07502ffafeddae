// Builds the JSON Schema (draft 7, which taplo reads) of a settings file from the settings object, for editors.
import { toJsonSchema } from '@valibot/to-json-schema';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

/** The part of JSON Schema that settings need. */
export interface ValueSchema {
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
export function valueSchema(key: SettingKey): ValueSchema {
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
export function settingsSchema() {
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

export const settingsSchemaText = (): string => `${JSON.stringify(settingsSchema(), null, 2)}\n`;
