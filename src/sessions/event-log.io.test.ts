import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong, runs } from '../../test/kit/effort.ts';
import { AT_THE_MOMENT, program, start, together } from '../../test/unit/programs.ts';
import { namedProject, pathsIn, temporaryProject } from '../../test/unit/temporary.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { remove } from '../platform/write.ts';
import { appendEvents, readEvents } from './event-log.io.ts';
import { LOG_VERSION, type LogEvent } from './log-event.ts';

const NOW = Date.parse('2026-11-28T07:00:00.000Z');

const checkpoint = (number: number, id?: string): LogEvent => ({
  type: 'CheckpointCreated',
  checkpoint: `cx-${number}`,
  trigger: 'auto',
  epoch: 0,
  ...(id === undefined ? {} : { id }),
});
const append = (paths: ProjectPaths, ...events: LogEvent[]) => appendEvents(paths, 's', events, { now: NOW });

/** Puts bytes at the end of a log as somebody else may have. */
function found(paths: ProjectPaths, bytes: string | Uint8Array): void {
  mkdirSync(dirname(paths.session('s').events), { recursive: true });
  appendFileSync(paths.session('s').events, bytes);
}
const names = (paths: ProjectPaths): string[] =>
  readEvents(paths, 's').events.map((event) => (event as { checkpoint: string }).checkpoint);

