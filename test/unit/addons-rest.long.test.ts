// Tests that the tests of the rest pass without an add-on: in a copy without it, all those that do not speak of it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ADDONS, ROOT, withoutAddon } from './addon-copies.ts';

const REGISTRY = 'src/addons/registry.ts';

/** The relative imports of a file, of types too. */
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)]
    .map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
    .filter((each) => each !== REGISTRY && existsSync(path.join(ROOT, each)));

/** Whether a test reaches an add-on by what it imports; what the registry lists is not meant. */
function reaches(file: string, folder: string, seen = new Set<string>()): boolean {
  if (file.startsWith(folder)) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((each) => reaches(each, folder, seen));
}

const TESTS = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`);

test.each(ADDONS)('without the add-on %s the tests of the rest pass', (name) => {
  const copy = withoutAddon(name, ['test', 'scripts', 'plugin', 'schema', 'docs', 'vitest.config.ts']);
  const rest = TESTS.filter((file) => !reaches(file, `src/addons/${name}/`));
  expect(rest.length).toBeGreaterThan(TESTS.length / 3);
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stderr, stdout, status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'unit', ...rest],
    {
      cwd: copy,
      env: { PATH: process.env.PATH, HOME: copy, TMPDIR: process.env.TMPDIR },
      encoding: 'utf8',
    },
  );
  const failed = (stdout + stderr).split('\n').filter((line) => /FAIL|Error:/.test(line));
  expect(failed).toEqual([]);
  expect(status).toBe(0);
});
