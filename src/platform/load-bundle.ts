// Loads the bundles beside the running file, from the code that V8 compiled for them at an earlier run.
import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

declare const PLIMSOLL_BUILD: string;

/** What stands around the text of a bundle, so that V8 reads it as a function. */
const BEFORE = '(function (exports, require, module) {';
const BEHIND = '\n})';
/** Bytes that are read and compared at once. */
const PIECE = 32 * 1024;

/** Bytes of a file; 0 where it cannot be looked at, which whoever opens it then finds. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Fills memory with what stands next in a file; false where that is less. */
const fill = (memory: Buffer, file: number): boolean =>
  readSync(file, memory, 0, memory.length, null) === memory.length;

/** Reads a bundle as the text of a function. The build leaves nothing but ASCII, which is read so in two thirds of the time. */
function readText(path: string, memory: Buffer): string {
  const file = openSync(path, 'r');
  try {
    const text = memory.subarray(memory.write(BEFORE, 'latin1'), memory.length - BEHIND.length);
    if (!fill(text, file)) throw new Error(`"${path}" ends early`);
    memory.write(BEHIND, memory.length - BEHIND.length, 'latin1');
    return memory.toString('latin1');
  } finally {
    closeSync(file);
  }
}

/**
 * Reads what V8 compiled, or returns undefined where there is none yet. It is kept twice: V8 does not check it, and a wrong
 * byte ends the process.
 */
function readCompiled(path: string, memory: Buffer): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let isWhole = fill(memory, file);
    const again = Buffer.allocUnsafeSlow(Math.min(PIECE, memory.length));
    for (let at = 0; at < memory.length && isWhole; at += PIECE) {
      const piece = memory.subarray(at, at + PIECE);
      const copy = again.subarray(0, piece.length);
      isWhole = fill(copy, file) && piece.equals(copy);
    }
    return isWhole ? memory : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
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
    const compiled = script.createCachedData();
    writeFileSync(draft, Buffer.concat([compiled, compiled]), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch {
    // The disk may be full, or the installation may be read-only.
    try {
      rmSync(draft, { force: true });
    } catch {}
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
    const length = BEFORE.length + sizeOf(filename) + BEHIND.length;
    const half = sizeOf(path) >> 1;
    // One piece of memory for both, the compiled code last: to touch new memory takes longer than to read a file.
    const memory = Buffer.allocUnsafeSlow(Math.max(length, half));
    const text = readText(filename, memory.subarray(0, length));
    const cachedData = readCompiled(path, memory.subarray(0, half));
    const script = new Script(text, { filename, cachedData });
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
