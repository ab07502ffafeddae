// Tests that the pages and files made from the settings object say what it says now.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildSettingsSchema, formatSettingsSchema } from '../../src/settings/allowed.ts';
import { formatReference } from '../../src/settings/reference.io.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS } from '../../src/settings/settings.ts';

const read = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '../..', name), 'utf8');

test('docs/settings.md is what npm run docs makes', () => {
  expect(read('docs/settings.md')).toBe(formatReference());
});

test('schema/config.schema.json is what npm run docs makes, and part of the package', () => {
  expect(read('schema/config.schema.json')).toBe(formatSettingsSchema());
  expect((JSON.parse(read('package.json')) as { files: string[] }).files).toContain('schema');
});

test('every key is documented once, with meaning, default, values and variable', () => {
  const page = formatReference();
  for (const key of SETTING_KEYS) {
    const sections = page.split(/^### /m).filter((each) => each.startsWith(`\`${key}\`\n`));
    expect([key, sections.length]).toEqual([key, 1]);
    for (const words of [SETTINGS[key].meaning, '- Default: ', '- Values: ', `\`${buildVariableName(key)}\``])
      expect(sections[0]).toContain(words);
  }
});

test('a key that is not set by default says what holds instead', () => {
  for (const key of SETTING_KEYS) {
    const { default: value, unset } = SETTINGS[key];
    expect([key, unset === null]).toEqual([key, value !== null]);
  }
});

test('the schema knows every key, refuses others, and holds its values to what the check takes', () => {
  const schema = buildSettingsSchema();
  const monitor = schema.properties.context_monitor;
  expect(schema.additionalProperties).toBe(false);
  expect(monitor?.additionalProperties).toBe(false);
  expect(monitor?.properties).toMatchObject({
    threshold_base: { type: 'string', enum: ['limit', 'window'], default: 'limit' },
    warning_threshold: { type: 'number', minimum: 0.01, maximum: 1 },
    window_tokens: { type: 'integer', minimum: 10_000, maximum: 10_000_000 },
    model_windows: { type: 'object', additionalProperties: { type: 'integer', minimum: 10_000 } },
  });
  for (const key of SETTING_KEYS) {
    let found = schema as { properties?: Record<string, object>; description?: string };
    for (const part of key.split('.')) found = found.properties?.[part] ?? {};
    expect(found.description).toBe(SETTINGS[key].meaning);
  }
});
