// Tests that hooks hold, whatever the transcript looks like.
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { answer, jsonl, request } from '../unit/lines.ts';
import type { Odd } from './calls.ts';
import type { Host } from './host.ts';
import { byFifo, byFolder, byLoop, byNowhere, hold, replaced } from './odd.ts';

/** Files that every moment may share, for nothing writes to them. */
let shared = '';
const largeFile = (name: string): string => path.join(shared, `${name}.jsonl`);
const KNOWN = jsonl([request('go'), answer(30_000)]);

beforeAll(() => {
  shared = mkdtempSync(path.join(realpathSync(tmpdir()), 'plh-large-'));
  const sparse = (name: string, ...texts: [number, string][]): void => {
    const descriptor = openSync(largeFile(name), 'w');
    ftruncateSync(descriptor, 1024 ** 3);
    for (const [at, text] of texts) writeSync(descriptor, text, at);
    closeSync(descriptor);
  };
  sparse('hole');
  sparse('hole-then-answer', [1024 ** 3, `\n${KNOWN}`]);
  const piece = 'x'.repeat(1024 * 1024);
  const long = `{"type":"user","message":{"role":"user","content":"${piece.repeat(100)}`;
  writeFileSync(largeFile('long-torn'), `${KNOWN}${long}`);
  writeFileSync(largeFile('long-whole'), `${KNOWN}${long}"}}\n`);
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));
const transcript = (by: (target: string) => void) => (host: Host) => replaced(host.transcript, by);
const holds = (text: string | Buffer) => transcript((target) => writeFileSync(target, text));
const large = (name: string) => (): Odd => ({ fields: { transcript_path: largeFile(name) } });

describe('a transcript that is', () => {
  hold([
    {
      name: 'not there yet',
      make: (host) => rmSync(host.transcript) as undefined,
      isFault: false,
      speaks: false,
    },
    { name: 'a link to nowhere', make: transcript(byNowhere), isFault: false, speaks: false },
    { name: 'empty', make: holds(''), isFault: false, speaks: false },
    { name: 'a folder', make: transcript(byFolder), isFault: true, speaks: false },
    { name: 'a FIFO', make: transcript(byFifo), isFault: true, speaks: false },
    { name: 'a link to itself', make: transcript(byLoop), isFault: true, speaks: false },
    {
      name: 'a device without an end',
      make: () => ({ fields: { transcript_path: '/dev/zero' } }),
      isFault: true,
      speaks: false,
    },
    { name: 'a hole of 1 GB', make: large('hole'), isFault: false, speaks: false },
    {
      name: 'a hole of 1 GB before an answer',
      make: large('hole-then-answer'),
      isFault: false,
      speaks: true,
    },
    {
      name: 'lines around a block of NULs',
      make: holds(`\0\0${KNOWN}${'\0'.repeat(9_000)}`),
      isFault: false,
      speaks: true,
    },
    {
      name: 'lines glued to blocks of NULs',
      make: holds(KNOWN.split('\n').join(`\n${'\0'.repeat(4_096)}`)),
      isFault: false,
      speaks: true,
    },
    { name: '5 MB of NULs', make: holds(Buffer.alloc(5_000_000)), isFault: false, speaks: false },
    {
      name: 'binary',
      make: holds(Buffer.from(Array.from({ length: 9_999 }, (_, n) => (n * 7) % 256))),
      isFault: false,
      speaks: false,
    },
    {
      name: 'full of lines that are no objects',
      make: holds('7\n[]\nnull\n"a"\n{\n'.repeat(2_000)),
      isFault: false,
      speaks: false,
    },
    {
      name: 'nested 100,000 deep',
      make: holds(`${KNOWN}{"type":"assistant","usage":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`),
      isFault: false,
      speaks: true,
    },
    { name: 'ended by a torn line of 100 MB', make: large('long-torn'), isFault: false, speaks: false },
    { name: 'ended by a whole line of 100 MB', make: large('long-whole'), isFault: false, speaks: false },
    {
      name: 'ended by a line of 3 MB',
      make: (host) => appendFileSync(host.transcript, jsonl([request('x '.repeat(1_500_000))])) as undefined,
      isFault: false,
      speaks: true,
    },
  ]);
});
