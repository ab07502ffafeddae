import { appendFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { age, DAY, file, HOUR, NOW, run, written } from '../../../test/unit/aged.ts';
import { deadPid } from '../../../test/unit/programs.ts';
import { pathsIn, temporaryFolder, temporaryProject } from '../../../test/unit/temporary.ts';
import {
  checkpointPath,
  isAcknowledged,
  listCheckpoints,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { apply } from '../../hook/apply.io.ts';
import { eventsFolder, lookedPaths, type ProjectPaths, streamPath } from '../../platform/project/paths.ts';
import type { LogEvent } from '../log-event.ts';
import { appendEvents } from '../read-events.io.ts';
import { patchSessionState } from '../session-states.io.ts';

describe('prune(): the rest', () => {
  test('removes states of sessions that nobody touched and that have no checkpoint', () => {
    const paths = temporaryProject();
    for (const id of ['old', 'old-with-checkpoint', 'young', 'odd']) patchSessionState(paths, id, {});
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
    patchSessionState(paths, 'alive', {});
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
    patchSessionState(paths, 'old', {});
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

  test('removes what killed processes left, in the folders of the state folder, and nothing that looks alike or lies elsewhere', async () => {
    const root = temporaryFolder();
    const paths = pathsIn(root);
    const at = (...names: string[]): string => join(paths.state, ...names);
    const dead = await deadPid();
    const stay = [
      file(at('checkpoints', 'cx-001-checkpoint.json.77.0.tmp'), '', HOUR / 2),
      file(at('notes.tmp'), '', 48 * HOUR),
      file(at('draft.1.tmp'), '', 48 * HOUR),
      file(at('yarn.lock'), '# yarn lockfile v1\n', 48 * HOUR),
      file(at('x', 'young.lock'), `${dead} 1 0`, HOUR / 2),
      file(at('x', 'held.lock'), `${process.pid} 1 0`, 2 * HOUR),
      file(at('events', 'deep', 'down', 'a.jsonl.1.22.tmp'), '', 2 * HOUR),
      file(join(root, '.plimsoll', 'rules', 'y.77.0.tmp'), '', 2 * HOUR),
      file(join(root, 'elsewhere', 'z.77.0.tmp'), '', 2 * HOUR),
    ];
    symlinkSync(join(root, 'elsewhere'), at('link'));
    const go = [
      file(at('checkpoints', 'cx-001-checkpoint.json.77.1.tmp'), '', 2 * HOUR),
      file(at('events', 'a.jsonl.1.22.tmp'), '', 2 * HOUR),
      file(join(root, '.plimsoll', 'config.toml.77.0.tmp'), '', 2 * HOUR),
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
