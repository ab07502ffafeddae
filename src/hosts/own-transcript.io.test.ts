import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { envFor, pathsIn, temporaryFolder } from '../../test/unit/temporary.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { type OwnEntry, type OwnLine, ownEntries, ownFacts } from './own-lines.ts';
import { createOwnFinder, keepOwnLines } from './own-transcript.io.ts';
import { scanWhole } from './scan-facts.io.ts';

const at = '2026-11-20T10:00:00.000Z';
const usage = {
  kind: 'usage',
  tokens: 9_000,
  input: 9_000,
  output: 5,
  model: 'm',
  at,
  messageId: 'b',
} as const;
const lines: OwnLine[] = [
  {
    id: 'a',
    parent: null,
    at,
    entries: [{ kind: 'request', by: 'person', text: 'Bind it', command: null, quotes: [] }],
  },
  { fact: usage, id: 'b', parent: 'a', at, entries: [{ kind: 'answer', text: 'Hi', isFinal: true }] },
  { fact: { kind: 'boundary', trigger: null, preTokens: null, at }, id: 'c', parent: 'b', at },
];

function project() {
  const root = realpathSync(temporaryFolder());
  mkdirSync(`${root}/.git`);
  const paths = pathsIn(root);
  ensureStateFolder(paths);
  return { root, paths, env: envFor(root) };
}

test('lines are kept once, and read as what they were', () => {
  const { paths } = project();
  const path = keepOwnLines(paths, 'ses_1', 'opencode', lines.slice(0, 2));
  expect(keepOwnLines(paths, 'ses_1', 'opencode', lines)).toBe(path);
  const kept = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(kept).toHaveLength(4);
  const { facts } = scanWhole(path, ownFacts) ?? {};
  expect(facts?.usage).toMatchObject(usage);
  expect(facts?.boundaries).toHaveLength(1);
  const parsed: unknown[] = kept.map((each) => JSON.parse(each));
  expect(parsed.flatMap((each) => ownEntries.readEntries(each, 3))).toMatchObject([
    { kind: 'request', text: 'Bind it', id: 'a', offset: 3, time: at },
    { kind: 'answer', text: 'Hi', id: 'b' },
  ]);
  expect(parsed.map(ownEntries.readLink)).toEqual([
    null,
    { id: 'a', parent: null },
    { id: 'b', parent: 'a' },
    { id: 'c', parent: 'b' },
  ]);
});

test('a secret is not kept', () => {
  const { paths } = project();
  const text = `the key is AKIA${'ABCDEFGH'.repeat(2)}`;
  const entry: OwnEntry = { kind: 'request', by: 'person', text, command: null, quotes: [] };
  const path = keepOwnLines(paths, 'ses_1', 'opencode', [{ id: 'a', parent: null, at, entries: [entry] }]);
  expect(readFileSync(path, 'utf8')).not.toContain('ABCDEFGHABCDEFGH');
});

test('a session is found in its project, and from everywhere, by its own host alone', () => {
  const { root, paths, env } = project();
  const path = keepOwnLines(paths, 'ses_1', 'opencode', lines);
  const finder = createOwnFinder('opencode');
  expect(finder.list(root, env)).toMatchObject([{ id: 'ses_1', path }]);
  expect(finder.locate('ses_1', env)).toMatchObject({ path });
  expect(finder.ranBelow(path, root)).toBe(true);
  expect(finder.isBegunBy(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? ''))).toBe(true);
  expect(createOwnFinder('kilo').list(root, env)).toEqual([]);
  expect(finder.locate('ses_2', env)).toBeNull();
});
