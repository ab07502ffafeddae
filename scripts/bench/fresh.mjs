// Makes sure that the benchmark measures the current sources: rebuilds dist/ when it is older than they are.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES, buildAll } from '../build.mjs';

const time = (path) => statSync(path).mtimeMs;

function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  // Node 20.19 calls the folder of an entry `path`, later lines `parentPath`.
  return Math.max(...files.map((entry) => time(join(entry.parentPath ?? entry.path, entry.name))));
}

/** Builds dist/ when a bundle is missing or older than a source; returns the bundles with their sizes. */
export async function freshBundles(root) {
  const names = Object.keys(BUNDLES);
  const built = names.map((name) => join(root, 'dist', `${name}.cjs`));
  const newest = Math.max(
    newestIn(join(root, 'src')),
    time(join(root, 'scripts/build.mjs')),
    time(join(root, 'package.json')),
  );
  const isFresh = built.every((path) => existsSync(path)) && Math.min(...built.map(time)) >= newest;
  if (!isFresh) await buildAll();
  return names.map((name, at) => ({ name, size: statSync(built[at]).size }));
}
