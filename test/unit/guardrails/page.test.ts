// Tests that docs/guardrails.md says what the rules and their tests say now.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DECISIONS, RULE_NAMES } from '../../../src/hosts/verdict.ts';
import { SETTING_KEYS } from '../../../src/settings/settings.ts';
import { KNOWN_MISSES } from './known-misses.ts';
import { pageWith } from './page.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/guardrails.md'), 'utf8');

test('docs/guardrails.md is what npm run docs makes of it', () => {
  expect(page).toBe(pageWith(page));
});

test('it names every rule, decision, setting and known miss', () => {
  const settings = SETTING_KEYS.filter((key) => /^guardrails\./.test(key));
  for (const words of [...RULE_NAMES, ...DECISIONS, ...settings])
    expect(page, words).toContain(`\`${words}\``);
  for (const { what, why } of KNOWN_MISSES) {
    expect(page).toContain(`**${what}.**`);
    expect(page).toContain(why);
  }
});

test('a page without a place for a part is refused', () => {
  expect(() => pageWith(page.replace('<!-- end of presets -->', ''))).toThrow('no place for "presets"');
});
