// Tests the evaluator on files as people and agents really write them.
import { describe, expect, test } from 'vitest';
import type { TaskName } from '../layout.ts';
import { evaluate } from './evaluate.ts';

const GOOD: Record<TaskName, string | null> = {
  'SPEC.md':
    '# Cache\n\n## Goal\n\nFast answers.\n\n## Scope\n\n- Reading\n\n## Acceptance\n\n- A hit costs nothing.\n',
  'PLAN.md': '# Plan\n\n## Tasks\n\n- [ ] Task: Write it\n  - Acceptance: it works\n',
  'RISKS.md': null,
  'DECISIONS.md': null,
};
const found = (texts: Partial<Record<TaskName, string>>): string[] =>
  evaluate('cache', { ...GOOD, ...texts }).map(
    ({ check, file, line, message }) => `${check} ${file?.split('/').at(-1)}:${line ?? ''} ${message}`,
  );

describe('a SPEC', () => {
  test.each<[string, string, string[]]>([
    [
      'with bold lines for headings',
      '# Track: Session cache\n\n**Objective**\nAnswers of the API are kept for an hour.\n\n**Functional Requirements**\n\n1.  **Reading:** from memory first.\n\n**Acceptance Criteria**\n- [ ] A second request costs no call.\n',
      [],
    ],
    [
      'in a few labelled lines',
      '# Cache\n\nGoal: answers within 10 ms.\nScope: reading only; writing comes later.\nDone when: the load test shows it.\n',
      [],
    ],
    [
      'with underlined headings',
      'Cache\n=====\n\nGoals\n-----\n\nSpeed.\n\nRequirements\n------------\n\n* Reading\n\nVerification\n------------\n\nBy hand.\n',
      [],
    ],
    [
      'with headings of the first level alone',
      '# Motivation\n\nSpeed.\n\n# Requirements\n\n- Reading\n\n# Success metrics\n\n- 10 ms\n',
      [],
    ],
    [
      'with numbered headings, front matter, rules between them and acceptance as commands',
      '---\ntitle: Cache\nstatus: draft\n---\n\n# Cache\n\n## 1. Context & Goals\n\nSpeed.\n\n---\n\n## 2. Functional Requirements\n\n- FR-1: reading\n\n---\n\n## 3. Verification\n\n```sh\nnpm test\n```\n',
      [],
    ],
    [
      'whose only goals are those that it has not',
      '# Cache\n\n## Non-goals\n\n- Writing\n\n## Features\n\n- Reading\n\n## Acceptance\n\n- 10 ms\n',
      ['sections SPEC.md: no section "Goal"'],
    ],
    [
      'with a section that holds nothing but a rule and an empty item',
      '# Cache\n\n## Goal\n\n---\n\n- \n\n## Scope\n\nReading.\n\n## Acceptance\n\n10 ms\n',
      ['sections SPEC.md:3 section "Goal" is empty'],
    ],
    [
      'of a TODO app',
      '# TODO app\n\n## Goal\n\nA TODO list app: users add a TODO, and the TODO items sync. We keep no TODO comments.\n\n## Scope\n\n- In: TODO lists\n- Out: the "TODO" column of boards, TODO.md files\n\n## Acceptance\n\n- No TODO or FIXME is left in `src/`.\n- Every TODO/FIXME in the code has an issue.\n- An item goes TODO → DOING → DONE.\n',
      [],
    ],
    [
      'with open ends in prose, cells, labels and letters of any case',
      '# Cache\n\n## Goal\n\nAnswers within TBD ms. TODO: measure it.\n\n## Scope\n\n| what | how |\n| --- | --- |\n| reading | tbd |\n| writing | ??? |\n\n- Owner: to be decided\n- Budget (TBD)\n\n## Acceptance\n\n- todo\n- _tbd_\n',
      [
        'placeholders SPEC.md:5 placeholder "TBD"',
        'placeholders SPEC.md:11 placeholder "tbd"',
        'placeholders SPEC.md:12 placeholder "???"',
        'placeholders SPEC.md:14 placeholder "to be decided"',
        'placeholders SPEC.md:15 placeholder "TBD"',
        'placeholders SPEC.md:19 placeholder "todo"',
        'placeholders SPEC.md:20 placeholder "tbd"',
      ],
    ],
    [
      'of a template that was filled in by half',
      '# Specification: Login\n\n## Goal\n\n[Describe the goal in one sentence]\n\n## Scope\n\n- FR-001: users log in via [NEEDS CLARIFICATION: SSO or e-mail?]\n- {{REQUIREMENT_2}}\n\n## Acceptance: TBD\n\n- As a <user role>, I see [the docs](https://example.org/TODO) and [RFC 6749].\n- [Keep a Changelog]\n- [The docs of Ada](docs/ada.md)\n\n[Keep a Changelog]: https://keepachangelog.com\n',
      [
        'placeholders SPEC.md:5 placeholder "[Describe the goal in one sentence]"',
        'placeholders SPEC.md:9 placeholder "[NEEDS CLARIFICATION: SSO or e-mail?]"',
        'placeholders SPEC.md:10 placeholder "{{REQUIREMENT_2}}"',
        'placeholders SPEC.md:12 placeholder "TBD"',
        'placeholders SPEC.md:14 placeholder "<user role>"',
      ],
    ],
    [
      'of an interface, with paths, elements and endpoints',
      '# API\n\n## Goal\n\nOthers can read /users/<id> and docs/<name>.md in a <form> or <button>.\n\n## API\n\n- `GET /users/:id`: one user\n- `--json`: as JSON\n\n## Scope\n\nReading.\n\n## Acceptance\n\n- [x] No [NEEDS CLARIFICATION] markers remain\n',
      [],
    ],
  ])('%s', (_, text, expected) => {
    expect(found({ 'SPEC.md': text })).toEqual(expected);
  });
});

