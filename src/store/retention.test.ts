import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { draft, orchestration, state } from '../../test/unit/drafts.ts';
import { deadPid, program, start } from '../../test/unit/programs.ts';
import { temporaryFolder, temporaryProject } from '../../test/unit/temporary.ts';
import type { LogEvent } from '../model/log-event.ts';
import { apply } from './apply.ts';
import { acknowledge, checkpointPath, isAcknowledged, listCheckpoints } from './checkpoint-files.ts';
import { writeCheckpoint } from './checkpoints.ts';
import { patchConversation } from './conversations.ts';
import { appendEvents } from './events.ts';
import { eventsFolder, lookedPaths, type ProjectPaths, projectPaths, streamPath } from './paths.ts';
import { prune } from './retention.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.now();

const age = (path: string, by: number): void => utimesSync(path, (NOW - by) / 1_000, (NOW - by) / 1_000);

/** A file of this text, so old. */
function file(path: string, text: string, by = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  age(path, by);
  return path;
}

/** Checkpoints of conversations, one each, written so long ago; none of them has a transcript. */
function written(paths: ProjectPaths, sessions: readonly string[], by = 0): void {
  for (const session_id of sessions) {
    const conversation = { session_id, transcript_path: join(paths.state, `${session_id}.jsonl`) };
    const { path } = writeCheckpoint(paths, draft({ conversation }), NOW - by);
    age(path, by);
  }
}

const end = (paths: ProjectPaths, id: string): void =>
  patchConversation(paths, id, { ended: { at: new Date(NOW).toISOString(), reason: 'other' } });

const run = (paths: ProjectPaths, keep: number, options = {}) =>
  prune({ paths, cwd: paths.root ?? '/', orchestration: null, now: NOW }, keep, options);

