// Tests that an add-on can be deleted: its folder and its one line in the registry.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../../scripts/house/measure.mjs';
import { some } from '../kit/effort.ts';
import { ADDONS, ROOT, withoutAddon } from './addon-copies.ts';
import { load } from './layers.ts';

/** The native compiler: the check runs once for each add-on. */
const TYPES = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');

test.each(some(ADDONS, 1))('without the add-on %s the rest type-checks, and is bundled', (name) => {
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

test('settings are read again when what add-ons read changes', () => {
  const { stamps, root } = load({});
  expect(stamps.map((stamp) => path.relative(root, stamp.path))).toEqual(
    expect.arrayContaining([
      'docs/tracks',
      '.plimsoll/rules',
      '.claude/rules',
      '.context/rules',
      'CLAUDE.md',
      'AGENTS.md',
    ]),
  );
});
