// Tests the second mental test of the resumption design row by row: what commands noted is there after a compaction.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkpoints, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

const FILE = fileURLToPath(new URL('../fixtures/feat015/ORCHESTRATION.yaml', import.meta.url));

/** What the agent runs from the gate of phase 2 to the second iteration of the last gate. */
const DONE = `gate score qg-2 0.951 --iteration 2
gate pass qg-2
decision apply RD-001
phase 3 --name "Source File SPDX Header Notices"
agent done header-applicator "DONE. 403 files."
agent done header-verifier "PASS. 100% coverage."
gate enter qg-3
gate score qg-3 0.935
gate pass qg-3
decision add "Keep the shebang line first" --phase 3 --applied
checkpoint --about "Phase 3 complete"
phase 4 --name "CI Validation" --done 4
agent done ci-validator "PASS."
agent done pre-commit-setup "DONE."
decision add "Defer the README fix"
gate enter qg-final
gate score qg-final 0.906 --dimension evidence_quality
gate fail qg-final
gate enter qg-final
next "Re-read all 6 deliverables and run S-014, S-007, S-002"`;

function run(host: Host, line: string): void {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
  const { code, stderr } = plimsoll({ env: host.env, projectDir: host.project }, 'state', ...args);
  expect([line, code, stderr]).toEqual([line, 0, '']);
}

function compact(host: Host, tokens: number): string {
  host.append(answer(tokens, { id: `m${tokens}` }));
  host.fire('UserPromptSubmit');
  host.fire('PreCompact', { trigger: 'auto' });
  host.append(boundary('auto', tokens));
  return host.fire('SessionStart', { source: 'compact' }).context;
}

test('after the second compaction, at the last gate, each row holds', () => {
  const now = newHost({ files: { 'ORCHESTRATION.yaml': readFileSync(FILE, 'utf8') } });
  now.env.CLAUDE_CODE_SESSION_ID = SESSION;
  now.fire('SessionStart', { source: 'startup' });
  now.append(request('Run the license migration'));
  compact(now, 160_000);
  for (const line of DONE.split('\n')) run(now, line);
  const alert = compact(now, 177_200);
  expect(alert).toContain('COMPACTION EVENT: 2 of 2 this session');
  expect(alert).toMatch(
    /^WORKFLOW \(ORCHESTRATION\.yaml, updated just now\): Phase 4 \(CI Validation\), qg-final-iteration-2$/m,
  );
  expect(alert).toMatch(/^LAST SCORE: 0\.906 \(qg-final, iteration 1\)$/m);
  expect(alert).toContain(
    'Restart QG-Final iteration 2. Re-read the deliverables and run all required strategies.',
  );
  expect(alert).toContain('Re-read all 6 deliverables and run S-014, S-007, S-002');
  expect(alert).toContain('- RD-003: Defer the README fix (not applied yet)');
  const kept = checkpoints({ env: now.env, projectDir: now.project }).at(-1);
  expect(kept?.orchestration_state).toMatchObject({
    current_phase: 4,
    phases_complete: [1, 2, 3, 4],
    phases_in_progress: [],
    phases_remaining: [],
    last_completed_checkpoint: 'CP-002',
    current_gate: 'qg-final',
    current_gate_iteration: 2,
    current_gate_score: 0.906,
    quality: {
      gates_completed: ['qg-1', 'qg-2', 'qg-3'],
      gates_remaining: ['qg-final'],
      score_history: {
        'qg-1': [0.825, 0.916, 0.941],
        'qg-2': [0.96, 0.951],
        'qg-3': [0.935],
        'qg-final': [0.906],
      },
    },
  });
  const { decisions_since_last_checkpoint: decisions = [], agent_summaries: agents = {} } =
    kept?.accumulated_context ?? {};
  expect(decisions.map(({ id, applied }) => [id, applied])).toEqual([
    ['RD-003', false],
    ['RD-001', true],
    ['RD-002', true],
  ]);
  expect(Object.keys(agents)).toHaveLength(8);
});