describe('prune(): checkpoints', () => {
  test('removes those that nothing needs, and their markers; the newest stay', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'b', 'b']);
    end(paths, 'a');
    end(paths, 'b');
    acknowledge(paths, 'a', 'cx-002', 'cli', NOW);
    acknowledge(paths, 'b', 'cx-004', 'cli', NOW);
    expect(run(paths, 1).failed).toEqual([]);
    expect(readdirSync(paths.checkpoints).sort()).toEqual([
      'cx-004-checkpoint.json',
      'cx-004-checkpoint.json.acknowledged',
    ]);
    written(paths, ['c']);
    expect(listCheckpoints(paths)).toEqual(['cx-004', 'cx-005']);
  });

  test('decides only, when it is dry', () => {
    const paths = temporaryProject();
    written(paths, ['gone', 'x'], 31 * DAY);
    const { verdicts } = run(paths, 1, { isDry: true });
    expect(verdicts.map(({ name, goes }) => [name, goes])).toEqual([
      ['cx-001', true],
      ['cx-002', false],
    ]);
    expect(listCheckpoints(paths)).toEqual(['cx-001', 'cx-002']);
  });

  test.each<[string, (paths: ProjectPaths) => void, number, boolean]>([
    ['told of, and has ended', (paths) => end(paths, 'a'), 0, true],
    ['told of, and has neither state nor transcript', () => undefined, 0, true],
    [
      'told of, and its state is fresh though its transcript is gone',
      (paths) => patchConversation(paths, 'a', {}),
      0,
      false,
    ],
    [
      'told of, and only its transcript is there, and fresh',
      (paths) => file(join(paths.state, 'a.jsonl'), ''),
      0,
      false,
    ],
    [
      'told of, and its transcript is 31 days old',
      (paths) => file(join(paths.state, 'a.jsonl'), '', 31 * DAY),
      0,
      true,
    ],
    [
      'told of, and the transcript that its state names is fresh',
      (paths) => {
        const path = file(join(paths.state, 'moved.jsonl'), '');
        patchConversation(paths, 'a', { transcript_path: path });
        age(paths.conversation('a'), 31 * DAY);
      },
      0,
      false,
    ],
    [
      'told of, and its state is damaged, but fresh',
      (paths) => file(paths.conversation('a'), 'torn'),
      0,
      false,
    ],
  ])('looks at the conversation of one that was %s', (_, prepare, by, isGone) => {
    const paths = temporaryProject();
    written(paths, ['a', 'b'], by);
    acknowledge(paths, 'a', 'cx-001', 'cli', NOW);
    prepare(paths);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(isGone ? ['cx-002'] : ['cx-001', 'cx-002']);
    expect(isAcknowledged(paths, 'cx-001')).toBe(!isGone);
  });

  test('keeps one whose conversation shows another sign of life: a hook that ran, a process that runs', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'b', 'c', 'd'], 31 * DAY);
    file(paths.beats('a'), '');
    patchConversation(paths, 'b', { process: { pid: process.pid, began: null } });
    age(paths.conversation('b'), 31 * DAY);
    file(paths.beats('c'), '', 31 * DAY);
    file(paths.conversation('c'), 'torn', 31 * DAY);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-001', 'cx-002', 'cx-004']);
  });

  test('keeps a damaged one for 30 days, and one of a newer version for good', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a', 'a'], 31 * DAY);
    const path = (id: string): string => checkpointPath(paths, id);
    file(path('cx-001'), 'torn', 31 * DAY);
    file(path('cx-002'), 'torn', 29 * DAY);
    file(path('cx-003'), readFileSync(path('cx-003'), 'utf8').replace('"1.0.0"', '"2.0.0"'), 31 * DAY);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-002', 'cx-003', 'cx-004']);
  });

  const text = (status: string, id: string): string =>
    `workflow:\n  id: w\n  status: ${status}\nresumption:\n  recovery_state:\n    last_checkpoint: "${id}"\n`;

  test.each<[string, string]>([
    ['in the root', 'ORCHESTRATION.yaml'],
    ['in one of several projects', 'projects/one/ORCHESTRATION.yaml'],
    ['where the checkpoint was written, wherever that is', 'deep/down/ORCHESTRATION.yaml'],
  ])('keeps what an active workflow names that lies %s', (_, name) => {
    const paths = temporaryProject();
    const root = paths.root ?? '';
    file(join(root, 'projects', 'two', 'ORCHESTRATION.yaml'), text('ACTIVE', 'CP-1'));
    const within = { orchestration: orchestration({ state: state({ path: name }) }) };
    for (let count = 0; count < 3; count++) writeCheckpoint(paths, draft(within), NOW - 31 * DAY);
    file(join(root, name), text('ACTIVE', 'cx-002'));
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-002', 'cx-003']);
    file(join(root, name), text('COMPLETE', 'cx-002'));
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-003']);
  });

  test('looks at so many, the oldest first', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a', 'a', 'a'], 31 * DAY);
    run(paths, 1, { most: 2 });
    expect(listCheckpoints(paths)).toEqual(['cx-003', 'cx-004', 'cx-005']);
    run(paths, 1, { most: 2 });
    expect(listCheckpoints(paths)).toEqual(['cx-005']);
  });

  // The process ends itself right behind one of its removals: at each of them in turn.
  const killed = (): string =>
    program(`
      import { projectPaths } from './store/paths.ts';
      import { prune } from './store/retention.ts';
      const fs = require('node:fs');
      let left = Number(process.argv[3]);
      const unlink = fs.unlinkSync;
      fs.unlinkSync = (path) => {
        unlink(path);
        if (--left === 0) process.kill(process.pid, 'SIGKILL');
      };
      const paths = projectPaths(process.argv[2], {});
      prune({ paths, cwd: process.argv[2], orchestration: null, now: Date.now() }, 1);
    `);

  test('leaves no checkpoint that looks as if the agent was not told of it, killed wherever', async () => {
    const source = killed();
    for (let at = 1; at <= 4; at++) {
      const paths = temporaryProject();
      written(paths, ['a', 'a', 'b']);
      acknowledge(paths, 'a', 'cx-002', 'cli', NOW);
      const { signal } = await start(source, [paths.root ?? '', String(at)]).ended;
      expect(signal).toBe('SIGKILL');
      const untold = listCheckpoints(paths).filter((id) => !isAcknowledged(paths, id));
      expect([at, untold]).toEqual([at, ['cx-003']]);
      run(paths, 1);
      expect(readdirSync(paths.checkpoints)).toEqual(['cx-003-checkpoint.json']);
    }
  }, 30_000);

  test('does not mind what another one has removed meanwhile', async () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a', 'a'], 31 * DAY);
    const source = program(`
      import { projectPaths } from './store/paths.ts';
      import { prune } from './store/retention.ts';
      const paths = projectPaths(process.argv[2], {});
      const { failed } = prune({ paths, cwd: '/', orchestration: null, now: Date.now() }, 1);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    `);
    const ended = await Promise.all([1, 2, 3].map(() => start(source, [paths.root ?? '']).ended));
    expect(ended.map((each) => [each.code, each.stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(listCheckpoints(paths)).toEqual(['cx-004']);
  }, 30_000);

  test('goes on where one thing cannot be removed, and says so', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a'], 31 * DAY);
    mkdirSync(join(`${checkpointPath(paths, 'cx-001')}.acknowledged`, 'x'), { recursive: true });
    const { failed } = run(paths, 1);
    expect(failed).toEqual([{ name: 'cx-001', error: expect.stringMatching(/^E/) }]);
    expect(listCheckpoints(paths)).toEqual(['cx-003']);
  });
});

