// Installs the dependencies that the lockfile names, where they are missing or outdated, as in a fresh clone.
import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const timeOf = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Says what is wrong and what to do, and ends the process. */
function stop(what, next) {
  console.error(`${what}\n  Next: ${next}`);
  process.exit(1);
}

/** Runs `npm ci` unless an installation newer than the lockfile is there. Exits with npm's words when it fails. */
export function installDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(
      `Node 20.19 or newer is needed, this is ${process.versions.node}.`,
      'install a newer Node, then run this again',
    );
  }
  if (timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json')) return;
  if (lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    stop(
      'node_modules is a link: npm ci would empty the folder that it leads to.',
      'remove the link, then run this again; it makes a folder of its own',
    );
  console.log('Installing dependencies (npm ci) …');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return;
  stop('npm ci failed.', 'see the words above; the registry must be reachable');
}
