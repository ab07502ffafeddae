import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draft, orchestration, state } from '../../test/unit/drafts.ts';
import { hostileDraft } from '../../test/unit/hostile.ts';
import type { CheckpointDraft } from '../model/checkpoint.ts';
import { shorten } from '../model/work.ts';
import { estimateTokens } from './budget.ts';
import { inline } from './escape.ts';
import {
  type ResumptionFacts,
  resumptionContext,
  resumptionMarks,
  resumptionPointer,
} from './resumption-context.ts';

const LONG = 'Port the expression compiler to TypeScript';
const PATH = '.plimsoll/checkpoints/cx-004-checkpoint.json';
const facts = (left: CheckpointDraft, more: Partial<ResumptionFacts> = {}): ResumptionFacts => ({
  draft: left,
  checkpoint: PATH,
  because: ['tasks'],
  age_s: 7_200,
  root: '/project',
  ...more,
});
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const full = draft({
  orchestration: orchestration({
    state: state(),
    accumulated: {
      defect_patterns: ['vague citations'],
      decisions_since_last_checkpoint: [
        { id: 'D-2', summary: 'Lines split on LF only', affects_phases: [3], applied: false },
        { id: 'D-1', summary: 'No streams', affects_phases: [], applied: true },
      ],
      agent_summaries: { 'ps-critic-001': 'scored 0.894' },
    },
    files: [{ path: 'docs/PLAN.md', sections: ['Phase 3'], priority: 2 }],
  }),
  work: {
    requests: ['Look around', 'Port the compiler'],
    tasks: [{ id: '1', subject: 'Write the parser', status: 'in_progress', active: null }],
    files_written: ['/project/src/a.ts', '/elsewhere/b.ts'],
    failing_commands: [{ command: 'npm test', output: 'Exit code 1\n3 failed' }],
    last_answer: 'The lexer is done.',
  },
  conversation: {
    session_id: '0f6e3a52-1111-4222-8333-444455556666',
    epoch: 2,
    git: { branch: 'main', head: '0123456789abcdef', dirty_files: ['src/a.ts'] },
  },
});

