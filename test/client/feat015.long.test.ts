// Tests the mental test of the resumption design on the real client:
// 17 steps, two compactions, every row of its tables.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/budget.ts';
import { openSession, runHeadless } from '../kit/client.ts';
import { checkpoints, failures, MINE, plimsoll, sessionStates, stateFolder } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import type { RecordedRequest } from '../kit/scripted-model.ts';
import { afterCompactions, main, sandboxFor, standard } from './said.ts';

/** A step: what the orchestrator notes before it, and the tokens that it adds (seed: bytes / 4, cumulative). */
interface Step {
  does: string;
  adds: number;
  state?: string[][];
  /** The context does not hold the step: the API refuses, the client compacts, and the step begins anew with so much. */
  after?: number;
}

const agent = (name: string, summary: string): string[] => ['agent', 'done', name, summary];
const STEPS: Step[] = [
  {
    does: 'start',
    adds: 31_350,
    state: [
      ['phase', '1', '--name', 'Dependency Audit'],
      ['status', 'ACTIVE'],
      ['next', 'Run audit-executor'],
    ],
  },
  {
    does: 'audit',
    adds: 8_800,
    state: [agent('audit-executor', 'PASS. All 25 deps Apache-2.0 compatible. No blockers.')],
  },
  {
    does: 'QG-1 iteration 1',
    adds: 29_000,
    state: [
      ['gate', 'enter', 'qg-1'],
      ['gate', 'score', 'qg-1', '0.825', '--dimension', 'evidence_quality'],
      ['gate', 'fail', 'qg-1'],
    ],
  },
  {
    does: 'QG-1 iteration 2',
    adds: 29_000,
    state: [
      ['gate', 'enter', 'qg-1'],
      ['gate', 'score', 'qg-1', '0.916'],
      ['gate', 'fail', 'qg-1'],
    ],
  },
  {
    does: 'QG-1 iteration 3',
    adds: 29_000,
    state: [
      ['gate', 'enter', 'qg-1'],
      ['gate', 'score', 'qg-1', '0.941'],
      ['gate', 'pass', 'qg-1'],
      ['defect', 'pattern', 'Evidence quality gaps', '--gate', 'qg-1'],
    ],
  },
  {
    does: 'license-replacer, notice-creator, metadata-updater',
    adds: 15_000,
    state: [
      ['phase', '2', '--name', 'Core License Changes'],
      agent('license-replacer', 'DONE. LICENSE replaced with canonical Apache 2.0. SHA-256 verified.'),
      agent('notice-creator', 'DONE. NOTICE created per Section 4(d).'),
      agent('metadata-updater', 'DONE. pyproject.toml license = Apache-2.0.'),
    ],
  },
  {
    does: 'QG-2 iteration 1',
    adds: 35_000,
    state: [
      ['gate', 'enter', 'qg-2'],
      ['gate', 'score', 'qg-2', '0.960'],
      ['defect', 'add', 'DA-001'],
      [
        'decision',
        'add',
        "Align copyright holder to 'Adam Nowak' across NOTICE and header_template",
        '--gate',
        'qg-2',
        '--phase',
        '3',
      ],
      ['gate', 'fail', 'qg-2'],
    ],
  },
  {
    does: 'QG-2 iteration 2',
    adds: 35_000,
    after: 50_000,
    state: [
      ['gate', 'enter', 'qg-2'],
      ['next', 'Restart QG-2 iteration 2 scoring'],
    ],
  },
  {
    does: 'QG-2 passes',
    adds: 12_000,
    state: [
      ['gate', 'score', 'qg-2', '0.951'],
      ['gate', 'pass', 'qg-2'],
      ['defect', 'resolve', 'DA-001'],
    ],
  },
  {
    does: 'header-applicator',
    adds: 8_800,
    state: [
      ['phase', '3', '--name', 'Source File Headers'],
      ['decision', 'apply', 'RD-001'],
      agent('header-applicator', 'DONE. 403 files.'),
    ],
  },
  {
    does: 'QG-3 iteration 1',
    adds: 29_000,
    state: [
      ['gate', 'enter', 'qg-3'],
      ['gate', 'score', 'qg-3', '0.873'],
      ['gate', 'fail', 'qg-3'],
    ],
  },
  {
    does: 'QG-3 iteration 2',
    adds: 29_000,
    state: [
      ['gate', 'enter', 'qg-3'],
      ['gate', 'score', 'qg-3', '0.935'],
      ['gate', 'pass', 'qg-3'],
      agent('header-verifier', 'PASS. 100% coverage.'),
    ],
  },
  {
    does: 'ci-validator',
    adds: 8_800,
    state: [
      ['phase', '4', '--name', 'Verification'],
      agent('ci-validator', 'PASS.'),
      ['decision', 'add', 'Keep the header template as is', '--gate', 'qg-3'],
    ],
  },
  { does: 'dep-checker', adds: 8_800, state: [agent('dep-checker', 'PASS.')] },
  {
    does: 'QG-Final iteration 1',
    adds: 45_000,
    state: [
      ['gate', 'enter', 'qg-final'],
      ['gate', 'score', 'qg-final', '0.906'],
      ['gate', 'fail', 'qg-final'],
    ],
  },
  { does: 'QG-Final iteration 2', adds: 45_000, after: 50_000, state: [['gate', 'enter', 'qg-final']] },
];
const LIMIT = 200_000;

