// Registers the commands `plimsoll state …` about ORCHESTRATION.yaml with their options and help.
import type { Command } from 'commander';
import { type Door, examplesOf } from './door.ts';
import { addStateEntryCommands, type Describe } from './state-entry-commands.ts';
import type { StateOptions } from './state-file.ts';
import type { StateInitOptions } from './state-init.ts';
import type { LinkOptions } from './state-link.ts';
import type { PhaseOptions } from './state-recovery.ts';

const WHICH = `Which file: --file, else the setting orchestration.path, else the nearest ORCHESTRATION.yaml from here up to the
root, else the only active one in projects/*/. Every change keeps comments and all other lines, and stamps updated_at.`;

/** Registers the commands; each handler is loaded when it is called, because the parser that it needs is slow to load. */
export function addStateCommands(root: Command, door: Door): void {
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
      (await import('./state-init.ts')).stateInit(await place(), options, output),
    );
  describe('upgrade', 'add to a section what version 2 asks for; nothing that it holds is lost', [
    'upgrade',
    'upgrade --file projects/PROJ-001/ORCHESTRATION.yaml',
  ]).action(async (options: StateOptions) =>
    (await import('./state-init.ts')).stateUpgrade(await place(), options, output),
  );
  describe('show', 'workflow, phase, gates, defects, decisions, agents, files and next step on one page', [
    'show',
    'show --json',
  ]).action(async (options: StateOptions) =>
    (await import('./state-show.ts')).stateShow(await place(), options, output),
  );
  describe(
    'validate',
    'check the file: where, what was expected, how to put it right; exit code 1 when there is a problem',
    ['validate', 'validate --file ORCHESTRATION.yaml --json'],
    'A problem is something that is misread or not read; a note is read well, but not written as specified.',
  ).action(async (options: StateOptions) =>
    (await import('./state-validate.ts')).stateValidate(await place(), options, output),
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
      (await import('./state-recovery.ts')).statePhase(await place(), phase, options, output),
    );
  describe(
    'activity <text>',
    'what is done now',
    ['activity phase-3-agent-execution', 'activity compaction-recovery'],
    'Usual: phase-N-agent-execution, GATE-iteration-M, GATE-iteration-M-revision, compaction-recovery, idle.',
  ).action(async (text: string, options: StateOptions) =>
    (await import('./state-recovery.ts')).stateActivity(await place(), text, options, output),
  );
  describe('status <word>', 'status of the workflow: ACTIVE, PAUSED, COMPLETE or FAILED', [
    'status PAUSED',
  ]).action(async (word: string, options: StateOptions) =>
    (await import('./state-recovery.ts')).stateStatus(await place(), word, options, output),
  );
  describe('next <text>', 'the next step, for whoever goes on', [
    'next "Execute header-applicator for EN-932"',
  ]).action(async (text: string, options: StateOptions) =>
    (await import('./state-recovery.ts')).stateNext(await place(), text, options, output),
  );
  addStateEntryCommands(state, describeIn, door);
  describe(
    'merge <id>',
    'take over what a checkpoint knows and the section does not',
    ['merge cx-003', 'merge 3 --json'],
    'A compaction that is not listed is listed and counted; the checkpoint and its fill are taken when they are\nnewer than updated_at. Doing it twice changes nothing.',
  ).action(async (id: string, options: StateOptions) =>
    (await import('./state-merge.ts')).stateMerge(await place(), id, options, output),
  );
  describe(
    'link',
    'the row "Last Orchestration" in the summary of WORKTRACKER.md points to the file',
    ['link', 'link --worktracker projects/PROJ-001/WORKTRACKER.md'],
    'The WORKTRACKER.md: the one named, else the nearest beside the file or above it.',
  )
    .option('--worktracker <path>', 'the WORKTRACKER.md')
    .action(async (options: LinkOptions) =>
      (await import('./state-link.ts')).stateLink(await place(), options, output),
    );
}
