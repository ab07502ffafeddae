// How does a hook read what the host sends and answer it, whatever the state of the pipes?
import { readSync, writeSync } from 'node:fs';

const STDIN_MS = 4_000;
const END_OF_OBJECT = '}'.charCodeAt(0);
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** Whether the bytes can be a whole JSON object: the last one that is no space closes one. */
function endsLikeObject(bytes: Buffer): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && isSpace(bytes[last] ?? 0)) last--;
  return bytes[last] === END_OF_OBJECT;
}

/**
 * Reads stdin until its JSON is complete, for some hosts never close it.
 * Null when stdin ends, or goes silent on a non-blocking pipe, before there is whole JSON.
 */
export function readPayload(now: () => number): unknown {
  const end = now() + STDIN_MS;
  const block = Buffer.allocUnsafe(256 * 1024);
  let bytes = Buffer.alloc(0);
  for (;;) {
    let read = 0;
    try {
      read = readSync(0, block);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN' && now() < end) {
        pause(2);
        continue;
      }
      if (code !== 'EOF') return null;
    }
    if (read > 0) bytes = Buffer.concat([bytes, block.subarray(0, read)]);
    if (read > 0 && !endsLikeObject(bytes)) continue;
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      if (read === 0) return null;
    }
  }
}

/** Writes all of a text to stdout, also where the pipe is full for a moment. */
export function printAll(text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pause(1);
    }
  }
}
