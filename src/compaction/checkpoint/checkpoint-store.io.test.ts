import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { draft, orchestration } from '../../../test/unit/drafts.ts';
import { AT_THE_MOMENT, program, start, together } from '../../../test/unit/programs.ts';
import { namedProject, pathsIn, temporaryProject } from '../../../test/unit/temporary.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { joinCheckpointPath, listCheckpoints } from './checkpoint-files.io.ts';
import {
  checkCheckpoint,
  findNewestCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint-store.io.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const of = (session_id: string, epoch = 0) => draft({ conversation: { session_id, epoch } });

describe('writeCheckpoint()', () => {
  test('writes an immutable record of the shape of seed 002', () => {
    const paths = temporaryProject();
    const given = draft({ work: { requests: ['Go on'] } });
    const written = writeCheckpoint(paths, given, NOW);
    expect(written).toEqual({
      id: 'cx-001',
      at: '2026-11-27T10:00:00.000Z',
      path: joinCheckpointPath(paths, 'cx-001'),
    });
    const record = JSON.parse(readFileSync(written.path, 'utf8'));
    expect(Object.keys(record)).toEqual([
      'schema_version',
      'event_type',
      'event_id',
      'timestamp',
      'trigger',
      'context_state',
      'orchestration_state',
      'accumulated_context',
      'recovery_instructions',
      'metadata',
      'conversation',
      'work',
      'ledger',
      'integrity',
    ]);
    expect(record).toMatchObject({ ...given, schema_version: '1.0.0', event_id: 'cx-001' });
    expect(record.integrity).toEqual({
      algorithm: 'sha256',
      canonicalization: 'RFC 8785',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(statSync(written.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(paths.checkpoints)).toEqual(['cx-001-checkpoint.json']);
  });

  test('goes on after the highest number, also past 999 and over gaps', () => {
    const paths = temporaryProject();
    mkdirSync(paths.checkpoints, { recursive: true });
    for (const name of [
      'cx-007-checkpoint.json',
      'cx-999-checkpoint.json',
      'cx-02-checkpoint.json',
      'notes.txt',
    ]) {
      writeFileSync(`${paths.checkpoints}/${name}`, '{}');
    }
    expect(writeCheckpoint(paths, of('a'), NOW).id).toBe('cx-1000');
    expect(writeCheckpoint(paths, of('a'), NOW).id).toBe('cx-1001');
    expect(listCheckpoints(paths)).toEqual(['cx-007', 'cx-999', 'cx-1000', 'cx-1001']);
  });

  test('gives 16 processes 16 different ids, all of them whole', async () => {
    const { root } = namedProject();
    const source = program(`
      import { draft } from '../test/unit/drafts.ts';
      import { listProjectPaths } from './platform/project/paths.ts';
      import { writeCheckpoint } from './compaction/checkpoint/checkpoint-store.io.ts';
      ${AT_THE_MOMENT}
      const given = draft({ work: { requests: ['of ' + process.pid] } });
      console.log(writeCheckpoint(listProjectPaths(args[0], { HOME: args[0] + ".home" }), given, Date.now()).id);
    `);
    const ended = await together(source, 16, [root]);
    const paths = pathsIn(root);
    const ids = ended.map((each) => each.stdout.trim()).sort();
    expect(new Set(ids).size).toBe(16);
    expect(listCheckpoints(paths)).toEqual(ids);
    const requests = ids.map((id) => readCheckpoint(paths, id).work.requests[0]);
    expect(new Set(requests).size).toBe(16);
    expect(readdirSync(paths.checkpoints).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('leaves only whole checkpoints when its process is killed', async () => {
    const { root } = namedProject();
    const source = program(`
      import { draft } from '../test/unit/drafts.ts';
      import { listProjectPaths } from './platform/project/paths.ts';
      import { writeCheckpoint } from './compaction/checkpoint/checkpoint-store.io.ts';
      const given = draft({ work: { requests: ['word '.repeat(300)], last_answer: 'x '.repeat(300000) } });
      for (let index = 0; ; index++) {
        writeCheckpoint(listProjectPaths(process.argv[2], { HOME: process.argv[2] + ".home" }), given, Date.now());
        if (index === 0) console.log('ready');
      }
    `);
    const { child, ended } = start(source, [root]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 120));
    child.kill('SIGKILL');
    await ended;
    const paths = pathsIn(root);
    const ids = listCheckpoints(paths);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(readCheckpoint(paths, id).event_id).toBe(id);
  }, 30_000);

  test.each([
    ['half of a pair', 'before \uD83D after'],
    ['the other half', 'before \uDE00 after'],
    ['halves in the wrong order', '\uDE00\uD83D'],
    ['a whole pair', 'before 😀 after'],
    ['an escape of a half, as code has it', 'printf "\\ud83d"'],
    ['an escape of a pair, as JSON has it', '{"text":"\\uD83D\\uDE00"}'],
    ['an escape after two backslashes', '\\\\ud83d'],
    ['control characters and line separators', '\u0000\u001b[31m\u2028\u2029'],
    ['backslashes and quotes', '\\ \\\\ " \\" \\n'],
  ])('keeps work that holds %s', (_, text) => {
    const paths = temporaryProject();
    const { id } = writeCheckpoint(paths, draft({ work: { requests: [text], last_answer: text } }), NOW);
    const kept = readCheckpoint(paths, id).work;
    const wanted = text.replace(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
      '\uFFFD',
    );
    expect(kept.requests).toEqual([wanted]);
  });

  test('keeps a summary whose agent has half of a pair in its name', () => {
    const paths = temporaryProject();
    const accumulated = {
      defect_patterns: [],
      decisions_since_last_checkpoint: [],
      agent_summaries: { 'qa-\uD83D': 'ok' },
    };
    const { id } = writeCheckpoint(paths, draft({ orchestration: orchestration({ accumulated }) }), NOW);
    expect(readCheckpoint(paths, id).accumulated_context.agent_summaries).toEqual({ 'qa-\uFFFD': 'ok' });
  });

  test('keeps any work that can be read back, and its digest agrees', () => {
    const paths = temporaryProject();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', 'u', 'd', '8', '3', '"', '\uD83D', '\uDE00', 'D', '/') }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (requests, answer) => {
        const { id } = writeCheckpoint(paths, draft({ work: { requests, last_answer: answer } }), NOW);
        expect(readCheckpoint(paths, id).work.requests).toHaveLength(requests.length);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('readCheckpoint()', () => {
  const written = (): { paths: ProjectPaths; path: string; text: string } => {
    const paths = temporaryProject();
    const { path } = writeCheckpoint(paths, draft({ work: { requests: ['Keep every byte'] } }), NOW);
    return { paths, path, text: readFileSync(path, 'utf8') };
  };

  test('gives back what was written', () => {
    const { paths } = written();
    expect(readCheckpoint(paths, 'cx-001').work.requests).toEqual(['Keep every byte']);
  });

  test('does not care for the order of keys and for blanks', () => {
    const { paths, path, text } = written();
    const turned = Object.fromEntries(Object.entries(JSON.parse(text)).reverse());
    writeFileSync(path, JSON.stringify(turned, null, 8));
    expect(readCheckpoint(paths, 'cx-001').event_id).toBe('cx-001');
  });

  test('detects any changed byte that changes what is said', () => {
    const { paths, path, text } = written();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'abc019 {}",'), (at, sign) => {
        const changed = text.slice(0, at) + sign + text.slice(at + 1);
        // The names of the methods beside the digest say nothing of the work.
        const said = (source: string): string => {
          const { integrity, ...body } = JSON.parse(source);
          return JSON.stringify([body, integrity?.digest]);
        };
        let isSame = false;
        try {
          isSame = said(changed) === said(text);
        } catch {
          // no JSON any more: that is detected as well
        }
        fc.pre(!isSame);
        writeFileSync(path, changed);
        expect(() => readCheckpoint(paths, 'cx-001')).toThrow();
      }),
      { numRuns: runs(300) },
    );
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['torn', (text) => text.slice(0, -40), /JSON/],
    ['empty', () => '', /JSON/],
    ['null', () => 'null', /Not a checkpoint/],
    ['another checkpoint', (text) => text.replace('"cx-001"', '"cx-002"'), /Not a checkpoint/],
    ['of a newer version', (text) => text.replace('"1.0.0"', '"2.0.0"'), /newer version/],
    ['of a newer version and another shape', () => '{"schema_version": "2.0.0", "id": 1}', /newer version/],
    [
      'without its digest',
      (text) => text.replace(/"integrity": \{[^}]*\}/, '"integrity": null'),
      /Changed or damaged/,
    ],
    ['with a changed word', (text) => text.replace('every byte', 'some bytes'), /Changed or damaged/],
  ])('throws where the file is %s', (_, change, message) => {
    const { paths, path, text } = written();
    writeFileSync(path, change(text));
    expect(() => readCheckpoint(paths, 'cx-001')).toThrow(message);
  });

  test('throws where there is no such file', () => {
    expect(() => readCheckpoint(temporaryProject(), 'cx-001')).toThrow(/ENOENT/);
  });
});

describe('checkCheckpoint()', () => {
  test('says what is wrong, without the path', () => {
    const paths = temporaryProject();
    for (let count = 0; count < 4; count++) writeCheckpoint(paths, of('a'), NOW);
    const change = (id: string, with_: (text: string) => string): void =>
      writeFileSync(
        joinCheckpointPath(paths, id),
        with_(readFileSync(joinCheckpointPath(paths, id), 'utf8')),
      );
    change('cx-002', (text) => text.replace('"/project"', '"/elsewhere"'));
    change('cx-003', (text) => text.replace('"1.0.0"', '"2.0.0"'));
    change('cx-004', (text) => text.slice(0, -40));
    mkdirSync(joinCheckpointPath(paths, 'cx-005'));
    const found = ['cx-001', 'cx-002', 'cx-003', 'cx-004', 'cx-005', 'cx-006'].map((id) =>
      checkCheckpoint(paths, id),
    );
    expect(found).toEqual([
      { state: 'ok', checkpoint: readCheckpoint(paths, 'cx-001') },
      { state: 'damaged', fault: 'Changed or damaged since it was written' },
      { state: 'newer', fault: 'Written by a newer version' },
      { state: 'damaged', fault: expect.stringMatching(/^No whole JSON: /) },
      { state: 'unreadable', fault: expect.stringMatching(/^Not a file/) },
      { state: 'missing', fault: expect.stringMatching(/^ENOENT/) },
    ]);
  });
});

describe('newestOf()', () => {
  test('finds the newest readable checkpoint of a session', () => {
    const paths = temporaryProject();
    writeCheckpoint(paths, of('a', 0), NOW);
    writeCheckpoint(paths, of('a', 1), NOW);
    writeCheckpoint(paths, of('b', 0), NOW);
    const { path } = writeCheckpoint(paths, of('a', 2), NOW);
    writeFileSync(path, 'torn');
    expect(findNewestCheckpoint(paths, 'a')?.event_id).toBe('cx-002');
    expect(findNewestCheckpoint(paths, 'b')?.event_id).toBe('cx-003');
    expect(findNewestCheckpoint(paths, 'c')).toBeNull();
    expect(findNewestCheckpoint(temporaryProject(), 'a')).toBeNull();
  });

  test('finds one from before an epoch, and none that was changed since', () => {
    const paths = temporaryProject();
    writeCheckpoint(paths, of('a', 0), NOW);
    const { path } = writeCheckpoint(paths, of('a', 1), NOW);
    writeCheckpoint(paths, of('a', 2), NOW);
    const before = [Infinity, 3, 2, 1, 0].map((epoch) => findNewestCheckpoint(paths, 'a', epoch)?.event_id);
    expect(before).toEqual(['cx-003', 'cx-003', 'cx-002', 'cx-001', undefined]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"epoch": 1', '"epoch": 0'));
    expect(findNewestCheckpoint(paths, 'a', 2)?.event_id).toBe('cx-001');
  });
});
