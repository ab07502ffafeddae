import { describe, expect, test } from 'vitest';
import type { TaskName } from '../layout.ts';
import { CHECK_NAMES, evaluate, selectGateFindings } from './evaluate.ts';

const SPEC = `# Specification: cache

## Goal

Answers come from a cache.

## Scope

- In: reading

## Names

- \`CacheReader\`: reads

## Acceptance

- A hit costs no request.
`;
const PLAN = `# Plan: cache

## Tasks

- [ ] Task: [T-1] Write \`CacheReader\`, after D-001
  - Acceptance: a hit costs no request
`;
const RISKS = '# Risks\n\n- Risk: [R-001] The disk is full\n  - Severity: high\n  - Mitigation: say so\n';
const DECISIONS =
  '# Decisions\n\n- Decision: [D-001] One file\n  - Reason: no server\n  - Impact: small\n  - At: 2026-01-31T09:00:00Z\n';

const GOOD: Record<TaskName, string | null> = {
  'SPEC.md': SPEC,
  'PLAN.md': PLAN,
  'RISKS.md': RISKS,
  'DECISIONS.md': DECISIONS,
};
const found = (texts: Partial<Record<TaskName, string | null>>): string[] =>
  evaluate('cache', { ...GOOD, ...texts }).map(
    ({ check, file, line, message }) =>
      `${check} ${file?.replace('docs/tracks/cache/', '')}:${line ?? ''} ${message}`,
  );

test('a track that is ready has no findings, with either line end and a BOM', () => {
  expect(found({})).toEqual([]);
  expect(
    found({ 'SPEC.md': `\uFEFF${SPEC.replaceAll('\n', '\r\n')}`, 'PLAN.md': PLAN.replaceAll('\n', '\r\n') }),
  ).toEqual([]);
});

test('every finding says what to do, and every check is named', () => {
  const all = evaluate('cache', { 'SPEC.md': null, 'PLAN.md': null, 'RISKS.md': null, 'DECISIONS.md': null });
  expect(all.length).toBeGreaterThan(0);
  for (const { next, check } of all) {
    expect(next).not.toBe('');
    expect(CHECK_NAMES).toContain(check);
  }
});

const spec = (from: string | RegExp, to: string) => ({ 'SPEC.md': SPEC.replace(from, to) });
const plan = (from: string | RegExp, to: string) => ({ 'PLAN.md': PLAN.replace(from, to) });