describe('prune(): the rest', () => {
  test('removes states of conversations that nobody touched and that have no checkpoint', () => {
    const paths = temporaryProject();
    for (const id of ['old', 'old-with-checkpoint', 'young', 'odd']) patchConversation(paths, id, {});
    const newer = JSON.stringify({ session_id: 'newer', schema_version: '2.0.0' });
    file(paths.conversation('newer'), newer, 91 * DAY);
    file(paths.conversation('torn'), 'torn', 91 * DAY);
    file(paths.conversation('other'), JSON.stringify({ session_id: 'young' }), 91 * DAY);
    written(paths, ['old-with-checkpoint']);
    for (const id of ['old', 'old-with-checkpoint', 'odd']) age(paths.conversation(id), 91 * DAY);
    file(paths.beats('old'), '', 91 * DAY);
    file(paths.feed('old', 'module'), '', 91 * DAY);
    file(paths.feed('old', 'statusline'), '', 91 * DAY);
    for (const path of Object.values(lookedPaths(paths, 'old'))) file(path, '', 91 * DAY);
    file(paths.beats('odd'), '', DAY);
    file(paths.feed('odd', 'module'), '', DAY);
    run(paths, 50);
    expect(readdirSync(paths.conversations).sort()).toEqual([
      'newer.json',
      'odd.beats',
      'odd.json',
      'odd.module.feed',
      'old-with-checkpoint.json',
      'other.json',
      'torn.json',
      'young.json',
    ]);
  });

  test('removes streams of sessions that are over, and have no checkpoint', () => {
    const paths = temporaryProject();
    const now = NOW - 100 * DAY;
    const begin = (stream: string, ...more: LogEvent[]): void => {
      const started = { type: 'SessionStarted', conversation: stream, entrypoint: null } as const;
      appendEvents(paths, stream, [{ ...started, forked: false, previous: null }, ...more], { now });
      age(streamPath(paths, stream), 91 * DAY);
    };
    const ended: LogEvent = {
      type: 'SessionCompleted',
      conversation: null,
      reason: 'x',
      cause: 'conversation',
    };
    for (const stream of ['over', 'kept', 'newer', 'young', 'damaged']) begin(stream, ended);
    for (const stream of ['silent', 'alive']) begin(stream);
    appendFileSync(streamPath(paths, 'newer'), '{"schema_version":"2.0.0","stream":"newer","version":3}\n');
    appendFileSync(streamPath(paths, 'damaged'), '{"half":');
    for (const stream of ['newer', 'damaged']) age(streamPath(paths, stream), 91 * DAY);
    age(streamPath(paths, 'young'), 89 * DAY);
    file(join(eventsFolder(paths), 'foreign.jsonl'), 'not ours', 91 * DAY);
    written(paths, ['kept']);
    patchConversation(paths, 'alive', {});
    const { verdicts } = run(paths, 50, { isDry: true });
    expect(
      verdicts
        .filter(({ kind, goes }) => kind === 'stream' && goes)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['damaged', 'over', 'silent'].map((name) => streamPath(paths, name)));
    expect(run(paths, 50).failed).toEqual([]);
    expect(readdirSync(eventsFolder(paths)).sort()).toEqual(
      ['alive', 'foreign', 'kept', 'newer', 'young'].map((name) => `${name}.jsonl`),
    );
  });

  test('leaves states alone when not all checkpoints could be looked at', () => {
    const paths = temporaryProject();
    patchConversation(paths, 'old', {});
    age(paths.conversation('old'), 91 * DAY);
    written(paths, ['a', 'b', 'c']);
    run(paths, 50, { most: 2 });
    expect(existsSync(paths.conversation('old'))).toBe(true);
    run(paths, 50, { most: 3 });
    expect(existsSync(paths.conversation('old'))).toBe(false);
  });

  test('removes old claims, and nothing in their folder that is no claim', () => {
    const paths = temporaryProject();
    const claim = '4711 2026-11-27T10:00:00.000Z\n';
    const stay = [
      file(join(paths.claims, 'young'), claim, 23 * HOUR),
      file(join(paths.claims, '.gitignore'), '*\n', 48 * HOUR),
      file(join(paths.claims, 'notes.md'), 'claims of the patent', 48 * HOUR),
    ];
    const go = [
      file(join(paths.claims, 'old'), claim, 25 * HOUR),
      file(join(paths.claims, 'old~1'), claim, 25 * HOUR),
    ];
    run(paths, 50);
    expect(stay.map(existsSync)).toEqual([true, true, true]);
    expect(go.map(existsSync)).toEqual([false, false]);
  });

  test('removes what killed processes left, anywhere below the state folder, and nothing that looks alike', async () => {
    const root = temporaryFolder();
    const paths = projectPaths(root, {}, '.jerry');
    const at = (...names: string[]): string => join(paths.state, ...names);
    const dead = await deadPid();
    const stay = [
      file(at('checkpoints', 'cx-001-checkpoint.json.77.0.tmp'), '', HOUR / 2),
      file(at('notes.tmp'), '', 48 * HOUR),
      file(at('draft.1.tmp'), '', 48 * HOUR),
      file(at('yarn.lock'), '# yarn lockfile v1\n', 48 * HOUR),
      file(at('x', 'young.lock'), `${dead} 1 0`, HOUR / 2),
      file(at('x', 'held.lock'), `${process.pid} 1 0`, 2 * HOUR),
      file(at('node_modules', 'y.77.0.tmp'), '', 2 * HOUR),
      file(join(root, 'elsewhere', 'z.77.0.tmp'), '', 2 * HOUR),
    ];
    symlinkSync(join(root, 'elsewhere'), at('link'));
    const go = [
      file(at('checkpoints', 'cx-001-checkpoint.json.77.1.tmp'), '', 2 * HOUR),
      file(at('events', 'deep', 'down', 'a.jsonl.1.22.tmp'), '', 2 * HOUR),
      file(join(root, '.plimsoll', 'config.snapshot.json.77.0.tmp'), '', 2 * HOUR),
      file(at('conversations', 'a.json.lock.77.take'), '', 2 * HOUR),
      file(at('conversations', 'a.json.lock'), `${dead} 1 0`, 2 * HOUR),
    ];
    expect(run(paths, 50).failed).toEqual([]);
    expect(stay.filter((path) => !existsSync(path))).toEqual([]);
    expect(go.filter(existsSync)).toEqual([]);
  });

  test('keeps the marker of the highest number, so that it is not given again', () => {
    const paths = temporaryProject();
    file(`${checkpointPath(paths, 'cx-002')}.acknowledged`, '{}');
    file(`${checkpointPath(paths, 'cx-007')}.acknowledged`, '{}');
    written(paths, ['a', 'a']);
    expect(listCheckpoints(paths)).toEqual(['cx-008', 'cx-009']);
    run(paths, 50);
    expect(readdirSync(paths.checkpoints).filter((name) => name.endsWith('.acknowledged'))).toEqual([]);
    file(`${checkpointPath(paths, 'cx-012')}.acknowledged`, '{}');
    run(paths, 50);
    expect(isAcknowledged(paths, 'cx-012')).toBe(true);
  });

  test('finds nothing where there is no state folder, and makes none', () => {
    const paths = temporaryProject();
    expect(run(paths, 50)).toEqual({ verdicts: [], failed: [] });
    expect(existsSync(paths.state)).toBe(false);
  });
});

describe('apply() of prune', () => {
  const effect = (paths: ProjectPaths, keep: number) =>
    apply({ do: 'prune', keep, cwd: paths.root ?? '/', orchestration: null }, { paths, env: {}, now: NOW });

  test('does the same for a hook', async () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a'], 31 * DAY);
    expect(await effect(paths, 2)).toBeNull();
    expect(listCheckpoints(paths)).toEqual(['cx-002', 'cx-003']);
  });

  test('names what it could not remove', async () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a'], 31 * DAY);
    mkdirSync(join(`${checkpointPath(paths, 'cx-001')}.acknowledged`, 'x'), { recursive: true });
    await expect(effect(paths, 1)).rejects.toThrow('Cannot remove "cx-001": E');
  });
});
