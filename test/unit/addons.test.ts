// Tests that an add-on can be deleted: its folder and its one line in the registry.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../../scripts/house/measure.mjs';
import { temporaryFolder } from './temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The native compiler: the check runs once for each add-on. */
const TYPES = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');
const ADDONS = ['check', 'guardrails', 'orchestration', 'rules', 'tracks'];

/** A copy of the sources without an add-on. */
function withoutAddon(name: string): string {
  const copy = temporaryFolder();
  for (const each of ['src', 'package.json', 'tsconfig.json'])
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

test.each(ADDONS)('without the add-on %s the rest type-checks, and is bundled', (name) => {
  const copy = withoutAddon(name);
  const { stdout, status } = spawnSync(
    process.execPath,
    [TYPES, '-p', path.join(copy, 'tsconfig.rest.json')],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  expect(status).toBe(0);
  const bundled = execFileSync(
    path.join(ROOT, 'node_modules/.bin/esbuild'),
    [path.join(copy, 'src/cli/main.io.ts'), '--bundle', '--platform=node', '--log-level=error'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  expect(bundled).not.toContain(`src/addons/${name}/`);
});

test('no add-on imports another', () => {
  const addonOf = (file: string): string | undefined => /^src\/addons\/([^/]+)\//.exec(file)?.[1];
  const across = readSources(ROOT).flatMap(({ path: file, imports }) =>
    imports.flatMap((each) => {
      const [from, to] = [addonOf(file), addonOf(each.path)];
      return from === undefined || to === undefined || from === to ? [] : [`${file} → ${each.path}`];
    }),
  );
  expect(across).toEqual([]);
});
