import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { draft } from '../../../test/unit/drafts.ts';
import { temporaryFolder, temporaryProject } from '../../../test/unit/temporary.ts';
import type { Effect } from '../../hook/action.ts';
import { takeClaim } from '../../hook/claim.io.ts';
import { apply } from '../../hook/run-actions.io.ts';
import { recordHookRun } from '../../sessions/last-runs.io.ts';
import { logFailures } from './failures.ts';
import type { ProjectPaths } from './paths.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');

const kept = async (paths: ProjectPaths, keep: Effect): Promise<void> => {
  await apply(keep, { paths, env: { HOME: temporaryFolder() }, now: NOW });
};

/** Everything that writes into the state folder of a project, each alone and first. */
const writers: [string, (paths: ProjectPaths) => unknown][] = [
  ['the state of a session', (paths) => kept(paths, { do: 'patch-session', session: 'c', patch: {} })],
  ['a checkpoint', (paths) => kept(paths, { do: 'write-checkpoint', draft: draft() })],
  ['the settings snapshot', (paths) => kept(paths, { do: 'save-settings', text: '{}\n' })],
  ['a claim', (paths) => takeClaim(paths, 'c', 'e1-said-WARNING', NOW, () => false)],
  [
    'a failure',
    (paths) => logFailures(paths, {}, { hook: 'Stop', now: NOW, failures: [{ part: 'a', error: 'b' }] }),
  ],
];

describe('whoever writes first into a project', () => {
  test.each(writers)('%s: the .gitignore is there with it', async (_name, write) => {
    const paths = temporaryProject();
    await write(paths);
    expect(readFileSync(join(paths.state, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test.each(writers)(
    '%s: also in a fresh clone that has the configuration of the team',
    async (_name, write) => {
      const paths = temporaryProject();
      mkdirSync(join(paths.config, '..'));
      writeFileSync(paths.config, 'enabled = true\n');
      await write(paths);
      expect(existsSync(join(paths.state, '.gitignore'))).toBe(true);
      expect(readFileSync(paths.config, 'utf8')).toBe('enabled = true\n');
    },
  );

  test('a note of when a hook ran makes no folder at all', () => {
    const paths = temporaryProject();
    recordHookRun(paths, 'c', { name: 'Stop', line: 0, now: NOW, ms: 20, create: true });
    expect(existsSync(paths.state)).toBe(false);
  });
});
