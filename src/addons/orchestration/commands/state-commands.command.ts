// Registers the commands `plimsoll state …` about ORCHESTRATION.yaml with their options and help.
import type { Command } from 'commander';
import { type CliContext, collect, examplesOf } from '../../../cli/context.ts';
import type { StateOptions } from './find-state.io.ts';
import type { DecisionOptions } from './state-decision.command.ts';
import type { PatternOptions } from './state-defect.command.ts';
import type { FileOptions } from './state-entries.command.ts';
import type { ScoreOptions } from './state-gate.command.ts';
import type { StateInitOptions } from './state-init.command.ts';
import type { LinkOptions } from './state-link.command.ts';
import type { PhaseOptions } from './state-recovery.command.ts';

/** Registers a command about a state file with `--file`, `--json` and examples. */
type Describe = (name: string, description: string, examples: string[], notes?: string) => Command;

function addDecisions(describe: Describe, { place, output }: CliContext): void {
  const load = () => import('./state-decision.command.ts');
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

function addGates(describe: Describe, { place, output }: CliContext): void {
  const load = () => import('./state-gate.command.ts');
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

function addDefects(describe: Describe, { place, output }: CliContext): void {
  const load = () => import('./state-defect.command.ts');
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

function addFiles(describe: Describe, { place, output }: CliContext): void {
  const load = () => import('./state-entries.command.ts');
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

function addStateEntryCommands(
  state: Command,
  describeIn: (parent: Command) => Describe,
  door: CliContext,
): void {
  const group = (name: string, description: string): Describe =>
    describeIn(state.command(name).description(description));
  addDecisions(group('decision', 'decisions that affect later phases'), door);
  addGates(group('gate', 'quality gates: iterations, scores, results'), door);
  addDefects(group('defect', 'open defects, and patterns of them'), door);
  group('agent', 'what agents did')('done <name> <summary>', 'an agent is done; one line says what it did', [
    'agent done audit-executor "PASS. All 25 dependencies are compatible."',
  ]).action(async (name: string, summary: string, options: StateOptions) =>
    (await import('./state-entries.command.ts')).agentDoneCommand(
      await door.place(),
      name,
      summary,
      options,
      door.output,
    ),
  );
  addFiles(group('file', 'files that the next one reads first'), door);
}

const WHICH = `Which file: --file, else the setting orchestration.path, else the nearest ORCHESTRATION.yaml from here up to the
root, else the only active one in projects/*/. Every change keeps comments and all other lines, and stamps updated_at.`;

/** Registers the commands; each handler is loaded when it is called, because the parser that it needs is slow to load. */
export function addStateCommands(root: Command, door: CliContext): void {
  const { place, json, output } = door;
  const state = root
    .command('state')
    .description('the resumption section of ORCHESTRATION.yaml: where the work stands, for whoever goes on')
    .addHelpText(
      'after',
      `\n${WHICH}\n\nExamples:\n  plimsoll state show\n  plimsoll state phase 2 --name "Core changes" --next "Run the first agent"\n  plimsoll state decision add "Keep the old field" --phase 3`,
    );
  const describeIn =
    (parent: Command): Describe =>
    (name, description, examples, notes) =>
      parent
        .command(name)
        .description(description)
        .option('--file <path>', 'the ORCHESTRATION.yaml that is meant, or its folder')
        .addOption(json())
        .addHelpText(
          'after',
          `${notes === undefined ? '' : `\n${notes}\n`}${examplesOf(examples.map((each) => `state ${each}`))}`,
        );
  const describe = describeIn(state);

  describe(
    'init',
    'add a resumption section (version 2) to the file, or create the file',
    ['init', 'init --name "Licence change" --project PROJ-001'],
    'A file that is there keeps every line; comments in the section explain how it is kept up to date.',
  )
    .option('--workflow <id>', 'id of a new workflow; made of its name and the day unless given')
    .option('--name <name>', 'name of a new workflow; its folder unless given')
    .option('--project <id>', 'project of a new workflow')
    .action(async (options: StateInitOptions) =>
      (await import('./state-init.command.ts')).stateInit(await place(), options, output),
    );
  describe('upgrade', 'add to a section what version 2 asks for; nothing that it holds is lost', [
    'upgrade',
    'upgrade --file projects/PROJ-001/ORCHESTRATION.yaml',
  ]).action(async (options: StateOptions) =>
    (await import('./state-init.command.ts')).stateUpgrade(await place(), options, output),
  );
  describe('show', 'workflow, phase, gates, defects, decisions, agents, files and next step on one page', [
    'show',
    'show --json',
  ]).action(async (options: StateOptions) =>
    (await import('./state-show.command.ts')).stateShow(await place(), options, output),
  );
  describe(
    'validate',
    'check the file: where, what was expected, how to put it right; exit code 1 when there is a problem',
    ['validate', 'validate --file ORCHESTRATION.yaml --json'],
    'A problem is something that is misread or not read; a note is read well, but not written as specified.',
  ).action(async (options: StateOptions) =>
    (await import('./state-validate.command.ts')).stateValidate(await place(), options, output),
  );
  describe(
    'phase <n>',
    'a phase begins',
    [
      'phase 3 --name "Source file headers"',
      'phase 4 --activity phase-4-agent-execution --next "Run the verifier"',
    ],
    'Without --name the name is taken from the phases of the file, where it is there once.',
  )
    .option('--name <name>', 'name of the phase')
    .option('--activity <text>', 'what is done now')
    .option('--next <text>', 'what comes next')
    .action(async (phase: string, options: PhaseOptions) =>
      (await import('./state-recovery.command.ts')).statePhase(await place(), phase, options, output),
    );
  describe(
    'activity <text>',
    'what is done now',
    ['activity phase-3-agent-execution', 'activity compaction-recovery'],
    'Usual: phase-N-agent-execution, GATE-iteration-M, GATE-iteration-M-revision, compaction-recovery, idle.',
  ).action(async (text: string, options: StateOptions) =>
    (await import('./state-recovery.command.ts')).stateActivity(await place(), text, options, output),
  );
  describe('status <word>', 'status of the workflow: ACTIVE, PAUSED, COMPLETE or FAILED', [
    'status PAUSED',
  ]).action(async (word: string, options: StateOptions) =>
    (await import('./state-recovery.command.ts')).stateStatus(await place(), word, options, output),
  );
  describe('next <text>', 'the next step, for whoever goes on', [
    'next "Execute header-applicator for EN-932"',
  ]).action(async (text: string, options: StateOptions) =>
    (await import('./state-recovery.command.ts')).stateNext(await place(), text, options, output),
  );
  addStateEntryCommands(state, describeIn, door);
  describe(
    'merge <id>',
    'take over what a checkpoint knows and the section does not',
    ['merge cx-003', 'merge 3 --json'],
    'A compaction that is not listed is listed and counted; the checkpoint and its context usage are taken when they are\nnewer than updated_at. Doing it twice changes nothing.',
  ).action(async (id: string, options: StateOptions) =>
    (await import('./state-merge.command.ts')).stateMerge(await place(), id, options, output),
  );
  describe(
    'link',
    'the row "Last Orchestration" in the summary of WORKTRACKER.md points to the file',
    ['link', 'link --worktracker projects/PROJ-001/WORKTRACKER.md'],
    'The WORKTRACKER.md: the one named, else the nearest beside the file or above it.',
  )
    .option('--worktracker <path>', 'the WORKTRACKER.md')
    .action(async (options: LinkOptions) =>
      (await import('./state-link.command.ts')).stateLink(await place(), options, output),
    );
}