describe('a PLAN', () => {
  const task = '- [ ] Task: Write it\n  - Acceptance: it works\n';
  test.each<[string, string, string[]]>([
    [
      'that a compaction has made',
      `# Plan\n\n<!-- plimsoll:entries -->\n${task}<!-- /plimsoll:entries -->\n`,
      [],
    ],
    [
      'with a heading TODO',
      `# Plan\n\n## TODO\n\n${task}\n## TODO: later\n\n- A second cache\n\n### TBD\n\n- Its size\n`,
      [],
    ],
    [
      'with an empty heading TODO',
      '# Plan\n\n## TODO\n',
      ['sections PLAN.md:3 section "TODO" is empty', 'tasks PLAN.md: no task'],
    ],
    [
      'with a table of states',
      `# Plan\n\n| Phase | Status | Owner |\n|---|---|---|\n| 1 | TODO | TBD |\n\n${task}\nStatus: TODO\n`,
      ['placeholders PLAN.md:5 placeholder "TBD"'],
    ],
    [
      'of phases with steps, where boxes of steps are no tasks',
      `# Plan\n\n### Task 1: Cache\n\n**Files:** \`a.ts\`\n\n- [ ] **Step 1: Write the failing test**\n\n### Task 2: Rest\n\n- [x] Task: Write it\n  - Acceptance: it works\n  - [x] a step\n`,
      [],
    ],
    [
      'whose acceptance is open',
      task.replace('it works', 'TBD'),
      ['placeholders PLAN.md:2 placeholder "TBD"'],
    ],
    [
      'of boxes alone',
      '# Plan\n\n## Tasks\n\n- [ ] Write it\n',
      ['tasks PLAN.md:5 1 box, and none of them is a "Task:" with acceptance'],
    ],
    [
      'where a variable is called as its type, and a package by another name',
      `${task}- [ ] Task: Give every \`user\` a \`userStore\`\n  - Acceptance: \`User\`, \`UserStore\`\n`,
      [],
    ],
  ])('%s', (_, text, expected) => {
    const names = '\n## Names\n\n- `User`: who\n- `UserStore`: where\n';
    const spec = /variable/.test(_) ? `${GOOD['SPEC.md']}${names}` : (GOOD['SPEC.md'] ?? '');
    expect(found({ 'SPEC.md': spec, 'PLAN.md': text })).toEqual(expected);
  });
});

describe('RISKS and DECISIONS', () => {
  const risk = (mitigation: string, status = 'open'): string =>
    `- Risk: Full\n  - Severity: high\n${mitigation}  - Status: ${status}\n`;
  test.each<[string, TaskName, string, string[]]>([
    ['a risk that was accepted', 'RISKS.md', risk('', 'accepted'), []],
    [
      'a risk that is said to be mitigated',
      'RISKS.md',
      risk('', 'mitigated'),
      ['risks RISKS.md:1 high risk "Full" has no mitigation'],
    ],
    [
      'a mitigation that is open',
      'RISKS.md',
      risk('  - Mitigation: TBD\n'),
      ['risks RISKS.md:1 high risk "Full" has no mitigation: "TBD"'],
    ],
    [
      'a mitigation that is none',
      'RISKS.md',
      risk('  - Mitigation: none\n'),
      ['risks RISKS.md:1 high risk "Full" has no mitigation: "none"'],
    ],
    [
      'a register as a table',
      'RISKS.md',
      '# Risks\n\n| ID | Risk | Impact | Mitigation | Status |\n|----|---|---|---|---|\n| RISK-001 | Scope grows | High | TBD | Open |\n',
      [],
    ],
    [
      'a decision without a time, which no compaction takes',
      'DECISIONS.md',
      '- Decision: One file\n  - Reason: no server\n  - Impact: small\n',
      ['schema DECISIONS.md:1 no At'],
    ],
    [
      'an entry of another track, and a mark without its end',
      'RISKS.md',
      '- Risk: Full\n  - Severity: low\n  - Track: net\n\n<!-- plimsoll:entries -->\n',
      [
        'schema RISKS.md:1 Track "net" in a file of the track cache',
        'schema RISKS.md:5 <!-- plimsoll:entries --> without end',
      ],
    ],
  ])('%s', (_, name, text, expected) => {
    expect(found({ [name]: text })).toEqual(expected);
  });
});
