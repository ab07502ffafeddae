// Generates projects that a compaction may meet: prose around and in our blocks, any line end, several sessions.
import fc from 'fast-check';
import {
  BOXES,
  formatEntry,
  RISK_STATES,
  SEVERITIES,
  TASK_STATES,
  type TrackEntry,
} from '../../../src/addons/tracks/entries/entry.ts';
import { formatLogMark } from '../../../src/addons/tracks/work-log/work-log.ts';
import { CORE, DECISIONS, type Files, INVARIANTS, PLAN, RISKS, SPEC, TRACK } from './workspace.ts';

/** Few texts and ids, so that entries meet. */
const text = fc.constantFrom(
  'a',
  'b',
  'read all',
  'Ünïcode 漢字',
  'i̇stanbul',
  'I',
  'z <!-- y -->',
  '`x` | y',
);
const id = (letter: string) => fc.option(fc.constantFrom('1', '002', '7', 'x').map((n) => `${letter}-${n}`));
const time = fc
  .integer({ min: 0, max: 40 })
  .map((hours) => new Date(Date.UTC(2026, 9, 24, hours)).toISOString().replace('.000', ''));

const place = { file: '', line: 0 };
const common = (letter: string, at: fc.Arbitrary<string | null>) => ({
  text,
  id: id(letter),
  at,
  track: fc.constant(null),
  source: fc.constant(place),
});
const decision = fc.record({
  kind: fc.constant('decision' as const),
  ...common('D', time),
  reason: text,
  impact: text,
});
const others = [
  fc.record({
    kind: fc.constant('risk' as const),
    ...common('R', fc.option(time)),
    severity: fc.constantFrom(...SEVERITIES),
    mitigation: fc.option(text),
    status: fc.constantFrom(...RISK_STATES),
  }),
  fc.record({
    kind: fc.constant('task' as const),
    ...common('T', fc.option(time)),
    state: fc.constantFrom(...TASK_STATES),
    acceptance: fc.array(text, { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('invariant' as const), ...common('I', fc.option(time)) }),
] as const;
/** Lines of others that may stand between the head of an entry and its fields. */
const between = fc.constantFrom([], [], [], [], [''], ['  - an item', '    - and below it'], ['', '  words']);
const entry: fc.Arbitrary<string[]> = fc
  .tuple(fc.oneof(decision, ...others), fc.array(between, { minLength: 8, maxLength: 8 }))
  .map(([each, lines]) =>
    formatEntry(each as TrackEntry).flatMap((line, at) => (at === 0 ? [line] : [...(lines[at] ?? []), line])),
  );

/** Lines of others: nothing that is an entry, a mark, or leaves something open. */
const prose = fc.constantFrom(
  ['Some prose.'],
  [''],
  ['## Tasks'],
  ['- [x] **Task:** bold'],
  ['  - a bullet below'],
  ['```', '- Decision: an example', '<!-- plimsoll:entries -->', '```'],
  ['<!--', '- Risk: an example', '-->'],
  ['| a | b |', '|---|---|'],
  ['', '\ttab', '   deeper words'],
);

const document = (eol: string) =>
  fc
    .tuple(fc.boolean(), fc.array(fc.oneof(prose, entry, prose), { maxLength: 8 }), fc.boolean())
    .map(([bom, pieces, isEnded]) => {
      const body = pieces.flat().join(eol);
      return `${bom ? '\uFEFF' : ''}${body}${isEnded && body !== '' ? eol : ''}`;
    });

const logLines = fc.oneof(
  entry,
  time.map((at) => [`- ${at} Edit src/a.ts: ok`]),
  fc.constantFrom([formatLogMark('another')], [formatLogMark(TRACK)], ['words of somebody'], ['']),
);
// The first line gives every entry a time.
const workLog = fc
  .array(logLines, { maxLength: 10 })
  .map(
    (lines) => `${[formatLogMark(TRACK), '- 2026-10-24T00:00:00Z Read a: ok', ...lines.flat()].join('\n')}\n`,
  );

export const eol = fc.constantFrom('\n', '\r\n');

/**
 * Files of a project that has never been compacted. Its sessions are sorted one way by their characters, and another
 * way by Turkish.
 */
export const project: fc.Arbitrary<Files> = eol
  .chain((end) =>
    fc.record(
      {
        [SPEC]: document(end),
        [PLAN]: document(end),
        [RISKS]: document(end),
        [DECISIONS]: document(end),
        [INVARIANTS]: document(end),
        [CORE]: document(end),
        'artifacts/sessions/i0/work_log.md': workLog,
        'artifacts/sessions/I1/work_log.md': workLog,
        'artifacts/sessions/i0/recent_diff.txt': fc.constant('diff'),
      },
      { requiredKeys: [] },
    ),
  )
  .map((files) => files as Files);

/** What happens between two compactions: more is logged, boxes are ticked anywhere, lines come and go. */
export const change: fc.Arbitrary<(files: Files) => Files> = fc
  .record({
    more: fc.array(logLines, { maxLength: 4 }),
    ticks: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...TASK_STATES)), { maxLength: 4 }),
    above: fc.array(prose, { maxLength: 2 }),
  })
  .map(({ more, ticks, above }) => (files: Files): Files => {
    const log = 'artifacts/sessions/i0/work_log.md';
    let plan = files[PLAN];
    for (const [nth, state] of ticks) {
      let at = 0;
      plan = plan?.replace(/^(\s*- \[)(.)(\] Task)/gm, (all, before: string, _box, after: string) =>
        at++ === nth ? `${before}${BOXES[state]}${after}` : all,
      );
    }
    const end = plan?.includes('\r\n') ? '\r\n' : '\n';
    const head = above
      .flat()
      .map((line) => `${line}${end}`)
      .join('');
    return {
      ...files,
      [log]: `${files[log] ?? `${formatLogMark(TRACK)}\n- 2026-10-24T00:00:00Z Read a: ok\n`}${more.flat().join('\n')}\n`,
      ...(plan === undefined ? {} : { [PLAN]: plan.replace(/^\uFEFF?/, (bom) => `${bom}${head}`) }),
    };
  });
