import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/kit/effort.ts';
import { KINDS, RISK_STATES, SEVERITIES, TASK_STATES } from '../entries/entry.ts';
import { formatLogLine, formatLogMark, readWorkLog } from '../work-log/work-log.ts';
import { type Given, parseNote, parseTimeOption } from './note-entry.command.ts';

const FILE = 'artifacts/sessions/s/work_log.md';
const AT = '2026-01-31T09:00:00Z';

const given = (
  kind: Given['kind'],
  text: string,
  fields: Given['fields'] = {},
  id: string | null = null,
): Given => ({
  kind,
  text,
  id,
  fields: { at: AT, ...fields },
});

test.each<[Given, string[]]>([
  [
    given('decision', ' Use  one\nfile ', { reason: 'no server', impact: 'small' }),
    ['- Decision: Use one file', '  - Reason: no server', '  - Impact: small', `  - At: ${AT}`],
  ],
  [
    given('task', 'Write it', { state: 'doing', acceptance: ['a', 'b'] }, 'T-1'),
    ['- [~] Task: [T-1] Write it', '  - Acceptance: a', '  - Acceptance: b', `  - At: ${AT}`],
  ],
  [given('task', 'Write it'), ['- [ ] Task: Write it', `  - At: ${AT}`]],
  [
    given('risk', 'Full', { severity: 'high', status: 'accepted' }, 'R-001'),
    ['- Risk: [R-001] Full', '  - Severity: high', '  - Status: accepted', `  - At: ${AT}`],
  ],
  [given('invariant', 'Hooks never block'), ['- Invariant: Hooks never block', `  - At: ${AT}`]],
])('%j is written as the schema has it', (what, lines) => {
  expect(parseNote(what)).toMatchObject({ lines });
});

describe('parseNote() refuses what the schema does not take, or would read back as something else', () => {
  test.each<[string, Given, string]>([
    ['no reason', given('decision', 'x', { impact: 'y' }), 'no Reason'],
    ['no severity', given('risk', 'x'), 'no Severity'],
    ['an unknown severity', given('risk', 'x', { severity: 'grave' }), 'Severity "grave"'],
    ['an unknown state', given('task', 'x', { state: 'later' }), 'State "later"'],
    ['a box as a state', given('task', 'x', { state: 'x' }), 'State "x"'],
    ['an empty text', given('invariant', ' \n '), 'an empty Invariant'],
    ['an empty reason', given('decision', 'x', { reason: ' ', impact: 'y' }), 'an empty Reason'],
    ['an id of another kind', given('risk', 'x', { severity: 'low' }, 'D-1'), 'id D-1 of a risk'],
    [
      'a text that begins with an id',
      given('task', '[T-1] x'),
      'a text that would be read back as another one',
    ],
    ['an id that is none', given('task', 'x', {}, 'first'), 'a text that would be read back as another one'],
    ['a comment', given('invariant', 'x <!-- y'), 'a text that would be read back as another one'],
    [
      'a comment, with nothing behind it',
      { kind: 'invariant', text: 'x <!-- y', id: null, fields: {} },
      'a text that would be read back as another one',
    ],
    ['two reasons in one', given('decision', 'x', { reason: ['a', 'b'], impact: 'y' }), 'a second "Reason"'],
  ])('%s', (_, what, found) => {
    expect(parseNote(what)).toMatchObject({ found });
  });
});

test.each([
  ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
  ['2026-01-31T09:00:00.999Z', '2026-01-31T09:00:00Z'],
  ['2026-01-31T09:00Z', '2026-01-31T09:00:00Z'],
  ['2026-01-31T09:00:00+02:00', '2026-01-31T07:00:00Z'],
  ['2026-02-31T09:00:00+02:00', null],
  ['2026-01-31T09:00:00', null],
  ['2026-01-31', null],
  ['yesterday', null],
])('timeOf(%j) is %j', (text, at) => {
  expect(parseTimeOption(text)).toBe(at);
});

const text = fc.string({
  maxLength: 60,
  unit: fc.oneof(
    fc.constantFrom(...'abcÄ漢 `*_|:<>[]()-!#\n\t."\'/'),
    fc.constantFrom('- Task: ', '<!--', '-->', '```', '[x] ', '[D-1] '),
  ),
});
const field = fc.option(text, { nil: undefined });
const anything: fc.Arbitrary<Given> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    text,
    id: fc.option(
      fc.oneof(
        text,
        fc
          .integer({ min: 1, max: 9999 })
          .chain((number) => fc.constantFrom(...'DRTI').map((letter) => `${letter}-${number}`)),
      ),
    ),
    reason: field,
    impact: field,
    mitigation: field,
    severity: fc.oneof(field, fc.constantFrom(...SEVERITIES)),
    status: fc.option(fc.constantFrom(...RISK_STATES), { nil: undefined }),
    state: fc.option(fc.constantFrom(...TASK_STATES), { nil: undefined }),
    acceptance: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
  })
  .map(({ kind, text: said, id, reason, impact, mitigation, severity, status, state, acceptance }) => {
    const all = {
      decision: { reason, impact },
      risk: { mitigation, severity, status },
      task: { state, acceptance },
      invariant: {},
    }[kind];
    const fields = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return { kind, text: said, id, fields: { ...fields, at: AT } } as Given;
  });

test('what is noted is read back from a work log as it was meant, one entry each, whatever stands around it', () => {
  let taken = 0;
  const logged = { at: '2026-01-01T00:00:00Z', tool: 'Bash', target: '`npm test`', outcome: 'ok' };
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 5 }), (many) => {
      const notes = many.map(parseNote).flatMap((each) => ('found' in each ? [] : [each]));
      taken += notes.length;
      const log = [
        formatLogMark('cache'),
        ...notes.flatMap(({ lines }) => [formatLogLine(logged), ...lines, formatLogLine(logged)]),
        '',
      ].join('\n');
      const { entries, violations } = readWorkLog(FILE, log);
      expect(violations).toEqual([]);
      expect(entries.map(({ source, track, ...rest }) => rest)).toEqual(
        notes.map(({ entry: { source, track, ...rest } }) => rest),
      );
      for (const each of entries) expect(each.track).toBe('cache');
    }),
    { numRuns: runs(500) },
  );
  // Not all of them were refused.
  expect(taken).toBeGreaterThan(0.03 * runs(500));
});
