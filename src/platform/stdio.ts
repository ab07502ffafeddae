// Reads a hook's payload from stdin and writes its answer to stdout, whatever the state of the pipes.
import { fstatSync, readSync, writeSync } from 'node:fs';
import { pause } from './process.ts';

/** The time for the whole of it, in ms. */
const WHOLE_MS = 4_000;
const END_OF_OBJECT = '}'.charCodeAt(0);
const SPACE = 0x20;

/** Whether the bytes can be a whole JSON object: the last one that is no space is `}`. */
function endsLikeObject(bytes: Buffer): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && (bytes[last] ?? 0) <= SPACE) last--;
  return bytes[last] === END_OF_OBJECT;
}

type Binding = (name: 'pipe_wrap') => { Pipe: new (type: number) => { open(fd: number): void } };

/**
 * Makes reads of stdin return at once, where it is a pipe: a file has an end, and a terminal would stay so for its shell.
 * It takes what `net` itself calls, because loading that costs a hook more (3 ms) than anything else that it does here.
 */
function stopBlocking(): void {
  try {
    const stdin = fstatSync(0);
    if (!stdin.isFIFO() && !stdin.isSocket()) return;
    // The process is ours alone, and has nobody to warn.
    process.noDeprecation = true;
    const { binding } = process as unknown as { binding?: Binding };
    if (binding === undefined)
      new (process.getBuiltinModule('node:net').Socket)({ fd: 0, readable: false, writable: false });
    else new (binding.call(process, 'pipe_wrap').Pipe)(0).open(0);
  } catch {
    // then a host that sends nothing has to end its hook itself
  }
}

/**
 * Reads stdin until its JSON is complete, because some hosts never close it.
 * Null when stdin ends before the JSON is whole, or it does not come in time.
 *
 * @param ms the time for the first byte
 * @param chunks gets the bytes that were read
 */
export function readPayload(now: () => number, ms: number, chunks: Buffer[] = []): unknown {
  stopBlocking();
  const begin = now();
  let end = begin + ms;
  const block = Buffer.allocUnsafe(256 * 1024);
  let size = 0;
  let tried = 0;
  /** Undefined: not whole yet. */
  const parsed = (): unknown => {
    tried = size;
    if (!endsLikeObject(chunks.at(-1) ?? block.subarray(0, 0))) return undefined;
    try {
      return JSON.parse(Buffer.concat(chunks).toString('utf8'));
    } catch {
      return undefined;
    }
  };
  for (;;) {
    let read = 0;
    let isWaiting = false;
    try {
      read = readSync(0, block);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      isWaiting = code === 'EAGAIN' && now() < end;
      if (!isWaiting && code !== 'EOF') return null;
    }
    // What has begun to come is waited for longer than nothing.
    if (read > 0) end = Math.max(end, begin + WHOLE_MS);
    if (read > 0) chunks.push(Buffer.from(block.subarray(0, read)));
    size += read;
    // Each try parses everything so far, so the next one waits until there is twice as much or nothing more comes.
    const value = size > tried && (read === 0 || size >= 2 * tried) ? parsed() : undefined;
    if (value !== undefined) return value;
    if (isWaiting) {
      pause(1);
      continue;
    }
    if (read === 0 || now() > end) return null;
  }
}

/** Writes the whole text to stdout or stderr, even when the pipe is full for a moment. */
export function printAll(text: string, stream: 1 | 2 = 1): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(stream, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pause(1);
    }
  }
}

/** What a process of ours reads and writes besides files. */
export const processIo = {
  cwd: (): string | undefined => {
    try {
      return process.cwd();
    } catch {
      return undefined; // it is gone
    }
  },
  now: Date.now,
  elapsed: (): number => process.uptime() * 1000,
  read: (ms: number): unknown => readPayload(Date.now, ms),
  print: (text: string): void => printAll(text),
};
