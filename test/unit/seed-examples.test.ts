// Do the two populated examples of the resumption design come out of the moment that they show?
// The moment: phase 2, QG-2 iteration 1, checkpoint CP-001, 88.6 % of 200,000 (177,200 tokens).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { orchestrationOf } from '../../src/model/resumption.ts';
import { estimateTokens } from '../../src/tags/budget.ts';
import { compactionAlert } from '../../src/tags/compaction-alert.ts';
import { resumptionContext } from '../../src/tags/resumption-context.ts';
import { draft } from './drafts.ts';

const source = readFileSync(new URL('../fixtures/feat015/ORCHESTRATION.yaml', import.meta.url), 'utf8');
const path = 'projects/PROJ-001-oss-release/ORCHESTRATION.yaml';

const moment = draft({
  orchestration: orchestrationOf(source, path),
  tokens: 177_200,
  conversation: { session_id: '0f6e3a52-1111-4222-8333-444455556666', epoch: 1 },
});

describe('the populated example of template 1', () => {
  const text = resumptionContext({
    draft: moment,
    checkpoint: '.plimsoll/checkpoints/cx-001-checkpoint.json',
    because: ['workflow'],
    age_s: 7_200,
    root: null,
  });

  // Each difference to the seed is the design's: a tag with facts instead of imperatives; our own checkpoint beside the
  // workflow's; the share named with its window; a gate under way asks to be begun anew (OQ-R3), with the noted step behind
  // it; "Reading order:" for "READ THESE FILES IN ORDER:", without "AFTER READING"; the scores of the gates.
  test('has its labels, order and values', () => {
    expect(text).toBe(`<resumption-context>
An earlier conversation in this project left work unfinished. What follows is where it stopped; the work goes on from there, it does not start over.
A request of the user for something else comes first.
CONVERSATION: 0f6e3a52, ended 2 h ago (its workflow is active)
WORKFLOW: feat015-licmig-20260217-001
PROJECT: PROJ-001-oss-release
ORCHESTRATION PLAN: projects/PROJ-001-oss-release/ORCHESTRATION_PLAN.md

RECOVERY STATE:
- Current phase: Phase 2 (Core License Changes)
- Workflow status: ACTIVE
- Last activity: qg-2-iteration-1
- Last checkpoint: CP-001, .plimsoll/checkpoints/cx-001-checkpoint.json
- Context fill at interruption: 88.6% of the 200,000 window
- Compaction events in previous session: 1

NEXT ACTION: Restart QG-2 iteration 1. Re-read the deliverables and run all required strategies. Noted as next step: Complete the revision (apply DA-001 fix), then re-score with S-014, S-007, S-002

QUALITY TRAJECTORY:
- Gates completed: qg-1
- Gates remaining: qg-2, qg-3, qg-final
- Current gate: qg-2 (iteration 1)
- Last gate score: 0.960 (qg-2 iter 1)
- Recurring weak dimension: evidence_quality
- Scores of the gates completed: qg-1 (0.825, 0.916, 0.941)

KEY DECISIONS (carry forward):
- RD-001 (qg-2, iter 1): Align copyright holder to 'Adam Nowak' across NOTICE, header_template, and ORCHESTRATION_PLAN. NOTICE is authoritative. Affects phase 3 (not applied yet)

AGENT WORK COMPLETED:
- audit-executor: PASS. All 25 deps Apache-2.0 compatible. MPL-2.0 (certifi) compatible via Exhibit B. No blockers.
- license-replacer: DONE. LICENSE file replaced with canonical Apache 2.0. SHA-256 verified.
- notice-creator: DONE. NOTICE file created per Section 4(d). Copyright: 2026 Adam Nowak.
- metadata-updater: DONE. pyproject.toml license = Apache-2.0 (SPDX). No other refs.

DEFECT PATTERNS (avoid re-introducing):
- Evidence quality gaps: missing source URLs and unattached artifacts (qg-1, qg-2)
- Cross-artifact consistency: counts and names mismatched between deliverables (qg-1)

Reading order:
1. projects/PROJ-001-oss-release/ORCHESTRATION.yaml
   Sections: resumption, quality_gates.qg-2, next_actions
   Purpose: Machine-readable workflow state. Read resumption section first.
2. projects/PROJ-001-oss-release/ORCHESTRATION_PLAN.md
   Sections: agent-registry, phase-2
   Purpose: Strategic context. Agent definitions and Phase 2 description.
3. projects/PROJ-001-oss-release/WORKTRACKER.md
   Sections: features, history
   Purpose: Tactical documentation. Feature status and session history.
4. .plimsoll/checkpoints/cx-001-checkpoint.json
   Purpose: what was true then, complete
Files of finished phases are needed only where the work asks for them.
</resumption-context>`);
  });

  test('is within its budget', () => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_200);
  });
});

describe('the populated example of template 2', () => {
  const text = compactionAlert({
    event: 1,
    path: '.plimsoll/checkpoints/cx-001-checkpoint.json',
    checkpoint: moment,
    root: null,
  });

  // Differences: COMPACTION EVENT (OQ-R4); the gates that were passed; what is left out is named; the share named with its window; "Reading order:" and "Next step:" for
  // "IMMEDIATE ACTIONS"; merging is a command, acknowledging is done by the hooks.
  test('has its labels, order and values', () => {
    expect(text).toBe(`<compaction-alert>
CONTEXT COMPACTION OCCURRED. Some conversation history was compressed by Claude Code.
You may have lost track of recent work. Re-orient using the data below.
COMPACTION EVENT: 1 of 1 this session
Any CONTEXT STATUS above is from before the compaction.

CHECKPOINT: .plimsoll/checkpoints/cx-001-checkpoint.json
TRIGGER: auto (PreCompact hook)
PRE-COMPACTION FILL: 88.6% of the 200,000 window

YOU WERE DOING: Phase 2 (Core License Changes), qg-2-iteration-1
LAST SCORE: 0.960 (qg-2, iteration 1)
GATES COMPLETED: qg-1 (0.941)

CRITICAL CONTEXT:
- Primary defect of the last gate iteration: DA-001: copyright holder inconsistency between NOTICE and header_template (S-007, major)
- Unresolved defects: DA-001

PENDING DECISIONS:
- RD-001: Align copyright holder to 'Adam Nowak' across NOTICE, header_template, and ORCHESTRATION_PLAN. NOTICE is authoritative (affects phase 3)
Reading order:
1. the checkpoint (what was true before the compaction)
2. projects/PROJ-001-oss-release/ORCHESTRATION.yaml (resumption, quality_gates.qg-2, next_actions)
Next step: Restart QG-2 iteration 1. Re-read the deliverables and run all required strategies. Noted as next step: Complete the revision (apply DA-001 fix), then re-score with S-014, S-007, S-002
Left out for length: files to read, agents done (see the checkpoint)
</compaction-alert>`);
  });

  test('is within its ceiling', () => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(500);
  });
});
