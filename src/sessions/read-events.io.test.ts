import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong, runs } from '../../test/kit/effort.ts';
import { AT_THE_MOMENT, program, start, together } from '../../test/unit/programs.ts';
import { namedProject, pathsIn, temporaryProject } from '../../test/unit/temporary.ts';
import { eventsFolder, nameOfSession, type ProjectPaths, streamPath } from '../platform/project/paths.ts';
import { remove } from '../platform/write.ts';
import { LOG_VERSION, type LogEvent } from './log-event.ts';
import { appendEvents, listStreams, readEvents, VersionConflict } from './read-events.io.ts';

const NOW = Date.parse('2026-11-28T07:00:00.000Z');

const checkpoint = (number: number, id?: string): LogEvent => ({
  type: 'CheckpointCreated',
  conversation: 'c',
  checkpoint: `cx-${number}`,
  trigger: 'auto',
  epoch: 0,
  ...(id === undefined ? {} : { id }),
});
const append = (paths: ProjectPaths, ...events: LogEvent[]) => appendEvents(paths, 's', events, { now: NOW });

/** Puts bytes at the end of a stream as somebody else may have. */
function found(paths: ProjectPaths, bytes: string | Uint8Array): void {
  mkdirSync(dirname(streamPath(paths, 's')), { recursive: true });
  appendFileSync(streamPath(paths, 's'), bytes);
}
const names = (paths: ProjectPaths): string[] =>
  readEvents(paths, 's').events.map((event) => (event as { checkpoint: string }).checkpoint);
const versions = (paths: ProjectPaths): number[] => readEvents(paths, 's').events.map((each) => each.version);

