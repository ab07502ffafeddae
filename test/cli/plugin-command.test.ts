// Tests that the command that the plugin brings runs wherever the plugin lies.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// A file without an ending is read as what the next package.json above it says.
test.each([
  ['of the npm package, or a checkout that was built', { type: 'module' }],
  ['of a package of another kind', { type: 'commonjs' }],
  ['without one, as in the cache of the client', null],
])('plimsoll runs below a package.json %s', (_, manifest) => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'plp-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (manifest !== null) writeFileSync(path.join(root, 'package.json'), JSON.stringify(manifest));
  const plugin = path.join(root, 'dist', 'plugin');
  cpSync(path.join(DIST, 'plugin'), plugin, { recursive: true });
  const { status, stdout, stderr } = spawnSync(path.join(plugin, 'bin', 'plimsoll'), ['--version'], {
    env: {
      HOME: root,
      PATH: [path.join(plugin, 'bin'), path.dirname(process.execPath), '/usr/bin', '/bin'].join(
        path.delimiter,
      ),
    },
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});
