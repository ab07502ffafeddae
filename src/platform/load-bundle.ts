// Loads the bundles beside the running file, from the code that V8 compiled for them at an earlier run.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

declare const PLIMSOLL_BUILD: string;

/** What stands around the text of a bundle, so that V8 reads it as a function. */
const BEFORE = '(function (exports, require, module) {';
const BEHIND = '\n})';
/** Bytes that are read and compared at once. */
const PIECE = 32 * 1024;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Opens a file for one who fills memory with what stands in it, piece by piece; one that ends before is an error. */
function withFile<T>(path: string, use: (fill: (memory: Buffer) => Buffer) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((memory) => {
      for (let at = 0; at < memory.length; ) {
        const read = readSync(file, memory, at, memory.length - at, null);
        if (read === 0) throw new Error(`"${path}" ends early`);
        at += read;
      }
      return memory;
    });
  } finally {
    closeSync(file);
  }
}

/** Reads a bundle as the text of a function. The build leaves nothing but ASCII, which is read so in two thirds of the time. */
function readText(path: string, memory: Buffer): string {
  const from = memory.write(BEFORE, 'latin1');
  const to = memory.length - BEHIND.length;
  withFile(path, (fill) => fill(memory.subarray(from, to)));
  memory.write(BEHIND, to, 'latin1');
  return memory.toString('latin1');
}

/**
 * Reads what V8 compiled, or returns undefined where there is none yet. It is kept twice: V8 does not check it, and a wrong
 * byte ends the process.
 */
function readCompiled(path: string, memory: Buffer): Buffer | undefined {
  try {
    return withFile(path, (fill) => {
      const compiled = fill(memory);
      const again = Buffer.allocUnsafeSlow(Math.min(PIECE, compiled.length));
      for (let at = 0; at < compiled.length; at += PIECE) {
        const piece = compiled.subarray(at, at + PIECE);
        if (!fill(again.subarray(0, piece.length)).equals(piece)) return undefined;
      }
      return compiled;
    });
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
