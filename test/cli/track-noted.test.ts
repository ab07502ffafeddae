// Tests that what was noted counts at once: for the evaluator, for the gate, and at a checkpoint of a rising tier.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { failuresOf } from '../hooks/calls.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { READY, TRACK } from '../unit/tracks.ts';
import { run } from './tracks.ts';

const PLAN = `${TRACK}/PLAN.md`;
const GATE = { '.plimsoll/config.toml': '[guardrails]\nmode = "enforce"\npreset = "none"\n' };
/** A track whose plan has everything but a task. */
const FILES = { ...READY, [PLAN]: '# Plan: a cache\n\n## Tasks\n\nThose that are noted.\n' };
const host = (): Host => newHost({ files: { ...FILES, ...GATE } });
const plan = ({ project }: Host): string => readFileSync(path.join(project, PLAN), 'utf8');
const noteTask = (where: Host): void => {
  const text = 'Write CacheReader and CacheWriter';
  expect(run(where, 'note', 'task', text, '--acceptance', 'its tests pass', '--session', SESSION).code).toBe(
    0,
  );
};

test('track lint knows what note has just added, and changes nothing', () => {
  const where = host();
  expect(run(where, 'track', 'lint').stdout).toContain('no task (tasks)');
  noteTask(where);
  expect(run(where, 'track', 'lint').stdout).not.toContain('no task');
  expect(plan(where)).toBe(FILES[PLAN]);
});

test('the gate knows it as well', () => {
  const where = host();
  const denied = (): boolean =>
    where
      .fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 't' })
      .stdout.includes('"deny"');
  expect(denied()).toBe(true);
  noteTask(where);
  expect(denied()).toBe(false);
});

test('a checkpoint of a rising tier brings the track up to date', () => {
  const where = host();
  where.fire('SessionStart', { source: 'startup' });
  where.append(request('Go'), answer(30_000, { id: 'm1' }));
  where.fire('UserPromptSubmit');
  noteTask(where);
  expect(plan(where)).not.toContain('CacheReader');
  where.append(answer(125_000, { id: 'm2' }));
  where.fire('PostToolUse', { tool_use_id: 't1' });
  expect(plan(where)).toContain('Write CacheReader and CacheWriter');
  expect(failuresOf(where)).toEqual([]);
});