describe('what is found, and where', () => {
  test.each<[string, Partial<Record<TaskName, string | null>>, string[]]>([
    ['a missing SPEC', { 'SPEC.md': null }, ['sections SPEC.md: there is no such file']],
    ['a missing PLAN', { 'PLAN.md': null }, ['sections PLAN.md: there is no such file']],
    ['a missing section', spec('## Goal', '## Colours'), ['sections SPEC.md: no section "Goal"']],
    [
      'an empty section',
      spec('\n- A hit costs no request.\n', ''),
      ['sections SPEC.md:15 section "Acceptance" is empty'],
    ],
    [
      'a section that holds only a comment',
      spec('- A hit costs no request.', '<!-- not yet -->'),
      ['sections SPEC.md:15 section "Acceptance" is empty'],
    ],
    [
      'a plan without tasks',
      plan(/- \[ \][\s\S]*/, 'We will see.\n'),
      [
        'tasks PLAN.md: no task',
        'names SPEC.md:13 `CacheReader` is named here and nowhere in docs/tracks/cache/PLAN.md',
      ],
    ],
    [
      'boxes that are no tasks',
      plan('Task: [T-1] ', ''),
      ['tasks PLAN.md:5 1 box, and none of them is a "Task:" with acceptance'],
    ],
    [
      'a task without acceptance',
      plan('  - Acceptance: a hit costs no request\n', ''),
      ['tasks PLAN.md:5 task "Write `CacheReader`, after D-001" has no acceptance criteria'],
    ],
    [
      'a task without a state',
      plan('[ ] ', ''),
      ['tasks PLAN.md:5 task "Write `CacheReader`, after D-001" has no state'],
    ],
    [
      'a task without a state before one with it',
      plan('- [ ] Task:', '- Task: Read\n  - Acceptance: reads\n- [ ] Task:'),
      ['tasks PLAN.md:5 task "Read" has no state'],
    ],
    [
      'a state in words',
      plan(
        '- [ ] Task: [T-1] Write `CacheReader`, after D-001',
        '- Task: Write `CacheReader`\n  - State: doing',
      ),
      [],
    ],
    [
      'an entry that the schema does not take',
      { 'DECISIONS.md': `${DECISIONS}- Decision: x\n` },
      ['schema DECISIONS.md:7 no Reason', 'schema DECISIONS.md:7 no Impact'],
    ],
    [
      'a placeholder',
      spec('Answers come', 'TODO: answers come'),
      ['placeholders SPEC.md:5 placeholder "TODO"'],
    ],
    [
      'a high risk without an answer',
      { 'RISKS.md': RISKS.replace('  - Mitigation: say so\n', '') },
      ['risks RISKS.md:3 high risk "The disk is full" has no mitigation'],
    ],
    [
      'a low one needs none',
      { 'RISKS.md': RISKS.replace('  - Mitigation: say so\n', '').replace('high', 'low') },
      [],
    ],
    ['a closed one needs none', { 'RISKS.md': RISKS.replace('Mitigation: say so', 'Status: closed') }, []],
    [
      'another spelling',
      plan('`CacheReader`', '`CacheReader` as `cache_reader`'),
      ['names PLAN.md:5 `cache_reader` is `CacheReader` in docs/tracks/cache/SPEC.md:13'],
    ],
    [
      'both spellings listed',
      {
        ...spec('- `CacheReader`: reads', '- `CacheReader`: in\n- `cache-reader`: the file'),
        ...plan('`CacheReader`', '`CacheReader` in `cache-reader`'),
      },
      [],
    ],
    [
      'no list of names',
      { ...spec(/## Names[\s\S]*?\n## /, '## '), ...plan('`CacheReader`', '`other`') },
      [],
    ],
    [
      'a decision that is not there',
      plan('D-001', 'D-002'),
      ['decisions PLAN.md:5 decision D-002 is referred to and nowhere noted'],
    ],
    [
      'a decision in a foreign list',
      { ...plan('D-001', 'D-002'), 'DECISIONS.md': '# Decisions\n\n## D-002: One file\n' },
      [],
    ],
    [
      'a decision in a table',
      {
        ...plan('D-001', 'D-002'),
        'DECISIONS.md': '| id | what |\n| --- | --- |\n| **D-002** | One file |\n',
      },
      [],
    ],
  ])('%s', (_, texts, expected) => {
    expect(found(texts)).toEqual(expected);
  });
});

describe('placeholders', () => {
  test.each([
    ['TBD', 'TBD'],
    ['later: FIXME', 'FIXME'],
    ['- XXX', 'XXX'],
    ['…', '…'],
    ['- Goal: …', '…'],
    ['- **Goal:** ...', '...'],
    ['| cache | … |', '…'],
    ['Latency is TBD, later', 'TBD'],
    ['TODO (ops): ask', 'TODO'],
    ['> **tbd**', 'tbd'],
    ['1. to be written.', 'to be written'],
    ['### Limits: ???', '???'],
    ['Status: TBD', 'TBD'],
    ['TODO: say what is DONE', 'TODO'],
    ['use <your name here>', '<your name here>'],
    ['call <name>', '<name>'],
  ])('%j is one', (line, sign) => {
    expect(found(spec('Answers come', `${line}\nAnswers come`))).toEqual([
      `placeholders SPEC.md:5 placeholder "${sign}"`,
    ]);
  });

  test.each([
    'the `TODO` comments go',
    '`<name>` is a parameter',
    '```\nTODO\n```',
    '<!-- TODO -->',
    'and so on …, as before',
    '### TBD\n',
    '### Phase 2 (TODO)\n',
    'Status: TODO',
    'states: TODO, DOING, DONE',
    'see TODO.md and docs/TODO',
    'cells that say "TBD", and what is marked as TODO',
    'no TBD, FIXME or XXX is left',
    'GET /users/<id>, and \\<b\\>',
    '[a link of words](a.md)',
    'a todo list, TODOs, TODO-list',
    'see <https://example.org/a> or <me@example.org>',
    '<details><summary>More</summary></details>',
    '<a href="x">x</a><br/>',
    'a < b and b > c',
    'a Vec<u8> of Promise<void>',
  ])('%j is none', (line) => {
    expect(found(spec('Answers come', `${line}\nAnswers come`))).toEqual([]);
  });
});

test('the gate looks at SPEC and PLAN alone', () => {
  const findings = evaluate('cache', {
    ...GOOD,
    'PLAN.md': PLAN.replace('[ ] ', ''),
    'RISKS.md': RISKS.replace('  - Mitigation: say so\n', ''),
  });
  expect(findings.map(({ check }) => check)).toEqual(['tasks', 'risks']);
  expect(selectGateFindings('cache', findings).map(({ check }) => check)).toEqual(['tasks']);
});

test('what is found in the generated block is mended where its entry stands', () => {
  const risk = '- Risk: [R-2] Full\n  - Severity: high\n';
  const text = `${RISKS}- Risk: Late\n  - Severity: high\n<!-- plimsoll:entries -->\n${risk}<!-- /plimsoll:entries -->\n`;
  const all = evaluate('cache', { ...GOOD, 'RISKS.md': text });
  expect(all.map(({ line, next }) => [line, next.slice(0, 42)])).toEqual([
    [6, 'write "  - Mitigation: …" below it, or "  '],
    [9, 'change its file in docs/tracks/cache/entri'],
  ]);
});
