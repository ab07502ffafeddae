// Registers the commands that change the lists of the state file: decisions, gates, defects, agents and files.
import type { Command } from 'commander';
import { collect, type Door } from './door.ts';
import type { DecisionOptions } from './state-decision.ts';
import type { PatternOptions } from './state-defect.ts';
import type { FileOptions } from './state-entries.ts';
import type { StateOptions } from './state-file.ts';
import type { ScoreOptions } from './state-gate.ts';

/** Registers a command about a state file with `--file`, `--json` and examples. */
export type Describe = (name: string, description: string, examples: string[], notes?: string) => Command;

function addDecisions(describe: Describe, { place, output }: Door): void {
  const load = () => import('./state-decision.ts');
  describe(
    'add <text>',
    'note a decision that affects later phases; it gets the next id',
    [
      'decision add "Align the copyright holder" --phase 3 --rationale "NOTICE is authoritative"',
      'decision add "Defer the README fix" --gate qg-2',
    ],
    'While a gate is in progress, the decision is noted with it. The same words again are no second decision.',
  )
    .option('--phase <n>', 'a phase that it affects; may be given several times', collect)
    .option('--gate <gate>', 'the gate at which it was made')
    .option('--iteration <n>', "the gate's iteration")
    .option('--rationale <text>', 'why')
    .option('--applied', 'it is carried out already')
    .action(async (text: string, options: DecisionOptions) =>
      (await load()).decisionAdd(await place(), text, options, output),
    );
  describe('apply <id>', 'a decision is carried out', ['decision apply RD-002', 'decision apply 2']).action(
    async (id: string, options: StateOptions) =>
      (await load()).decisionApply(await place(), id, options, output),
  );
  describe('list', 'all decisions, applied and pending', ['decision list --json']).action(
    async (options: StateOptions) => (await load()).decisionList(await place(), options, output),
  );
}

function addGates(describe: Describe, { place, output }: Door): void {
  const load = () => import('./state-gate.ts');
  describe('enter <gate>', 'the next iteration of a gate begins', ['gate enter qg-2']).action(
    async (gate: string, options: StateOptions) =>
      (await load()).gateEnter(await place(), gate, options, output),
  );
  describe(
    'score <gate> <score>',
    'the score of an iteration, from 0 to 1',
    ['gate score qg-2 0.916 --dimension evidence_quality', 'gate score qg-2 0.92 --iteration 2'],
    'Without --iteration it is the next one; an iteration that has a score already gets the new one.',
  )
    .option('--iteration <n>', 'the iteration that was scored')
    .option('--dimension <name>', 'the weakest dimension')
    .action(async (gate: string, score: string, options: ScoreOptions) =>
      (await load()).gateScore(await place(), gate, score, options, output),
    );
  describe('pass <gate>', 'a gate is passed', ['gate pass qg-2']).action(
    async (gate: string, options: StateOptions) =>
      (await load()).gatePass(await place(), gate, options, output),
  );
  describe('fail <gate>', 'an iteration did not pass: its revision begins', ['gate fail qg-2']).action(
    async (gate: string, options: StateOptions) =>
      (await load()).gateFail(await place(), gate, options, output),
  );
}

function addDefects(describe: Describe, { place, output }: Door): void {
  const load = () => import('./state-defect.ts');
  describe(
    'add <id> [text]',
    'a defect is open',
    ['defect add DA-001', 'defect add DA-001 "copyright holders differ"'],
    'The id goes to the open defects; the words become the primary defect of the last gate.',
  ).action(async (id: string, text: string | undefined, options: StateOptions) =>
    (await load()).defectAdd(await place(), id, text, options, output),
  );
  describe('resolve <id>', 'a defect is done', ['defect resolve DA-001']).action(
    async (id: string, options: StateOptions) =>
      (await load()).defectResolve(await place(), id, options, output),
  );
  describe('pattern <text>', 'a pattern that came up again, so that it is not made anew', [
    'defect pattern "Missing source URLs" --gate qg-1 --gate qg-2 --resolution "Added them"',
  ])
    .option('--gate <gate>', 'a gate at which it was seen; may be given several times', collect)
    .option('--resolution <text>', 'what was done about it')
    .action(async (text: string, options: PatternOptions) =>
      (await load()).defectPattern(await place(), text, options, output),
    );
}

function addFiles(describe: Describe, { place, output }: Door): void {
  const load = () => import('./state-entries.ts');
  describe('add <path>', 'a file that the next one reads; what is said of a listed one is changed', [
    'file add docs/plan.md --priority 2 --section phase-3 --purpose "Strategic context"',
  ])
    .option('--section <name>', 'a section to read; may be given several times', collect)
    .option('--priority <n>', 'place in the order of reading, 1 first')
    .option('--purpose <text>', 'what it is read for')
    .action(async (path: string, options: FileOptions) =>
      (await load()).fileAdd(await place(), path, options, output),
    );
  describe('remove <path>', 'a file that need not be read any more', ['file remove docs/plan.md']).action(
    async (path: string, options: StateOptions) =>
      (await load()).fileRemove(await place(), path, options, output),
  );
}

export function addStateEntryCommands(
  state: Command,
  describeIn: (parent: Command) => Describe,
  door: Door,
): void {
  const group = (name: string, description: string): Describe =>
    describeIn(state.command(name).description(description));
  addDecisions(group('decision', 'decisions that affect later phases'), door);
  addGates(group('gate', 'quality gates: iterations, scores, results'), door);
  addDefects(group('defect', 'open defects, and patterns of them'), door);
  group('agent', 'what agents did')('done <name> <summary>', 'an agent is done; one line says what it did', [
    'agent done audit-executor "PASS. All 25 dependencies are compatible."',
  ]).action(async (name: string, summary: string, options: StateOptions) =>
    (await import('./state-entries.ts')).agentDoneCommand(
      await door.place(),
      name,
      summary,
      options,
      door.output,
    ),
  );
  addFiles(group('file', 'files that the next one reads first'), door);
}
