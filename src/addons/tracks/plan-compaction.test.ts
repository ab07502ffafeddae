import { describe, expect, test } from 'vitest';
import {
  CORE,
  compacted,
  DECISIONS,
  INVARIANTS,
  LOG,
  log,
  PLAN,
  planned,
  RISKS,
  SPEC,
  sha256,
} from '../../../test/unit/tracks/workspace.ts';
import { readLatest } from './last-compaction.ts';
import { workLogMark } from './work-log/work-log.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';
const DECISION = ['- Decision: Use one file', '  - Reason: no server', '  - Impact: a migration'];
const mask = (text: string | undefined): string => (text ?? '').replace(/#[0-9a-f]{12}/g, '#…');

test('what the work log says becomes plan, risks, decisions and proposed invariants, each with its evidence', () => {
  const files = compacted({
    [LOG]: log(
      '- 2026-11-28T10:00:00Z Edit src/a.ts: ok',
      ...DECISION,
      '- [~] Task: Write the reader',
      '  - Acceptance: reads a BOM',
      '- Risk: The disk is full',
      '  - Severity: high',
      '- Invariant: Hooks never block',
    ),
  });
  expect(mask(files[DECISIONS])).toBe(`# Decisions

<!-- plimsoll:decisions -->
- Decision: [D-001] Use one file
  - Reason: no server
  - Impact: a migration
  - At: 2026-11-28T10:00:00Z
  <!-- from artifacts/sessions/s-1/work_log.md:3 #… -->
<!-- /plimsoll:decisions -->
`);
  expect(mask(files[PLAN])).toBe(`# Plan

<!-- plimsoll:plan -->
- [~] Task: [T-001] Write the reader
  - Acceptance: reads a BOM
  - At: 2026-11-28T10:00:00Z
  <!-- from artifacts/sessions/s-1/work_log.md:6 #… -->
<!-- /plimsoll:plan -->
`);
  expect(mask(files[RISKS])).toContain(
    '- Risk: [R-001] The disk is full\n  - Severity: high\n  - Status: open\n  - At: 2026-11-28T10:00:00Z\n',
  );
  expect(mask(files[INVARIANTS])).toContain('- Invariant: [I-001] Hooks never block\n');
  expect(files[CORE]).toBeUndefined();
});

test('latest.json names what was read and left, and a copy from which the plan can be rebuilt', () => {
  const files = compacted({
    [LOG]: log('- 2026-11-28T10:00:00Z Edit a: ok', '- [ ] Task: x'),
    [SPEC]: '# Spec\n',
    'artifacts/sessions/s-1/recent_diff.txt': 'd',
  });
  const latest = readLatest(files[LATEST] ?? '');
  const plan = files[PLAN] ?? '';
  expect(latest).toEqual({
    schema_version: '1.0.0',
    track: 'cache',
    session: 's-1',
    at: '2026-11-28T10:00:00Z',
    inputs: [{ path: LOG, sha256: sha256(files[LOG] ?? ''), bytes: files[LOG]?.length }],
    files: [
      { path: SPEC, sha256: sha256('# Spec\n') },
      { path: PLAN, sha256: sha256(plan) },
    ],
    plan: { path: `artifacts/checkpoints/cache/plan-${sha256(plan).slice(0, 16)}.md`, sha256: sha256(plan) },
    transient: ['artifacts/sessions/s-1/recent_diff.txt', LOG],
    entries: { decisions: 0, risks: 0, tasks: 1, invariants: 0 },
    taken: [expect.stringMatching(/^[0-9a-f]{12}$/)],
  });
  expect(files[latest?.plan?.path ?? '']).toBe(plan);
});

test('a clone without logs leaves what was said of them as it is', () => {
  const files = compacted({
    [LOG]: log('- 2026-11-28T10:00:00Z Edit a: ok', '- [ ] Task: x'),
    'artifacts/sessions/s-1/recent_diff.txt': 'd',
  });
  const clone = Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('/sessions/')));
  expect(planned(clone).changes).toEqual([]);
});

test('the session is the one that worked on the track last, unless one is named', () => {
  const at = (time: string): string => log(`- ${time} Edit a: ok`);
  const files = {
    'artifacts/sessions/a/work_log.md': at('2026-11-28T12:00:00Z'),
    'artifacts/sessions/b/work_log.md': at('2026-11-28T11:00:00Z'),
  };
  expect(planned(files).latest?.session).toBe('a');
  expect(planned(files, { session: 'b' }).latest?.session).toBe('b');
});

test('a log of another track, and another stretch of the same log, are left alone, faults and all', () => {
  const files = {
    [LOG]: `${workLogMark('sound')}\n- Risk: no severity\n${log('- [ ] Task: ours')}${workLogMark('sound')}\n- [ ] Task: theirs\n`,
    'artifacts/sessions/s-2/work_log.md': `${workLogMark('sound')}\n- Task:\n`,
  };
  const { violations, changes, latest } = planned(files);
  expect(violations).toEqual([]);
  expect(latest?.inputs.map(({ path }) => path)).toEqual([LOG]);
  expect(changes.map(({ after }) => after).join('')).not.toMatch(/theirs|severity/);
});

