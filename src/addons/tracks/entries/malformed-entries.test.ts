import { describe, expect, test } from 'vitest';
import { workLogMark } from '../work-log/work-log.ts';
import { findMalformedEntries } from './malformed-entries.ts';

const LOG = 'artifacts/sessions/s1/work_log.md';
const DECISIONS = 'docs/tracks/cache/DECISIONS.md';
const notesOn = (path: string, text: string): string[] => findMalformedEntries('cache', [{ path, text }]);
const inLog = (text: string): string[] => notesOn(LOG, `${workLogMark('cache')}\n${text}`);

describe('what looks like an entry in a work log is told of', () => {
  test.each([
    ['- **Decision:** x', 'decision'],
    ['- **Decision**: x', 'decision'],
    ['- decision: x', 'decision'],
    ['- DECISION: x', 'decision'],
    ['Decision: x', 'decision'],
    ['### Decision: x', 'decision'],
    ['1. Decision: x', 'decision'],
    ['• Risk: x', 'risk'],
    ['-Risk: x', 'risk'],
    ['- Risk : x', 'risk'],
    ['- Risk：x', 'risk'],
    ['> - Invariant: x', 'invariant'],
    ['- [] Task: x', 'task'],
    ['- [x] **Task:** x', 'task'],
  ])('%s', (line, kind) => {
    expect(inLog(line)).toEqual([
      expect.stringMatching(new RegExp(`^${LOG}:2 looks like an? ${kind} and is not taken up: `)),
    ]);
  });
});

describe('and nothing else', () => {
  test.each([
    ['an entry', '- Decision: x\n  - Reason: r\n  - Impact: i'],
    ['another label', '- Decisions: x'],
    ['a label without words', '**Decision:**'],
    ['a word in a sentence', '- the decision: x'],
    ['an example', '```\n- **Decision:** x\n```'],
    ['a call', '- 2026-11-28T10:00:00Z Task Decision: x: ok'],
    ['what is of another track', `${workLogMark('other')}\n- **Decision:** x`],
  ])('%s', (_, text) => {
    expect(inLog(text)).toEqual([]);
  });
});

test('one sentence a file says the first line, how many come below it, and what counts', () => {
  const block = '<!-- plimsoll:decisions -->\n**Decision:** z\n<!-- /plimsoll:decisions -->\n';
  expect(notesOn(DECISIONS, `# Decisions\n**Decision:** x\n\n**Decision:** y\n${block}`)).toEqual([
    `${DECISIONS}:2 looks like a decision and is not taken up (and 1 more below it): an entry begins with "- Decision: …"; leave it where it is prose`,
  ]);
});