describe('appendEvents()', () => {
  test('gives every event its place, for the user alone, with a .gitignore', () => {
    const paths = temporaryProject();
    expect(append(paths, checkpoint(1), checkpoint(2))).toHaveLength(2);
    append(paths, checkpoint(3));
    expect(readEvents(paths, 's')).toEqual({
      events: [1, 2, 3].map((version) => ({
        schema_version: LOG_VERSION,
        stream: 's',
        version,
        at: '2026-11-28T07:00:00.000Z',
        ...checkpoint(version),
      })),
      problems: [],
      version: 3,
    });
    expect(statSync(streamPath(paths, 's')).mode & 0o777).toBe(0o600);
    expect(readdirSync(eventsFolder(paths))).toEqual(['s.jsonl']);
    expect(readFileSync(join(paths.state, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('an id comes once, in a batch and over batches', () => {
    const paths = temporaryProject();
    expect(append(paths, checkpoint(1, 'a'), checkpoint(2, 'a'), checkpoint(3, 'b'))).toHaveLength(2);
    expect(append(paths, checkpoint(4, 'b'), checkpoint(5))).toHaveLength(1);
    expect(append(paths, checkpoint(6, 'a'))).toEqual([]);
    expect(names(paths)).toEqual(['cx-1', 'cx-3', 'cx-5']);
  });

  test('an id in a line that was torn is not there', () => {
    const paths = temporaryProject();
    append(paths, checkpoint(1, 'a'), checkpoint(2, 'b'));
    truncateSync(streamPath(paths, 's'), statSync(streamPath(paths, 's')).size - 5);
    append(paths, checkpoint(3, 'b'));
    expect(names(paths)).toEqual(['cx-1', 'cx-3']);
  });

  test('appends only to the version that is expected', () => {
    const paths = temporaryProject();
    appendEvents(paths, 's', [checkpoint(1)], { now: NOW, expected: 0 });
    const stale = () => appendEvents(paths, 's', [checkpoint(2)], { now: NOW, expected: 0 });
    expect(stale).toThrow(VersionConflict);
    expect(stale).toThrow('is at version 1, not 0');
    appendEvents(paths, 's', [checkpoint(2)], { now: NOW, expected: 1 });
    expect(names(paths)).toEqual(['cx-1', 'cx-2']);
  });

  test('what is appended may follow from what is there', () => {
    const paths = temporaryProject();
    for (let round = 0; round < 3; round++)
      appendEvents(paths, 's', (lines) => (lines.length < 2 ? [checkpoint(lines.length)] : []), { now: NOW });
    expect(names(paths)).toEqual(['cx-0', 'cx-1']);
  });

  test.each<[string, string, number]>([
    ['a torn line', '{"schema_version":"1.0.0","stream":"s","ver', 2],
    ['NUL bytes', '\0\0\0\0', 2],
    ['a line of a newer version', `{"schema_version":"9.0.0","stream":"s","version":2,"at":"x"}\n`, 3],
    ['a line of a newer version without its end', `{"schema_version":"9.0.0","stream":"s","version":7}`, 8],
  ])('goes on behind %s', (_, bytes, version) => {
    const paths = temporaryProject();
    append(paths, checkpoint(1));
    found(paths, bytes);
    append(paths, checkpoint(2));
    expect(names(paths)).toEqual(['cx-1', 'cx-2']);
    expect(versions(paths)).toEqual([1, version]);
    expect(readEvents(paths, 's').problems).toMatchObject([{ line: 2 }]);
    expect(readFileSync(streamPath(paths, 's'), 'utf8')).toContain(bytes);
  });

  test('finds its place behind more garbage than it looks at first', () => {
    const paths = temporaryProject();
    append(paths, checkpoint(1));
    found(paths, `${'x'.repeat(200 * 1024)}\n`);
    append(paths, checkpoint(2));
    expect(versions(paths)).toEqual([1, 2]);
  });

  test('stays in its folder, whatever the name', () => {
    const paths = temporaryProject();
    for (const stream of ['../../escape', '/etc/passwd', 'a/b', '..', 'con', '', 'x~2', '../y~3', 'z~0']) {
      appendEvents(paths, stream, [checkpoint(1)], { now: NOW });
      expect(readEvents(paths, stream).events).toHaveLength(1);
    }
    expect(readdirSync(eventsFolder(paths))).toHaveLength(9);
    for (const stream of listStreams(paths)) expect(readEvents(paths, stream).events).toHaveLength(1);
    expect(readdirSync(paths.root ?? '')).toEqual(['.plimsoll']);
  });

  test('names of sessions are never shared', () => {
    expect(nameOfSession('a', 2)).toBe('a~2');
    expect(nameOfSession('a~2', 1)).not.toBe('a~2');
    expect(nameOfSession('a', 1)).toBe('a');
  });

  test('says so where no file can be', () => {
    const paths = temporaryProject();
    mkdirSync(streamPath(paths, 's'), { recursive: true });
    expect(() => append(paths, checkpoint(1))).toThrow('Not a file');
    expect(readEvents(paths, 's').problems).toMatchObject([{ line: null }]);
  });

  const writers = isLong ? 64 : 16;
  test(`${writers} processes append to one stream: every event once, versions 1 to n`, async () => {
    const { root } = namedProject();
    const source = program(`
      import { appendEvents } from './sessions/read-events.io.ts';
      import { projectPaths } from './platform/project/paths.ts';
      ${AT_THE_MOMENT}
      const paths = projectPaths(args[0], { HOME: args[0] + ".home" });
      for (let n = 0; n < 5; n++) {
        const own = { type: 'CheckpointCreated', conversation: 'c', checkpoint: process.pid + '-' + n, trigger: 'auto', epoch: 0 };
        const shared = { ...own, checkpoint: 'shared-' + n, id: 'shared-' + n };
        appendEvents(paths, 's', [own, shared], { now: Date.now(), wait: 60_000 });
      }
    `);
    await together(source, writers, [root]);
    const paths = pathsIn(root);
    expect(readEvents(paths, 's').problems).toEqual([]);
    const all = names(paths);
    expect(new Set(all).size).toBe(writers * 5 + 5);
    expect(all).toHaveLength(writers * 5 + 5);
    expect(versions(paths)).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
    expect(readdirSync(eventsFolder(paths))).toEqual(['s.jsonl']);
  });

  test('processes killed while they append: the stream reads, and nothing acknowledged is lost', async () => {
    const { root } = namedProject();
    const source = program(`
      import { writeSync } from 'node:fs';
      import { appendEvents } from './sessions/read-events.io.ts';
      import { projectPaths } from './platform/project/paths.ts';
      const [, , root, name] = process.argv;
      const paths = projectPaths(root, { HOME: root + ".home" });
      writeSync(1, 'ready\\n');
      for (let n = 0; ; n++) {
        const checkpoint = name + '-' + n;
        appendEvents(paths, 's', [{ type: 'CheckpointCreated', conversation: 'c', checkpoint, trigger: 'auto', epoch: 0 }], { now: Date.now(), wait: 60_000 });
        writeSync(1, checkpoint + '\\n');
      }
    `);
    const acknowledged: string[] = [];
    const waves = Math.ceil(runs(500) / 4);
    let killed = 0;
    for (let wave = 0; wave < waves; wave++) {
      const all = await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const { child, ended } = start(source, [root, `${wave}-${index}`]);
          await new Promise((resolve) => child.stdout?.once('data', resolve));
          // At other moments in every wave, also while another one waits for the lock.
          await new Promise((resolve) => setTimeout(resolve, (wave * 7 + index * 13) % 29));
          child.kill('SIGKILL');
          return ended;
        }),
      );
      for (const { stdout, signal } of all) {
        if (signal === 'SIGKILL') killed++;
        acknowledged.push(...stdout.split('\n').filter((line) => /^\d+-\d+-\d+$/.test(line)));
      }
    }
    expect(killed).toBe(4 * waves);
    const paths = pathsIn(root);
    append(paths, checkpoint(0));
    const there = names(paths);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(new Set(there).size).toBe(there.length);
    expect(acknowledged.filter((each) => !there.includes(each))).toEqual([]);
    expect(versions(paths)).toEqual(Array.from({ length: there.length }, (_, index) => index + 1));
    expect(readEvents(paths, 's').problems.every(({ problem }) => problem === 'no JSON')).toBe(true);
  }, 240_000);
});

describe('readEvents()', () => {
  test('a missing stream is an empty one', () => {
    expect(readEvents(temporaryProject(), 's')).toEqual({ events: [], problems: [], version: 0 });
    expect(listStreams(temporaryProject())).toEqual([]);
  });

  test('lists streams, the one written last first', () => {
    const paths = temporaryProject();
    for (const [index, stream] of ['a', 'b', 'c'].entries())
      appendEvents(paths, stream, [checkpoint(index)], { now: NOW });
    writeFileSync(join(eventsFolder(paths), 'a.jsonl.lock'), '1 2 3');
    append(paths, checkpoint(1));
    expect(listStreams(paths)[0]).toBe('s');
    expect(listStreams(paths).sort()).toEqual(['a', 'b', 'c', 's']);
  });

  test('leaves out and reports what is no event, with its line', () => {
    const paths = temporaryProject();
    append(paths, checkpoint(1));
    found(paths, 'not json\n\n\0\0\0\n[1]\n{"schema_version":"2.0.0","stream":"s","version":2}\n');
    append(paths, checkpoint(2));
    found(paths, readFileSync(streamPath(paths, 's'), 'utf8').split('\n')[0] ?? '');
    found(paths, '\n{"half":');
    expect(readEvents(paths, 's').problems).toEqual([
      { line: 2, problem: 'no JSON' },
      { line: 4, problem: 'no JSON' },
      { line: 5, problem: 'no JSON object' },
      { line: 6, problem: 'written by a newer version of Plimsoll' },
      { line: 8, problem: 'version 1 after 3' },
      { line: 9, problem: 'torn: its writer died' },
    ]);
    expect(names(paths)).toEqual(['cx-1', 'cx-2']);
  });

  test('reads any garbage, and every event between it', () => {
    const paths = temporaryProject();
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
      fc.json({ maxDepth: 2 }).map((text) => new TextEncoder().encode(text)),
      fc
        .record(
          {
            schema_version: fc.constantFrom('1.0.0', '0.9.0', '3.0.0', 1, null),
            stream: fc.constantFrom('s', 'other', null),
            version: fc.oneof(fc.nat({ max: 20 }), fc.constantFrom('1', -1, 2 ** 53 - 1)),
            type: fc.constantFrom('SessionStarted', 'CheckpointCreated', 'Unknown', null),
          },
          { requiredKeys: [] },
        )
        .map((value) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)),
    );
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 8 }), (pieces) => {
        remove(streamPath(paths, 's'));
        for (const [index, piece] of pieces.entries()) {
          found(paths, piece);
          append(paths, checkpoint(index));
        }
        found(paths, pieces[0] ?? '');
        const { events, version } = readEvents(paths, 's');
        const own = events
          .filter((event) => event.type === 'CheckpointCreated')
          .map((event) => event.checkpoint);
        expect(own).toEqual(pieces.map((_, index) => `cx-${index}`));
        const all = events.map((event) => event.version);
        expect(all).toEqual([...all].sort((a, b) => a - b));
        expect(version).toBeGreaterThanOrEqual(all.at(-1) ?? 0);
      }),
      { numRuns: runs(200) },
    );
  });
});
