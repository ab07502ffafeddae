import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { age, DAY, end, file, NOW, run, written } from '../../../test/unit/aged.ts';
import { program, start } from '../../../test/unit/programs.ts';
import { temporaryProject } from '../../../test/unit/temporary.ts';
import {
  acknowledge,
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { patchSessionState } from '../session-states.io.ts';

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
      (paths) => patchSessionState(paths, 'a', {}),
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
        patchSessionState(paths, 'a', { transcript: path });
        age(paths.session('a').state, 31 * DAY);
      },
      0,
      false,
    ],
    [
      'told of, and its state is damaged, but fresh',
      (paths) => file(paths.session('a').state, 'torn'),
      0,
      false,
    ],
  ])('looks at the session of one that was %s', (_, prepare, by, isGone) => {
    const paths = temporaryProject();
    written(paths, ['a', 'b'], by);
    acknowledge(paths, 'a', 'cx-001', 'cli', NOW);
    prepare(paths);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(isGone ? ['cx-002'] : ['cx-001', 'cx-002']);
    expect(isAcknowledged(paths, 'cx-001')).toBe(!isGone);
  });

  test('keeps one whose session shows another sign of life: a hook that ran, a process that runs', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'b', 'c', 'd'], 31 * DAY);
    file(paths.session('a').runs, '');
    patchSessionState(paths, 'b', { process: { pid: process.pid, began: null } });
    age(paths.session('b').state, 31 * DAY);
    file(paths.session('c').runs, '', 31 * DAY);
    file(paths.session('c').state, 'torn', 31 * DAY);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-001', 'cx-002', 'cx-004']);
  });

  test('keeps a damaged one for 30 days, and one of a newer version for good', () => {
    const paths = temporaryProject();
    written(paths, ['a', 'a', 'a', 'a'], 31 * DAY);
    const path = (id: string): string => joinCheckpointPath(paths, id);
    file(path('cx-001'), 'torn', 31 * DAY);
    file(path('cx-002'), 'torn', 29 * DAY);
    file(path('cx-003'), readFileSync(path('cx-003'), 'utf8').replace('"1.0.0"', '"2.0.0"'), 31 * DAY);
    run(paths, 1);
    expect(listCheckpoints(paths)).toEqual(['cx-002', 'cx-003', 'cx-004']);
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
      import { listProjectPaths } from './platform/project/paths.ts';
      import { prune } from './sessions/retention/remove-old.io.ts';
      const fs = require('node:fs');
      let left = Number(process.argv[3]);
      const unlink = fs.unlinkSync;
      fs.unlinkSync = (path) => {
        unlink(path);
        if (--left === 0) process.kill(process.pid, 'SIGKILL');
      };
      const paths = listProjectPaths(process.argv[2], { HOME: process.argv[2] + ".home" });
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
      import { listProjectPaths } from './platform/project/paths.ts';
      import { prune } from './sessions/retention/remove-old.io.ts';
      const paths = listProjectPaths(process.argv[2], { HOME: process.argv[2] + ".home" });
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
    mkdirSync(join(`${joinCheckpointPath(paths, 'cx-001')}.acknowledged`, 'x'), { recursive: true });
    const { failed } = run(paths, 1);
    expect(failed).toEqual([{ name: 'cx-001', error: expect.stringMatching(/^E/) }]);
    expect(listCheckpoints(paths)).toEqual(['cx-003']);
  });
});
