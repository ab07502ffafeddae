// Tests that the workflow's file alone orients a session: where none was before, in a clone, in a worktree, after days.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { failuresOf } from './calls.ts';
import { end, work } from './earlier.ts';
import { type Host, MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

const FILE = fileURLToPath(new URL('../fixtures/feat015/ORCHESTRATION.yaml', import.meta.url));
const HOUR = 3_600_000;

/** The workflow of the specification, updated so many hours ago. */
const workflow = (hours: number, change = (text: string): string => text): string =>
  change(readFileSync(FILE, 'utf8')).replace(
    '2026-02-17T11:44:00Z',
    new Date(Date.now() - hours * HOUR).toISOString(),
  );
const hostWith = (text: string, more: Record<string, string> = {}): Host =>
  newHost({ files: { 'ORCHESTRATION.yaml': text, ...more } });
const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const starts = (host: Host, id: string, source = 'startup'): string =>
  talk(host, id).fire('SessionStart', { source }).context;

/** What template 1 tells of the workflow of the specification. */
const TEMPLATE = [
  'PROJECT: PROJ-001-oss-release',
  'ORCHESTRATION PLAN: projects/PROJ-001-oss-release/ORCHESTRATION_PLAN.md',
  '- Current phase: Phase 2 (Core License Changes)',
  '- Workflow status: ACTIVE',
  '- Last activity: qg-2-iteration-1',
  '- Last checkpoint: CP-001',
  'NEXT ACTION (from the workflow file): Restart QG-2 iteration 1.',
  '- Gates completed: qg-1',
  '- Gates remaining: qg-2, qg-3, qg-final',
  '- Last gate score: 0.960 (qg-2 iter 1)',
  '- RD-001 (qg-2, iter 1): Align copyright holder',
  '- audit-executor: PASS.',
  '- Evidence quality gaps',
  'projects/PROJ-001-oss-release/WORKTRACKER.md (features, history)',
];
const NAME = 'feat015-licmig-20260217-001 (ORCHESTRATION.yaml';

describe('the first session of a clone is told the workflow', () => {
  test('in full, and so is whoever runs plimsoll handoff', () => {
    const host = hostWith(workflow(1));
    const said = starts(host, 'session-a');
    for (const line of [`WORKFLOW: ${NAME}, updated 60 min ago)`, ...TEMPLATE]) expect(said).toContain(line);
    const printed = run(host, 'handoff').stdout;
    for (const line of TEMPLATE) expect(printed).toContain(line);
    expect(failuresOf(host)).toEqual([]);
  });

  test('with its age after 72 hours, though its session is too old to be told of', async () => {
    const host = hostWith(workflow(100), { [MINE]: '[resume]\nmax_age_hours = 0\n' });
    await end(work(host, 'session-a'));
    const said = starts(host, 'session-b');
    for (const line of [`WORKFLOW (possibly outdated): ${NAME}, updated 4 days ago)`, ...TEMPLATE])
      expect(said).toContain(line);
    expect(said).not.toContain('An earlier session');
  });

  test('where its names stand in the header', () => {
    const moved = (text: string): string =>
      text.replace('workflow:\n  id:', 'header:\n  workflow_id:').replace('  status: "ACTIVE"\n\n', '\n');
    const said = starts(hostWith(workflow(1, moved)), 'session-a');
    for (const line of [`WORKFLOW: ${NAME}`, ...TEMPLATE.slice(0, 2)]) expect(said).toContain(line);
    expect(said).toContain('ACTIVE WORKFLOW: feat015-licmig-20260217-001');
  });

  test('where the session before left nothing', async () => {
    const host = hostWith(workflow(30));
    const a = talk(host, 'session-a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit', { prompt: '/help' });
    await end(a);
    expect(starts(host, 'session-b')).toContain(`WORKFLOW (possibly outdated): ${NAME}`);
  });

  test('at its first prompt where no hook ran at its start, and not again', () => {
    const host = hostWith(workflow(1));
    const a = talk(host, 'session-a');
    a.write(request('Go on'), answer(20_000));
    expect(a.fire('UserPromptSubmit').context).toContain(`WORKFLOW: ${NAME}`);
    expect(a.fire('UserPromptSubmit').context).not.toContain('resumption-context');
  });

  test('in one line where nobody sits in front of it', () => {
    const host = hostWith(workflow(1));
    const said = talk(host, 'session-a', { entrypoint: 'sdk-cli' }).fire('SessionStart', {
      source: 'startup',
    });
    expect(said.context).toMatch(
      /<resumption-context>Workflow feat015-licmig-20260217-001, ACTIVE, .*plimsoll handoff\)<\/resumption-context>/,
    );
  });
});

describe('the workflow alone is not told', () => {
  test.each([
    ['is over', workflow(1, (text) => text.replaceAll('"ACTIVE"', '"COMPLETE"')), ''],
    ['rests', workflow(1, (text) => text.replaceAll('"ACTIVE"', '"PAUSED"')), ''],
    ['is active, but resume.auto is off', workflow(1), '[resume]\nauto = "off"\n'],
  ])('at a start where it %s', (_, text, mine) => {
    const host = hostWith(text, { [MINE]: mine });
    expect(starts(host, 'session-a')).not.toContain('resumption-context');
  });

  test('while another session goes on that may be at it', () => {
    const host = hostWith(workflow(1));
    const a = talk(host, 'session-a');
    a.fire('SessionStart', { source: 'startup' });
    a.fire('UserPromptSubmit');
    expect(starts(host, 'session-b')).not.toContain('resumption-context');
    expect(run(host, 'handoff', '--preview').stdout).toContain(
      'another session, which may be at the workflow, goes on',
    );
  });
});

test('a session that wrote the section is told of with the whole of it', async () => {
  const host = hostWith(workflow(1));
  const a = talk(host, 'session-a');
  a.fire('SessionStart', { source: 'startup' });
  a.write(request('Go on with the workflow'), answer(20_000));
  a.fire('UserPromptSubmit');
  expect(run(host, 'state', 'next', 'Score the deliverables again').code).toBe(0);
  await end(a);
  const said = starts(host, 'session-b');
  expect(said).toContain('its workflow is active');
  expect(said).toContain(`WORKFLOW: ${NAME}`);
});

test('who dismisses the handoff hears how the workflow is left as well', async () => {
  const host = hostWith(workflow(1));
  await end(work(host, 'session-a'));
  const { stdout } = run(host, 'handoff', 'dismiss');
  expect(stdout).toContain('ORCHESTRATION.yaml keeps an active workflow all the same');
  expect(run(host, 'state', 'status', 'PAUSED').code).toBe(0);
  expect(starts(host, 'session-b')).not.toContain('resumption-context');
});
