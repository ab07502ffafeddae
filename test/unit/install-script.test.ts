// Tests that the script that installs dependencies does not let npm empty a folder elsewhere.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/install.mjs');

test('a linked node_modules that is out of date is refused, and what it leads to stays', () => {
  const base = temporaryFolder();
  const [copy, theirs] = [join(base, 'clone'), join(base, 'theirs')];
  mkdirSync(join(copy, 'scripts'), { recursive: true });
  mkdirSync(join(theirs, 'a'), { recursive: true });
  copyFileSync(SCRIPT, join(copy, 'scripts', 'install.mjs'));
  writeFileSync(join(copy, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
  writeFileSync(join(copy, 'package.json'), '{}');
  symlinkSync(theirs, join(copy, 'node_modules'));
  const call = `import { installDependencies } from ${JSON.stringify(pathToFileURL(join(copy, 'scripts', 'install.mjs')).href)}; installDependencies();`;
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', call], { encoding: 'utf8' });
  expect(result.stderr).toMatch(/^node_modules is a link: .*\n {2}Next: remove the link/);
  expect([result.status, result.stdout]).toEqual([1, '']);
  expect(readdirSync(theirs)).toEqual(['a']);
});
