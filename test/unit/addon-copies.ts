// Copies of the project without one of its add-ons.
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from './temporary.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const ADDONS = ['check', 'guardrails', 'orchestration', 'rules', 'tracks'];

/** A copy of the sources, and of what else is asked for, without an add-on: its folder, and its one line in the registry. */
export function withoutAddon(name: string, more: readonly string[] = []): string {
  const copy = temporaryFolder();
  for (const each of ['src', 'package.json', 'tsconfig.json', ...more])
    cpSync(path.join(ROOT, each), path.join(copy, each), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  rmSync(path.join(copy, 'src/addons', name), { recursive: true });
  const registry = path.join(copy, 'src/addons/registry.ts');
  const lines = readFileSync(registry, 'utf8').split('\n');
  const others = lines.filter((line) => !line.includes(`'./${name}/index.ts'`));
  expect(others).toHaveLength(lines.length - 1);
  writeFileSync(registry, others.join('\n'));
  const config = { extends: './tsconfig.json', include: ['src'], exclude: ['src/**/*.test.ts'] };
  writeFileSync(path.join(copy, 'tsconfig.rest.json'), JSON.stringify(config));
  return copy;
}
