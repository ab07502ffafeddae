import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { findOrchestration, listOrchestrations, readOrchestration } from './find-workflow.io.ts';

describe('findOrchestration()', () => {
  function project(...files: string[]): string {
    const root = temporaryFolder();
    for (const file of files) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), 'workflow:\n');
    }
    return root;
  }
  const NAME = 'ORCHESTRATION.yaml';

  // [what, files, cwd, configured, found]
  const rows: [string, string[], string, string | null, string | null][] = [
    ['nothing where there is none', [], '', null, null],
    ['the one at the root', [NAME], '', null, NAME],
    ['the nearest one upward', [NAME, `a/${NAME}`, 'a/b/x'], 'a/b', null, `a/${NAME}`],
    ['the one at the root from below', [NAME, 'a/b/x'], 'a/b', null, NAME],
    ['the only one of projects', [`projects/p/${NAME}`, 'projects/q/x'], '', null, `projects/p/${NAME}`],
    ['none of several in projects', [`projects/p/${NAME}`, `projects/q/${NAME}`], '', null, null],
    ['the one at the root before those of projects', [NAME, `projects/p/${NAME}`], '', null, NAME],
    ['the configured one', [NAME, 'docs/flow.yaml'], '', 'docs/flow.yaml', 'docs/flow.yaml'],
    ['nothing where the configured one is missing', [NAME], '', 'docs/flow.yaml', null],
  ];
  test.each(rows)('finds %s', (_, files, cwd, configured, expected) => {
    const root = project(...files);
    expect(findOrchestration({ root, cwd: join(root, cwd), configured })).toBe(
      expected === null ? null : join(root, expected),
    );
  });

  // [what, texts of the files of projects/0, projects/1 …, which is found]
  test.each<[string, string[], number | null]>([
    [
      'the only active one of several',
      ['workflow:\n  status: COMPLETE\n', 'workflow:\n  status: "ACTIVE" # now\n'],
      1,
    ],
    [
      'the one whose section says so, whatever its head says',
      [
        'workflow:\n  status: ACTIVE\nresumption:\n  workflow_status: PAUSED\n',
        'resumption:\n  recovery_state:\n    workflow_status: active\n',
      ],
      1,
    ],
    ['none of two active ones', ['workflow:\n  status: ACTIVE\n', 'workflow:\n  status: ACTIVE\n'], null],
    ['none where no status can be read', ['\0', 'workflow: &a\n  <<: *a\n'], null],
  ])('finds in projects/* %s', (_, texts, expected) => {
    const root = project(...texts.map((_, at) => `projects/${at}/${NAME}`));
    for (const [at, text] of texts.entries()) writeFileSync(join(root, `projects/${at}/${NAME}`), text);
    expect(findOrchestration({ root, cwd: root, configured: null })).toBe(
      expected === null ? null : join(root, `projects/${expected}/${NAME}`),
    );
  });

  test('looks into the root where the agent is elsewhere, and nowhere without a root', () => {
    const root = project(NAME);
    expect(findOrchestration({ root, cwd: temporaryFolder(), configured: null })).toBe(join(root, NAME));
    expect(findOrchestration({ root: null, cwd: root, configured: null })).toBeNull();
  });

  test('finds none where only the folder next door, whose name begins alike, has one', () => {
    const root = project(`a/x`, `ab/${NAME}`);
    expect(findOrchestration({ root: join(root, 'a'), cwd: join(root, 'ab'), configured: null })).toBeNull();
  });

  test('finds all that may be the work, where none may be missed', () => {
    const root = project(
      NAME,
      `a/${NAME}`,
      `projects/p/${NAME}`,
      `projects/q/${NAME}`,
      'docs/flow.yaml',
      'x/y',
    );
    const found = (cwd: string, configured: string | null): string[] =>
      listOrchestrations({ root, cwd, configured }).map((path) => relative(root, path));
    const projects = [`projects/p/${NAME}`, `projects/q/${NAME}`];
    expect(found(join(root, 'a'), null)).toEqual([`a/${NAME}`, NAME, ...projects]);
    expect(found(join(root, 'x'), 'docs/flow.yaml')).toEqual(['docs/flow.yaml', NAME, ...projects]);
    expect(found(temporaryFolder(), 'docs/missing.yaml')).toEqual([NAME, ...projects]);
    expect(listOrchestrations({ root: null, cwd: root, configured: null })).toEqual([]);
    expect(listOrchestrations({ root: project('projects'), cwd: '/', configured: null })).toEqual([]);
  });

  test('reads the file, and none of more than a megabyte', () => {
    const root = project(NAME);
    expect(readOrchestration(join(root, NAME))).toBe('workflow:\n');
    writeFileSync(join(root, NAME), 'x'.repeat(1024 * 1024 + 1));
    expect(readOrchestration(join(root, NAME))).toBeNull();
  });
});