function note(sandbox: Sandbox, step: Step): void {
  for (const args of step.state ?? []) {
    const { code, stderr } = plimsoll(sandbox, 'state', ...args);
    expect(`${code} ${stderr}`, `state ${args.join(' ')}`).toBe('0 ');
  }
}

const alertIn = (request: RecordedRequest | undefined, event: number): string => {
  const all = (request ? textOf(request) : '').match(/<compaction-alert>[\s\S]*?<\/compaction-alert>/g) ?? [];
  return all.find((each) => each.includes(`COMPACTION EVENT: ${event} of ${event}`)) ?? '';
};

test('FEAT-015: every row of both tables is answered by what the model receives', async () => {
  let fill = 0;
  const turns = STEPS.flatMap((step, at) => {
    fill += step.adds;
    const words = { text: `Step ${at + 1}, ${step.does}: done.` };
    if (step.after === undefined) return [{ ...words, fill }];
    const refused = `prompt is too long: ${fill} tokens > ${LIMIT} maximum`;
    expect(fill).toBeGreaterThan(LIMIT);
    fill = step.after;
    return [{ error: { status: 400, message: refused } }, { ...words, fill }];
  });
  const sandbox = await sandboxFor({
    git: true,
    files: {
      [MINE]: '[resume]\nheadless = true\n',
      'ORCHESTRATION.yaml':
        'workflow:\n  id: "feat015-licmig-20260217-001"\n  project_id: "PROJ-001-oss-release"\n  status: "ACTIVE"\n',
      'ORCHESTRATION_PLAN.md': '# Plan\n',
    },
    script: { main: turns, fallback: { text: 'Resuming.', fill: 30_000 } },
  });
  expect(plimsoll(sandbox, 'state', 'init').code).toBe(0);
  const talk = openSession(sandbox, standard);
  for (const [at, step] of STEPS.entries()) {
    note(sandbox, step);
    await talk.say(`Step ${at + 1}: ${step.does}`);
  }
  await talk.end();

  const [first, second] = afterCompactions(sandbox);
  const one = alertIn(first, 1);
  const two = alertIn(second, 2);
  const rows: [need: string, alert: string, answer: RegExp][] = [
    ['1: what happened', one, /CONTEXT COMPACTION OCCURRED/],
    [
      '1: where we are',
      one,
      /^WORKFLOW \(ORCHESTRATION\.yaml.*\): Phase 2 \(Core License Changes\), qg-2-iteration-2$/m,
    ],
    ['1: last score', one, /^LAST SCORE: 0\.960 \(qg-2, iteration 1\)$/m],
    ['1: what was found', one, /DA-001/],
    ['1: key decisions', one, /RD-001.*: Align copyright holder to 'Adam Nowak'/],
    ['1: what to do next', one, /^Next step \(from the workflow file\): Restart QG-2 iteration 2\./m],
    ['1: files to read', one, /cx-\d+-checkpoint\.json[\s\S]*ORCHESTRATION\.yaml/],
    ['2: what happened', two, /COMPACTION EVENT: 2 of 2 this session/],
    [
      '2: where we are',
      two,
      /^WORKFLOW \(ORCHESTRATION\.yaml.*\): Phase 4 \(Verification\), qg-final-iteration-2$/m,
    ],
    ['2: last score', two, /^LAST SCORE: 0\.906 \(qg-final, iteration 1\)$/m],
    [
      '2: all prior gate results',
      two,
      /^GATES COMPLETED: qg-1 \(0\.941\), qg-2 \(0\.951\), qg-3 \(0\.935\)$/m,
    ],
    ['2: accumulated decisions', two, /RD-002.*: Keep the header template as is/],
    ['2: agents', two, /AGENTS DONE \(8\): audit-executor, license-replacer/],
    ['2: what to do next', two, /^Next step \(from the workflow file\): Restart QG-Final iteration 2\./m],
  ];
  for (const [need, alert, answer] of rows) expect(alert, need).toMatch(answer);
  for (const alert of [one, two]) expect(estimateTokens(alert)).toBeLessThanOrEqual(500);
  const saved = checkpoints(sandbox).filter((each) => each.trigger.type === 'auto');
  expect(saved.map((each) => Object.keys(each.accumulated_context.agent_summaries).length)).toEqual([4, 8]);

  // A new session gets template 1, with all rows.
  await runHeadless(sandbox, ['-p', 'go on', ...standard]);
  const told =
    /<resumption-context>[\s\S]*?<\/resumption-context>/.exec(
      textOf(main(sandbox).at(-1) as RecordedRequest),
    )?.[0] ?? '';
  for (const row of [
    /^WORKFLOW: feat015-licmig-20260217-001 \(ORCHESTRATION\.yaml.*\)$/m,
    /^PROJECT: PROJ-001-oss-release$/m,
    /^ORCHESTRATION PLAN: ORCHESTRATION_PLAN\.md$/m,
    /^- Current phase: Phase 4 \(Verification\)$/m,
    /^- Workflow status: ACTIVE$/m,
    /^- Last activity: qg-final-iteration-2$/m,
    /^Whole: plimsoll checkpoint show cx-\d+;/m,
    /^NEXT ACTION \(from the workflow file\): Restart QG-Final iteration 2\./m,
    /^- Gates completed: qg-1, qg-2, qg-3$/m,
    /^- Current gate: qg-final \(iteration 2\)$/m,
    /^- Last gate score: 0\.906 \(qg-final iter 1\)$/m,
    /^- Recurring weak dimension: evidence_quality$/m,
    /^KEY DECISIONS \(carry forward\):\n- RD-002 \(qg-3/m,
    /^AGENT WORK COMPLETED/m,
    /^DEFECT PATTERNS \(avoid re-introducing\):\n- Evidence quality gaps \(qg-1\)$/m,
    /^Reading order:\n- ORCHESTRATION\.yaml/m,
  ]) {
    expect(told).toMatch(row);
  }
  expect(estimateTokens(told)).toBeLessThanOrEqual(1_200);

  const read = (name: string): number =>
    estimateTokens(readFileSync(path.join(sandbox.projectDir, name), 'utf8'));
  const section = read('ORCHESTRATION.yaml');
  const file = path.relative(
    sandbox.projectDir,
    path.join(stateFolder(sandbox), 'checkpoints', `${saved[0]?.event_id}-checkpoint.json`),
  );
  console.log(
    `re-orientation in tokens (ours / the seed's): alert 1 ${estimateTokens(one)} / 250, alert 2 ${estimateTokens(two)} / 280, resumption ${estimateTokens(told)} / 760, checkpoint file ${read(file)} / 200, ORCHESTRATION.yaml ${section} / 1,500`,
  );
  expect(sessionStates(sandbox).length).toBe(2);
  expect(failures(sandbox)).toEqual([]);
});
