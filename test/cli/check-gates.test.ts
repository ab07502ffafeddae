// Tests that `plimsoll check --all` tries the gates, and that no other check does.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { type Repository, repository } from '../unit/repository.ts';
import { READY } from '../unit/tracks.ts';
import { found as allFound } from './checked.ts';

const OFF = { '.plimsoll/config.toml': '' };
const ENFORCE = {
  '.plimsoll/config.toml':
    '[guardrails]\nmode = "enforce"\npreset = "none"\n[guardrails.paths]\nprotected = ["dist/**"]\n',
};
const compacted = (): Repository => {
  const repo = repository({ ...READY, ...OFF });
  expect(plimsoll({ env: repo.env, projectDir: repo.folder }, 'track', 'sync').code).toBe(0);
  return repo;
};
/** Without what other checks say. */
function found(repo: Repository, ...args: string[]): [number, string[]] {
  const [code, findings] = allFound(repo, ...args);
  return [code, findings.filter((each) => each.includes(' gates/'))];
}

test('the gates of a track that is compacted hold, and one that never was has no checkpoint to be rebuilt from', () => {
  expect(found(compacted(), '--all')).toEqual([0, []]);
  expect(found(repository({ ...READY, ...OFF }), '--all')).toEqual([0, []]);
});

test('an entry that was changed and not taken up is an error, with --all alone', () => {
  const repo = compacted();
  repo.write(
    'docs/tracks/cache/entries/task-0123456789.md',
    '---\nkind: task\nid: T-9\nstatus: todo\n---\n\n- Task: by hand\n  - Acceptance: a\n',
  );
  const [code, findings] = found(repo, '--all');
  expect(code).toBe(1);
  expect(new Set(findings)).toEqual(new Set(['null:null gates/recovery error']));
  expect(found(repo)).toEqual([0, []]);
});

test('a track that cannot be compacted is an error of the determinism gate, too', () => {
  const repo = compacted();
  repo.write('docs/tracks/cache/RISKS.md', '- Risk: no severity\n');
  expect(found(repo, '--all')).toEqual([1, ['null:null gates/determinism error']]);
});

test('an installed hook that denies nothing is an error where guardrails are enforced', () => {
  const repo = repository(ENFORCE);
  expect(found(repo, '--all')).toEqual([0, []]);
  const env = { ...repo.env, XDG_DATA_HOME: join(repo.folder, '.git', 'data') };
  repo.write('.git/data/plimsoll/current/hook.cjs', '');
  const [code, findings] = found({ ...repo, env }, '--all');
  expect(code).toBe(1);
  expect(findings).toContain('null:null gates/guardrails error');
  expect(found({ ...repo, env })).toEqual([0, []]);
});