describe('appendEvents()', () => {
  test('appends in order, for the user alone, with a .gitignore', () => {
    const paths = temporaryProject();
    expect(append(paths, checkpoint(1), checkpoint(2))).toHaveLength(2);
    append(paths, checkpoint(3));
    expect(readEvents(paths, 's')).toEqual({
      events: [1, 2, 3].map((number) => ({
        schema_version: LOG_VERSION,
        session: 's',
        at: '2026-11-28T07:00:00.000Z',
        ...checkpoint(number),
      })),
      problems: [],
    });
    expect(statSync(paths.session('s').events).mode & 0o777).toBe(0o600);
    expect(readdirSync(paths.session('s').folder)).toEqual(['events.jsonl']);
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
    truncateSync(paths.session('s').events, statSync(paths.session('s').events).size - 5);
    append(paths, checkpoint(3, 'b'));
    expect(names(paths)).toEqual(['cx-1', 'cx-3']);
  });

  test('what is appended may follow from what is there', () => {
    const paths = temporaryProject();
    for (let round = 0; round < 3; round++)
      appendEvents(paths, 's', (lines) => (lines.length < 2 ? [checkpoint(lines.length)] : []), { now: NOW });
    expect(names(paths)).toEqual(['cx-0', 'cx-1']);
  });

  test.each<[string, string]>([
    ['a torn line', '{"schema_version":"1.0.0","session":"s","ty'],
    ['NUL bytes', '\0\0\0\0'],
    ['a line of a newer version', `{"schema_version":"9.0.0","session":"s","at":"x"}\n`],
    ['a line of a newer version without its end', `{"schema_version":"9.0.0","session":"s"}`],
    ['more garbage than it looks at', `${'x'.repeat(200 * 1024)}\n`],
  ])('goes on behind %s', (_, bytes) => {
    const paths = temporaryProject();
    append(paths, checkpoint(1));
    found(paths, bytes);
    append(paths, checkpoint(2));
    expect(names(paths)).toEqual(['cx-1', 'cx-2']);
    expect(readEvents(paths, 's').problems).toMatchObject([{ line: 2 }]);
    expect(readFileSync(paths.session('s').events, 'utf8')).toContain(bytes);
  });

  test('stays in its folder, whatever the id of the host', () => {
    const paths = temporaryProject();
    for (const id of ['../../escape', '/etc/passwd', 'a/b', '..', 'con', '', 'x~2', '../y~3', 'z~0']) {
      appendEvents(paths, id, [checkpoint(1)], { now: NOW });
      expect(readEvents(paths, id).events).toHaveLength(1);
    }
    expect(readdirSync(paths.sessions)).toHaveLength(9);
    expect(readdirSync(paths.root ?? '')).toEqual(['.plimsoll']);
  });

  test('says so where no file can be', () => {
    const paths = temporaryProject();
    mkdirSync(paths.session('s').events, { recursive: true });
    expect(() => append(paths, checkpoint(1))).toThrow('Not a file');
    expect(readEvents(paths, 's').problems).toMatchObject([{ line: null }]);
  });

  const writers = isLong ? 64 : 16;
  test(`${writers} processes append to one log: every event once`, async () => {
    const { root } = namedProject();
    const source = program(`
      import { appendEvents } from './sessions/event-log.io.ts';
      import { listProjectPaths } from './platform/project/paths.ts';
      ${AT_THE_MOMENT}
      const paths = listProjectPaths(args[0], { HOME: args[0] + ".home" });
      for (let n = 0; n < 5; n++) {
        const own = { type: 'CheckpointCreated', checkpoint: process.pid + '-' + n, trigger: 'auto', epoch: 0 };
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
    expect(readdirSync(paths.session('s').folder)).toEqual(['events.jsonl']);
  });

  test('processes killed while they append: the log reads, and nothing acknowledged is lost', async () => {
    const { root } = namedProject();
    const source = program(`
      import { writeSync } from 'node:fs';
      import { appendEvents } from './sessions/event-log.io.ts';
      import { listProjectPaths } from './platform/project/paths.ts';
      const [, , root, name] = process.argv;
      const paths = listProjectPaths(root, { HOME: root + ".home" });
      writeSync(1, 'ready\\n');
      for (let n = 0; ; n++) {
        const checkpoint = name + '-' + n;
        appendEvents(paths, 's', [{ type: 'CheckpointCreated', checkpoint, trigger: 'auto', epoch: 0 }], { now: Date.now(), wait: 60_000 });
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
    expect(readEvents(paths, 's').problems.every(({ problem }) => problem === 'no JSON')).toBe(true);
  }, 240_000);
});

describe('readEvents()', () => {
  test('a missing log is an empty one', () => {
    expect(readEvents(temporaryProject(), 's')).toEqual({ events: [], problems: [] });
  });

  test('takes an event that stands there twice once', () => {
    const paths = temporaryProject();
    append(paths, checkpoint(1, 'a'));
    found(paths, readFileSync(paths.session('s').events));
    expect(readEvents(paths, 's')).toMatchObject({
      events: [{ id: 'a' }],
      problems: [{ line: 2, problem: '"a" stands there already' }],
    });
  });

  test('leaves out and reports what is no event, with its line', () => {
    const paths = temporaryProject();
    append(paths, checkpoint(1));
    found(paths, 'not json\n\n\0\0\0\n[1]\n{"schema_version":"2.0.0","session":"s"}\n');
    append(paths, checkpoint(2));
    found(paths, '{"half":');
    expect(readEvents(paths, 's').problems).toEqual([
      { line: 2, problem: 'no JSON' },
      { line: 4, problem: 'no JSON' },
      { line: 5, problem: 'no JSON object' },
      { line: 6, problem: 'written by a newer version of Plimsoll' },
      { line: 8, problem: 'torn: its writer died' },
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
            session: fc.constantFrom('s', 'other', null),
            type: fc.constantFrom('SessionStarted', 'CheckpointCreated', 'Unknown', null),
          },
          { requiredKeys: [] },
        )
        .map((value) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)),
    );
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 8 }), (pieces) => {
        remove(paths.session('s').events);
        for (const [index, piece] of pieces.entries()) {
          found(paths, piece);
          append(paths, checkpoint(index));
        }
        found(paths, pieces[0] ?? '');
        const own = readEvents(paths, 's').events.filter((event) => event.type === 'CheckpointCreated');
        expect(own.map((event) => event.checkpoint)).toEqual(pieces.map((_, index) => `cx-${index}`));
      }),
      { numRuns: runs(200) },
    );
  });
});