describe('resumptionContext()', () => {
  test('takes the fill from the section where nothing was measured, and says so', () => {
    const noted = (context_fill_at_update: number | null): string =>
      resumptionContext(
        facts(
          draft({ tokens: null, orchestration: orchestration({ state: state({ context_fill_at_update }) }) }),
        ),
      );
    expect(noted(0.886)).toMatch(
      /^- Context fill at interruption: 88\.6% of the window, as the section has it$/m,
    );
    expect(noted(null)).not.toContain('Context fill');
  });

  test('says everything that is known, with the labels and in the order of the design', () => {
    expect(resumptionContext(facts(full, { because: ['workflow', 'tasks'] }))).toBe(
      `<resumption-context>
An earlier conversation in this project left work unfinished. What follows is where it stopped; the work goes on from there, it does not start over.
A request of the user for something else comes first.
CONVERSATION: 0f6e3a52, ended 2 h ago (its workflow is active, tasks are open)
WORKFLOW: flow-1

RECOVERY STATE:
- Current phase: Phase 3 (Implementation)
- Workflow status: ACTIVE
- Last activity: qg-2 iteration 2
- Last checkpoint: CP-001, ${PATH}
- Context fill at interruption: 80% of the 200,000 window
- Compaction events in previous session: 2
- Git now: main at 0123456789, 1 changed file

THE USER'S REQUEST: Port the compiler

EARLIER REQUESTS:
- Look around

LAST ANSWER: The lexer is done.

NEXT ACTION: Restart QG-2 iteration 2. Re-read the deliverables and run all required strategies. Noted as next step: Revise the draft for qg-2

QUALITY TRAJECTORY:
- Current gate: qg-2 (iteration 2)
- Last gate score: 0.894 (qg-2 iter 2)

OPEN TASKS:
- Write the parser (in progress)

FILES WRITTEN:
- /elsewhere/b.ts
- src/a.ts

FAILING COMMANDS:
- npm test → 3 failed

KEY DECISIONS (carry forward):
- D-2: Lines split on LF only. Affects phase 3 (not applied yet)
- D-1: No streams

AGENT WORK COMPLETED:
- ps-critic-001: scored 0.894

DEFECT PATTERNS (avoid re-introducing):
- vague citations

Reading order:
1. ORCHESTRATION.yaml
   Sections: resumption, quality_gates.qg-2
2. docs/PLAN.md
   Sections: Phase 3
3. ${PATH}
   Purpose: what was true then, complete
Files of finished phases are needed only where the work asks for them.
</resumption-context>`,
    );
  });

  test('leaves out lines without data, and blocks without lines', () => {
    const left = draft({ tokens: null, work: { requests: ['Go on'] } });
    expect(resumptionContext(facts(left, { checkpoint: null, because: [] }))).toBe(
      `<resumption-context>
An earlier conversation in this project has ended. What follows is where it stopped; the work goes on from there, it does not start over.
A request of the user for something else comes first.
CONVERSATION: conversa, ended 2 h ago

RECOVERY STATE:
- Compaction events in previous session: 0

THE USER'S REQUEST: Go on

NEXT ACTION: Continue: Go on
</resumption-context>`,
    );
  });

  test('names the request that the last words only push on', () => {
    const left = draft({ work: { requests: ['Read the plan of the new parser', LONG, 'yes', 'go on'] } });
    const text = resumptionContext(facts(left));
    expect(text).toContain(`THE USER'S REQUEST: go on\nASKED BEFORE: ${LONG}\n`);
    expect(text).toContain('EARLIER REQUESTS:\n- yes\n- Read the plan of the new parser\n');
    expect(text).toContain(`NEXT ACTION: Continue: go on (asked before: ${LONG})`);
    expect(resumptionPointer(facts(left))).toContain(`: "${LONG} … go on". `);
  });

  test('carries the words that identify it', () => {
    const text = resumptionContext(facts(full));
    for (const mark of resumptionMarks(full.conversation.session_id)) expect(text).toContain(mark);
    for (const mark of resumptionMarks('another-1111')) {
      if (mark !== '<resumption-context>') expect(text).not.toContain(mark);
    }
  });

  test.each([
    ['without an orchestration file', false],
    ['with an orchestration file', true],
  ])(
    'is one tag of at most 1,200 tokens that names request and next action, whatever was left, %s',
    (_, has) => {
      fc.assert(
        fc.property(hostileDraft(has), (left) => {
          const text = resumptionContext(facts(left));
          expect(estimateTokens(text)).toBeLessThanOrEqual(1_200);
          expect(text.length).toBeLessThanOrEqual(9_500);
          expect(text.startsWith('<resumption-context>\n')).toBe(true);
          expect(text.endsWith('\n</resumption-context>')).toBe(true);
          expect(count(text, /<\s*\/?\s*resumption-context/gi)).toBe(2);
          expect(text).not.toMatch(/<\s*\/?\s*(?:system-reminder|context-monitor|compaction-alert)/i);
          const request = inline(shorten(left.work.requests.at(-1) ?? '', 40)).slice(0, 20);
          expect(text).toContain(`THE USER'S REQUEST: ${request}`);
          expect(count(text, /^NEXT ACTION: /gm)).toBe(1);
        }),
        { numRuns: 200 },
      );
    },
  );

  test('says what it left out for length, and where to read it', () => {
    const left = draft({
      work: {
        requests: ['Go on '.repeat(200)],
        last_answer: 'And so on. '.repeat(60),
        tasks: Array.from({ length: 12 }, (_, n) => ({
          id: null,
          subject: `Task ${n} ${'with many words '.repeat(12)}`,
          status: 'pending' as const,
          active: null,
        })),
        files_written: Array.from({ length: 12 }, (_, n) => `/project/${'deep/'.repeat(12)}file-${n}.ts`),
      },
    });
    expect(resumptionContext(facts(left))).toMatch(
      /Left out for length: .*files written, .*context fill at interruption/,
    );
    expect(resumptionContext(facts(left))).toContain(`(see ${PATH})`);
  });
});

describe('resumptionPointer()', () => {
  test('is one line', () => {
    expect(resumptionPointer(facts(full))).toBe(
      '<resumption-context>Earlier conversation here (2 h ago): "Port the compiler". "plimsoll handoff" prints its state.</resumption-context>',
    );
  });

  test('is nothing where nothing was asked', () => {
    expect(resumptionPointer(facts(draft()))).toBeNull();
  });

  test('has at most 60 tokens and one tag, whatever was asked', () => {
    fc.assert(
      fc.property(hostileDraft(false), fc.integer({ min: 0, max: 1e8 }), (left, age_s) => {
        const text = resumptionPointer(facts(left, { age_s })) ?? '';
        expect(estimateTokens(text)).toBeLessThanOrEqual(60);
        expect(count(text, /<\s*\/?\s*resumption-context/gi)).toBe(2);
      }),
      { numRuns: 200 },
    );
  });
});
