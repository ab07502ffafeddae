import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { age, DAY, file, HOUR, NOW, run, written } from '../../../test/unit/aged.ts';
import { deadPid } from '../../../test/unit/programs.ts';
import { pathsIn, temporaryFolder, temporaryProject } from '../../../test/unit/temporary.ts';
import {
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { apply } from '../../hook/run-actions.io.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { patchSessionState } from '../session-states.io.ts';

describe('prune(): the rest', () => {
  test('removes the folders of sessions that nobody touched and that have no checkpoint, whole', () => {
    const paths = temporaryProject();
    for (const id of ['old', 'old-with-checkpoint', 'young', 'odd', 'heard'])
      patchSessionState(paths, id, {});
    patchSessionState(paths, 'runs-on', { process: { pid: process.pid, began: null } });
    const newer = JSON.stringify({ session_id: 'newer', schema_version: '2.0.0' });
    file(paths.session('newer').state, newer, 91 * DAY);
    file(paths.session('torn').state, 'torn', 91 * DAY);
    file(paths.session('other').state, JSON.stringify({ session_id: 'young' }), 91 * DAY);
    file(paths.session('stateless').feed('statusline'), '', 91 * DAY);
    file(paths.session('stateless-young').feed('statusline'), '', 89 * DAY);
    written(paths, ['old-with-checkpoint']);
    for (const id of ['old', 'old-with-checkpoint', 'odd', 'heard', 'runs-on'])
      age(paths.session(id).state, 91 * DAY);
    const { claims, feed: _, folder, state: __, ...files } = paths.session('old');
    for (const path of [...Object.values(files), paths.session('old').feed('module'), join(claims, 'e1')])
      file(path, '', 91 * DAY);
    file(join(folder, 'what-nobody-knows', 'x'), '', 91 * DAY);
    file(paths.session('odd').runs, '', DAY);
    file(paths.session('heard').events, '', DAY);
    expect(run(paths, 50).failed).toEqual([]);
    expect(readdirSync(paths.sessions).sort()).toEqual([
      'heard',
      'newer',
      'odd',
      'old-with-checkpoint',
      'other',
      'runs-on',
      'stateless-young',
      'torn',
      'young',
    ]);
  });

  test('takes no link in place of a folder of a session, and keeps what links in one lead to', () => {
    const paths = temporaryProject();
    const elsewhere = file(join(paths.root ?? '', 'elsewhere', 'state.json'), '{}', 91 * DAY);
    patchSessionState(paths, 'old', {});
    age(paths.session('old').state, 91 * DAY);
    symlinkSync(join(elsewhere, '..'), join(paths.session('old').folder, 'link'));
    symlinkSync(join(elsewhere, '..'), paths.session('linked').folder);
    expect(run(paths, 50).failed).toEqual([]);
    expect(readdirSync(paths.sessions)).toEqual(['linked']);
    expect(existsSync(elsewhere)).toBe(true);
  });

  test('finishes what a process that died had begun to remove', () => {
    const paths = temporaryProject();
    const half = `${paths.session('a').folder}.77.0.tmp`;
    file(join(half, 'claims', 'e1'), '');
    age(half, 2 * HOUR);
    expect(run(paths, 50).failed).toEqual([]);
    expect(readdirSync(paths.sessions)).toEqual([]);
  });

  test('leaves states alone when not all checkpoints could be looked at', () => {
    const paths = temporaryProject();
    patchSessionState(paths, 'old', {});
    age(paths.session('old').state, 91 * DAY);
    written(paths, ['a', 'b', 'c']);
    run(paths, 50, { most: 2 });
    expect(existsSync(paths.session('old').state)).toBe(true);
    run(paths, 50, { most: 3 });
    expect(existsSync(paths.session('old').state)).toBe(false);
  });

  test('removes old claims, and nothing in their folder that is no claim', () => {
    const paths = temporaryProject();
    const claim = '4711 2026-11-27T10:00:00.000Z\n';
    const stay = [
      file(join(paths.session('s').claims, 'young'), claim, 23 * HOUR),
      file(join(paths.session('s').claims, '.gitignore'), '*\n', 48 * HOUR),
      file(join(paths.session('s').claims, 'notes.md'), 'claims of the patent', 48 * HOUR),
    ];
    const go = [
      file(join(paths.session('s').claims, 'old'), claim, 25 * HOUR),
      file(join(paths.session('s').claims, 'old~1'), claim, 25 * HOUR),
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
      file(at('sessions', 'a', 'deep', 'down', 'events.jsonl.1.22.tmp'), '', 2 * HOUR),
      file(join(root, '.plimsoll', 'rules', 'y.77.0.tmp'), '', 2 * HOUR),
      file(join(root, 'elsewhere', 'z.77.0.tmp'), '', 2 * HOUR),
    ];
    symlinkSync(join(root, 'elsewhere'), at('link'));
    const go = [
      file(at('checkpoints', 'cx-001-checkpoint.json.77.1.tmp'), '', 2 * HOUR),
      file(at('sessions', 'a', 'events.jsonl.1.22.tmp'), '', 2 * HOUR),
      file(join(root, '.plimsoll', 'config.toml.77.0.tmp'), '', 2 * HOUR),
      file(at('sessions', 'a', 'state.json.lock.77.take'), '', 2 * HOUR),
      file(at('sessions', 'a', 'state.json.lock'), `${dead} 1 0`, 2 * HOUR),
    ];
    expect(run(paths, 50).failed).toEqual([]);
    expect(stay.filter((path) => !existsSync(path))).toEqual([]);
    expect(go.filter(existsSync)).toEqual([]);
  });

  test('keeps the marker of the highest number, so that it is not given again', () => {
    const paths = temporaryProject();
    file(`${joinCheckpointPath(paths, 'cx-002')}.acknowledged`, '{}');
    file(`${joinCheckpointPath(paths, 'cx-007')}.acknowledged`, '{}');
    written(paths, ['a', 'a']);
    expect(listCheckpoints(paths)).toEqual(['cx-008', 'cx-009']);
    run(paths, 50);
    expect(readdirSync(paths.checkpoints).filter((name) => name.endsWith('.acknowledged'))).toEqual([]);
    file(`${joinCheckpointPath(paths, 'cx-012')}.acknowledged`, '{}');
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
    mkdirSync(join(`${joinCheckpointPath(paths, 'cx-001')}.acknowledged`, 'x'), { recursive: true });
    await expect(effect(paths, 1)).rejects.toThrow('Cannot remove "cx-001": E');
  });
});
