// Makes sure that the benchmark measures the current sources: rebuilds dist/ when it is older than they are.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '../build.mjs';
import { CHUNKS } from '../chunks.mjs';

const time = (path) => statSync(path).mtimeMs;

function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  // Node 20.19 calls the folder of an entry `path`, later lines `parentPath`.
  return Math.max(...files.map((entry) => time(join(entry.parentPath ?? entry.path, entry.name))));
}

/** Builds dist/ when a chunk is missing or older than a source; returns the chunks with their sizes. */
export async function freshChunks(root) {
  const built = [...Object.keys(CHUNKS), 'cli'].map((name) => join(root, 'dist', `${name}.cjs`));
  const isThere = () => built.every((path) => existsSync(path));
  const newest = Math.max(
    newestIn(join(root, 'src')),
    time(join(root, 'scripts/build.mjs')),
    time(join(root, 'package.json')),
  );
  let fault = null;
  if (!isThere() || Math.min(...built.map(time)) < newest) {
    try {
      await buildAll();
    } catch (error) {
      // A chunk above its limit or a type error stops the build, but not the question of how fast it is.
      if (!isThere()) throw error;
      fault = error.message;
    }
  }
  const sizes = Object.entries(CHUNKS).map(([name, { limit }]) => ({
    name,
    limit,
    size: statSync(join(root, 'dist', `${name}.cjs`)).size,
  }));
  return { sizes, fault };
}
