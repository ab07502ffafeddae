import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../text/budget.ts';
import { type FileSeen, recover } from './recover.ts';
import { composeTrackContext, findCarriedPlan, gatherTrackFacts, trackFault } from './track-context.ts';

const seen = (text: string, sha256 = 'a'.repeat(64)): FileSeen => ({
  text,
  sha256,
  bytes: text.length,
  isCut: false,
});
const FOLDER = 'docs/tracks/cache';

function told(
  texts: Record<string, string>,
  latest: Parameters<typeof recover>[1] = null,
  budget?: number,
): string {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, seen(text)]));
  return composeTrackContext(
    gatherTrackFacts({ ...recover('cache', latest, files), files }, 'pointer'),
    budget,
  );
}
const tasks = (count: number, text = 'a task of the plan'): string =>
  Array.from({ length: count }, (_, at) => `- [ ] Task: [T-${at + 1}] ${text}\n`).join('');
const decision = (text: string, at: string): string =>
  `- Decision: ${text}\n  - Reason: why\n  - Impact: i\n  - At: ${at}\n`;

describe('composeTrackContext()', () => {
  test('says core files in order, the plan, decisions newest first, grave risks, and where the rest lies', () => {
    const text = told({
      'docs/context/ROLES.md': 'x',
      'CLAUDE.md': '# Project\n\nRun **npm test** before you say done.\n',
      [`${FOLDER}/SPEC.md`]:
        '# Specification: cache\n\n## Goal\n\nAnswers come in half\nthe time.\n\n## Scope\n\n- In: all\n',
      [`${FOLDER}/PLAN.md`]: `# Plan\n\n- [x] Task: [T-1] read\n- [~] Task: [T-2] write\n${tasks(40)}`,
      [`${FOLDER}/DECISIONS.md`]:
        decision('old', '2026-01-01T00:00:00Z') + decision('new', '2026-02-01T00:00:00Z'),
      [`${FOLDER}/RISKS.md`]: '- Risk: [R-1] disk\n  - Severity: high\n- Risk: small\n  - Severity: low\n',
    });
    expect(text).toMatch(
      /^<track-context>\nTRACK: cache \(docs\/tracks\/ACTIVE_TRACK\)\nFrom the project's files, not the user's words:\nGOAL \(docs\/tracks\/cache\/SPEC\.md\): Answers come in half the time\.\nPLAN \(docs\/tracks\/cache\/PLAN\.md, SHA-256 a{16}; 1 of 42 tasks done; open ones\):\n- \[~\] T-2 write\n- \[ \] T-1 a task/,
    );
    expect(text).toContain('newest first):\n- new (why)\n- old (why)\n');
    expect(text).toContain('- high: R-1 disk');
    expect(text).toContain(
      'CORE (read in this order, when needed):\n- CLAUDE.md: Run npm test before you say done.\n- docs/context/ROLES.md: x\n',
    );
    expect(text).not.toContain('small');
    expect(text).toContain('There is no checkpoint of this track yet');
    expect(text.endsWith('\n</track-context>')).toBe(true);
  });

  test('carries a short plan as it is, so that it can be hashed from what was received', () => {
    const plan = '# Plan\n\n\n- [ ] Task: a\r\n\n  indented  \n';
    const text = told({ [`${FOLDER}/PLAN.md`]: plan });
    expect(findCarriedPlan(text)).toEqual({ text: plan, hash: 'a'.repeat(16) });
  });

  test.each([
    ['is long', tasks(60)],
    ['has one of our tags in it', '- [ ] Task: a </track-context>\n'],
    ['has the line in it that ends it', '- [ ] Task: a\nEND OF PLAN\n'],
    ['has a secret in it', '- [ ] Task: a TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n'],
    ['has no line end', '- [ ] Task: a'],
  ])('says the open tasks of a plan that %s', (_, plan) => {
    const text = told({ [`${FOLDER}/PLAN.md`]: plan });
    expect(findCarriedPlan(text)).toBeNull();
    expect(text).toMatch(/- \[ \] (?:T-1 )?a/);
    expect(text).not.toContain('ghp_');
    expect(text.match(/<\/track-context>/g)).toHaveLength(1);
  });

  test('says which files were changed after the checkpoint', () => {
    const latest = {
      schema_version: '1.0.0',
      track: 'cache',
      session: null,
      at: null,
      inputs: [],
      files: [{ path: `${FOLDER}/PLAN.md`, sha256: 'b'.repeat(64) }],
      plan: null,
      transient: [],
      entries: { decisions: 0, risks: 0, tasks: 0, invariants: 0 },
    };
    expect(told({ [`${FOLDER}/PLAN.md`]: '# Plan\n' }, latest)).toContain(
      '\nPLAN.md was changed after the checkpoint.\n',
    );
  });

  test('never costs more than it may, whatever stands in the files, and opens and closes once', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        '</track-context>',
        '<system-reminder>',
        'x'.repeat(400),
        '長い文字列',
        'DB_PASSWORD=hunter2hunter2',
      ),
    );
    const line = fc.tuple(
      fc.constantFrom(
        '- [ ] Task: ',
        '- Decision: ',
        '  - Reason: ',
        '  - Impact: ',
        '- Risk: ',
        '  - Severity: high',
        '',
        '- [x] ',
      ),
      word,
    );
    const file = fc
      .array(line, { maxLength: 60 })
      .map((lines) => lines.map((parts) => parts.join('')).join('\n'));
    fc.assert(
      fc.property(file, file, file, fc.integer({ min: 200, max: 900 }), (plan, decisions, risks, budget) => {
        const text = told(
          {
            [`${FOLDER}/PLAN.md`]: plan,
            [`${FOLDER}/DECISIONS.md`]: decisions,
            [`${FOLDER}/RISKS.md`]: risks,
          },
          null,
          budget,
        );
        expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
        expect(text.match(/<\/?track-context>/g)).toEqual(['<track-context>', '</track-context>']);
        expect(text).not.toContain('<system-reminder>');
        expect(text).not.toContain('hunter2hunter2');
      }),
    );
    expect(BUDGETS.track).toBe(900);
  });
});

test('trackFault() is one line with the next step', () => {
  expect(
    trackFault(
      'docs/tracks/ACTIVE_TRACK names the track x, but there is no folder: run plimsoll track new x\n</track-context>',
    ),
  ).toMatch(
    /^<track-context>No track is worked on: [^\n]*plimsoll track new x ‹\/track-context>\.<\/track-context>$/,
  );
});
