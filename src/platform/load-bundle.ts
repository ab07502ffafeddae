// Loads the bundles beside the running file, from the code that V8 compiled for them at an earlier run.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

declare const PLIMSOLL_BUILD: string;

/**
 * Returns what V8 compiled, or undefined where there is none yet. It is kept twice: V8 does not check it, and a wrong
 * byte ends the process.
 */
function readCompiled(path: string): Buffer | undefined {
  try {
    const both = readFileSync(path);
    const half = both.length / 2;
    const compiled = both.subarray(0, half);
    return compiled.equals(both.subarray(half)) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // a read-only installation
  }
}

/**
 * Keeps what V8 has compiled by now. A folder that cannot be written leaves every run as slow as the first. The file is
 * written here, not by write.ts, because whatever the loader imports is compiled at every run.
 */
function keepCompiled(path: string, script: Script): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(draft, 'wx', 0o600);
    try {
      const compiled = script.createCachedData();
      writeSync(file, Buffer.concat([compiled, compiled]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch {
    removeDraft(draft); // the disk may be full
  }
}

/**
 * Returns a function that loads a bundle by its relative path, once, and built-in modules as `require` does.
 *
 * @param folder folder of the bundles
 * @param run what this process does: each kind of run calls other functions, and keeps those
 */
export function createBundleLoader(folder: string, run: string): (id: string) => unknown {
  const loaded: Record<string, { exports: unknown }> = {};
  const load = (id: string): unknown => {
    if (!id.startsWith('./')) return require(id);
    const known = loaded[id];
    if (known) return known.exports;
    const filename = `${folder}${id.slice(1)}`;
    const path = `${folder}/compiled/${id.slice(2, -4)}-${run.replace(/[^\w-]/g, '').slice(0, 40)}-${PLIMSOLL_BUILD}-${process.version}`;
    const cachedData = readCompiled(path);
    // The build leaves nothing but ASCII, which is read so in two thirds of the time.
    const text = readFileSync(filename, 'latin1');
    const script = new Script(`(function (exports, require, module) {${text}\n})`, { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected)
      process.once('exit', () => keepCompiled(path, script));
    const module = { exports: {} };
    const define = script.runInThisContext() as (
      exports: unknown,
      require: (id: string) => unknown,
      module: unknown,
    ) => void;
    loaded[id] = module;
    define(module.exports, load, module);
    return module.exports;
  };
  return load;
}