test('an entry without a track is left aside, and said', () => {
  const { notes, changes } = planned({ [LOG]: '- [ ] Task: x\n' });
  expect(notes).toEqual([
    `${LOG}:1: a task of no track; write "  - Track: cache" below it if it belongs here`,
  ]);
  expect(changes.map(({ path }) => path)).toEqual([LATEST]);
});

describe('a violation refuses everything, and says file, line, what was found and what is expected', () => {
  test.each([
    [LOG, log('- Decision: x', '  - Reason: r', '  - Impact: i'), 2, 'no At'],
    [LOG, log('- 2026-11-28T10:00:00Z Edit a: ok', '- Risk: x'), 3, 'no Severity'],
    [LOG, log('```', '- [ ] Task: hidden'), 2, 'a code block without end'],
    [PLAN, '# Plan\n\n- [?] Task: x\n', 3, 'box [?]'],
    [PLAN, '- [ ] Task: x\n  - Track: sound\n', 1, 'Track "sound" in a file of the track cache'],
    [PLAN, '<!-- plimsoll:plan -->\n- [ ] Task: x\n', 1, '<!-- plimsoll:plan --> without end'],
    [PLAN, 'a\n<!-- /plimsoll:plan -->\n', 2, '<!-- /plimsoll:plan --> without a beginning'],
    [
      PLAN,
      '<!-- plimsoll:plan -->\n<!-- /plimsoll:plan -->\n<!-- plimsoll:plan -->\n<!-- /plimsoll:plan -->\n',
      3,
      'a second <!-- plimsoll:plan -->',
    ],
    [
      PLAN,
      'x\n<!-- plimsoll:plan -->\n- Risk: x\n  - Severity: low\n<!-- /plimsoll:plan -->\n',
      3,
      'a risk in the block of plan',
    ],
    [
      PLAN,
      '<!-- plimsoll:plan -->\n- [ ] Task: [T-1] x\n- [ ] Task: [T-1] y\n<!-- /plimsoll:plan -->\n',
      3,
      'a second task T-1',
    ],
    [
      PLAN,
      '<!-- plimsoll:plan -->\n- [ ] Task: x\n  - Owner: me\n<!-- /plimsoll:plan -->\n',
      3,
      'field "Owner" of a task',
    ],
    [DECISIONS, '- Decision: x\n  - Reason: r\n  - Impact: i\n', 1, 'no At'],
  ])('%s %j', (file, text, line, found) => {
    const other = { [RISKS]: '- Risk: fine\n  - Severity: low\n' };
    const { changes, latest, violations } = planned({ ...other, [file]: text });
    expect(violations).toEqual([{ file, line, found, expected: expect.stringMatching(/./) }]);
    expect([changes, latest]).toEqual([[], null]);
  });
});

describe('a task is brought up to date', () => {
  const first = compacted({
    [LOG]: log('- 2026-11-28T10:00:00Z Edit a: ok', '- [ ] Task: read', '  - Acceptance: BOM'),
  });
  const said = (...lines: string[]) => ({ ...first, [LOG]: `${first[LOG]}${lines.join('\n')}\n` });
  const tasks = (files: Record<string, string>): string[] =>
    (files[PLAN] ?? '').split('\n').filter((line) => /Task|Acceptance/.test(line));

  test('by its id, with a new text; what must be accepted stays', () => {
    expect(tasks(compacted(said('- [x] Task: [T-001] read all')))).toEqual([
      '- [x] Task: [T-001] read all',
      '  - Acceptance: BOM',
    ]);
  });
  test('by its text', () => {
    expect(tasks(compacted(said('- [x] Task: read', '  - Acceptance: CRLF')))).toEqual([
      '- [x] Task: [T-001] read',
      '  - Acceptance: CRLF',
    ]);
  });
  test('another id is another task, and the next id follows the largest', () => {
    const files = compacted(said('- [ ] Task: [T-007] read', '- [ ] Task: write'));
    expect(tasks(files).filter((line) => line.includes('Task'))).toEqual([
      '- [ ] Task: [T-001] read',
      '- [ ] Task: [T-007] read',
      '- [ ] Task: [T-008] write',
    ]);
  });
  test('a state that was set in the block stays until something new is said', () => {
    const ticked = { ...first, [PLAN]: (first[PLAN] ?? '').replace('[ ]', '[x]') };
    expect(compacted(ticked)[PLAN]).toBe(ticked[PLAN]);
    const later = compacted({ ...ticked, [LOG]: `${first[LOG]}- [!] Task: [T-001] read\n` });
    expect(tasks(later)[0]).toBe('- [!] Task: [T-001] read');
  });
  test('an older word changes nothing of it', () => {
    const done = compacted(said('- 2026-11-28T12:00:00Z Edit a: ok', '- [x] Task: read'));
    const other = {
      'artifacts/sessions/s-0/work_log.md': log('- 2026-11-28T11:00:00Z Edit a: ok', '- [!] Task: read'),
    };
    expect(tasks(compacted({ ...done, ...other }))[0]).toBe('- [x] Task: [T-001] read');
  });
  test('boxes outside of the block count each time that they change, back again too', () => {
    let files: Record<string, string> = { [PLAN]: '# Plan\n- [ ] Task: a\n' };
    const blockBox = (): string | undefined => / \[(.)\] Task: \[T-001\]/.exec(files[PLAN] ?? '')?.[1];
    for (const box of [' ', '~', 'x', ' ', 'x']) {
      files = compacted({
        ...files,
        [PLAN]: (files[PLAN] ?? '').replace(/- \[.\] Task: a/, `- [${box}] Task: a`),
      });
      expect(blockBox()).toBe(box);
    }
  });
});

