import { describe, expect, test } from 'vitest';
import {
  blockIn,
  CORE,
  compacted,
  DECISIONS,
  entryFile,
  INVARIANTS,
  LOG,
  log,
  PLAN,
  planned,
  RISKS,
  SPEC,
  sha256,
  unnamed,
} from '../../../test/unit/tracks/workspace.ts';
import { EMPTY_BLOCK } from './entries/block.ts';
import { readLatest } from './last-compaction.ts';
import { formatLogMark } from './work-log/work-log.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';
const DECISION = ['- Decision: Use one file', '  - Reason: no server', '  - Impact: a migration'];

test('what the work log says becomes one file per entry, and blocks that are generated from them', () => {
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
  expect(unnamed(files[DECISIONS])).toBe(`# Decisions

<!-- plimsoll:entries #-->
- Decision: [D-#] Use one file
  - Reason: no server
  - Impact: a migration
  - At: 2026-11-28T10:00:00Z
<!-- /plimsoll:entries -->
`);
  expect(unnamed(files[PLAN])).toBe(`# Plan

<!-- plimsoll:entries #-->
- [~] Task: [T-#] Write the reader
  - Acceptance: reads a BOM
  - At: 2026-11-28T10:00:00Z
<!-- /plimsoll:entries -->
`);
  expect(unnamed(files[RISKS])).toContain(
    '- Risk: [R-#] The disk is full\n  - Severity: high\n  - Status: open\n  - At: 2026-11-28T10:00:00Z\n',
  );
  expect(unnamed(files[INVARIANTS])).toContain('- Invariant: [I-#] Hooks never block\n');
  expect(files[CORE]).toBeUndefined();
  const risk = entryFile(files, 'The disk');
  const [, digits = ''] = /risk-([0-9a-f]{10})\.md$/.exec(risk) ?? [];
  expect(files[risk]?.replace(/said: [0-9a-f]{12}/, 'said: …')).toBe(`---
kind: risk
id: R-${digits}
date: 2026-11-28T10:00:00Z
status: open
severity: high
session: s-1
source: artifacts/sessions/s-1/work_log.md
said: …
---

- Risk: The disk is full
`);
});

test('latest.json names what was read and left', () => {
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
    plan: { path: PLAN, sha256: sha256(plan) },
    transient: ['artifacts/sessions/s-1/recent_diff.txt', LOG],
    entries: { decisions: 0, risks: 0, tasks: 1, invariants: 0 },
  });
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
    [LOG]: `${formatLogMark('sound')}\n- Risk: no severity\n${log('- [ ] Task: ours')}${formatLogMark('sound')}\n- [ ] Task: theirs\n`,
    'artifacts/sessions/s-2/work_log.md': `${formatLogMark('sound')}\n- Task:\n`,
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
    [PLAN, '<!-- plimsoll:entries -->\n- [ ] Task: x\n', 1, '<!-- plimsoll:entries --> without end'],
    [PLAN, 'a\n<!-- /plimsoll:entries -->\n', 2, '<!-- /plimsoll:entries --> without a beginning'],
    [PLAN, `${EMPTY_BLOCK}\n${EMPTY_BLOCK}\n`, 3, 'a second <!-- plimsoll:entries -->'],
    [DECISIONS, '- Decision: x\n  - Reason: r\n  - Impact: i\n', 1, 'no At'],
  ])('%s %j', (file, text, line, found) => {
    const other = {
      [RISKS]: '- Risk: fine\n  - Severity: low\n',
      ...(file === LOG ? {} : { [LOG]: log('- [ ] Task: a') }),
    };
    const { changes, latest, violations } = planned({ ...other, [file]: text });
    expect(violations).toEqual([{ file, line, found, expected: expect.stringMatching(/./) }]);
    expect([changes, latest]).toEqual([[], null]);
  });
});

test('an invariant that somebody has accepted is proposed no more; CONTEXT_CORE.md is written only where that is asked', () => {
  const files = { [LOG]: log('- Invariant: Hooks never block', '- Invariant: One writer') };
  const accepted = compacted({ ...files, [CORE]: '# Core\n\n- Hooks never block\n' });
  expect(accepted[INVARIANTS]).not.toContain('block\n');
  expect(unnamed(accepted[INVARIANTS])).toContain('[I-#] One writer');
  expect(accepted[CORE]).toBe('# Core\n\n- Hooks never block\n');
  const applied = compacted({ ...files, [CORE]: '# Core\n' }, { coreWrites: true });
  expect(unnamed(applied[CORE])).toMatch(
    /^# Core\n\n<!-- plimsoll:entries #-->\n- Invariant: \[I-#\] (?:Hooks never block|One writer)\n/,
  );
});

test('what stands in the document of its kind stays there alone; what stands elsewhere becomes an entry', () => {
  const files = compacted({
    [PLAN]: '# Plan\n\n- [ ] Task: by hand\n- Risk: of the plan\n  - Severity: low\n',
  });
  expect(files[PLAN]).toBe('# Plan\n\n- [ ] Task: by hand\n- Risk: of the plan\n  - Severity: low\n');
  expect(unnamed(blockIn(files, RISKS))).toBe(
    '- Risk: [R-#] of the plan\n  - Severity: low\n  - Status: open\n',
  );
});

test('around the block no byte changes, and it ends its lines as they do', () => {
  const text = `\uFEFF# Plan\r\n${EMPTY_BLOCK.replace('\n', '\r\n')}\r\nend`;
  const after = compacted({ [PLAN]: text, [LOG]: log('- [ ] Task: a') });
  expect(unnamed(after[PLAN])).toBe(
    '\uFEFF# Plan\r\n<!-- plimsoll:entries #-->\r\n- [ ] Task: [T-#] a\r\n<!-- /plimsoll:entries -->\r\nend',
  );
  expect(planned(after).changes).toEqual([]);
});

test('a secret in a note reaches neither documents nor entries', () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const files = compacted({ [LOG]: log(`- [ ] Task: use ${secret} for the upload`) });
  expect(files[PLAN]).toContain('[redacted]');
  const { [LOG]: _, ...written } = files;
  expect(Object.values(written).join('')).not.toContain(secret);
  expect(planned(files).changes).toEqual([]);
});

test('what a newer version left is left alone', () => {
  const files = compacted({ [LOG]: log('- [ ] Task: a') });
  const newer = (files[LATEST] ?? '').replace('"schema_version":"1.', '"schema_version":"2.');
  expect(() => planned({ ...files, [LATEST]: newer })).toThrow(/^Written by a newer version/);
});