test('a risk that is said again keeps its mitigation, and takes severity and status', () => {
  const first = compacted({ [RISKS]: '- Risk: [R-1] full\n  - Severity: low\n  - Mitigation: say so\n' });
  const log2 = log('- Risk: [R-1] full', '  - Severity: high', '  - Status: mitigated');
  expect(compacted({ ...first, [LOG]: log2 })[RISKS]).toContain(
    '- Risk: [R-1] full\n  - Severity: high\n  - Mitigation: say so\n  - Status: mitigated\n',
  );
});

test('decisions are appended by time; old lines stay however they were edited', () => {
  const decision = (text: string, at: string): string[] => [
    `- Decision: ${text}`,
    '  - Reason: r',
    '  - Impact: i',
    `  - At: ${at}`,
  ];
  const files = compacted({
    [LOG]: log(...decision('late', '2026-11-28T12:00:00Z'), ...decision('early', '2026-11-28T09:00:00Z')),
  });
  const edited = (files[DECISIONS] ?? '').replace('early', 'EARLY, in other words').replace('D-001', 'D-009');
  const later = compacted({
    ...files,
    [DECISIONS]: edited,
    'artifacts/sessions/s-0/work_log.md': log(...decision('first of all', '2026-11-28T08:00:00Z')),
  });
  const names = later[DECISIONS]?.split('\n').filter((line) => line.startsWith('- '));
  expect(names).toEqual([
    '- Decision: [D-009] EARLY, in other words',
    '- Decision: [D-002] late',
    '- Decision: [D-010] first of all',
  ]);
  expect(later[DECISIONS]?.startsWith(edited.replace('<!-- /plimsoll:decisions -->\n', ''))).toBe(true);
});

test('a decision that two sessions noted in the same words at the same time stands once', () => {
  const text = log(...DECISION, '  - At: 2026-11-28T12:00:00Z');
  const files = compacted({ [LOG]: text, 'artifacts/sessions/s-2/work_log.md': text });
  expect(files[DECISIONS]?.match(/Decision:/g)).toHaveLength(1);
});

test('an invariant that somebody has accepted is proposed no more; CONTEXT_CORE.md is written only where that is asked', () => {
  const files = { [LOG]: log('- Invariant: Hooks never block', '- Invariant: One writer') };
  const accepted = compacted({ ...files, [CORE]: '# Core\n\n- Hooks never block\n' });
  expect(accepted[INVARIANTS]).not.toContain('block\n');
  expect(accepted[INVARIANTS]).toContain('[I-001] One writer');
  expect(accepted[CORE]).toBe('# Core\n\n- Hooks never block\n');
  const applied = compacted({ ...files, [CORE]: '# Core\n' }, { coreWrites: true });
  expect(applied[CORE]).toMatch(
    /^# Core\n\n<!-- plimsoll:invariants -->\n- Invariant: \[I-001\] Hooks never block\n/,
  );
});

test('evidence of lines below a block names them where they are once the block has grown', () => {
  const files = {
    [PLAN]: '# Plan\n<!-- plimsoll:plan -->\n<!-- /plimsoll:plan -->\n\n- [ ] Task: below\n',
    [LOG]: log('- [ ] Task: from the log'),
  };
  const once = compacted(files);
  const [, line] = /PLAN\.md:(\d+) #/.exec(once[PLAN] ?? '') ?? [];
  expect(once[PLAN]?.split('\n')[Number(line) - 1]).toBe('- [ ] Task: below');
  expect(planned(once).changes).toEqual([]);
});

test('what others wrote into a block stays where it is, byte for byte', () => {
  const block = '## First\r\n\r\n* [x]   Task:  a\r\n  - nested words\r\n\r\nProse.\r\n';
  const text = `\uFEFF# Plan\r\n<!-- plimsoll:plan -->\r\n${block}<!-- /plimsoll:plan -->\r\nend`;
  const after = compacted({ [PLAN]: text })[PLAN];
  expect(after).toBe(text.replace('* [x]   Task:  a', '- [x] Task: [T-001] a'));
});

test('a secret in a note does not reach the documents', () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const files = compacted({ [LOG]: log(`- [ ] Task: use ${secret} for the upload`) });
  expect(files[PLAN]).toContain('[redacted]');
  expect(files[PLAN]).not.toContain(secret);
  expect(planned(files).changes).toEqual([]);
});
