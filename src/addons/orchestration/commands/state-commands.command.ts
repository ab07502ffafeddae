// Registers the commands `plimsoll state …` about ORCHESTRATION.yaml, and what a workflow adds to `plimsoll init`.
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type CliContext, collect, formatExamples } from '../../../cli/context.ts';
import { type Output, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { readInstructions } from '../../../hosts/claude-code/install/files.io.ts';
import type { InitOptions } from '../../../install/init-plan.io.ts';
import { checkInProject, mkdirInProject } from '../../../platform/in-project.ts';
import { exists } from '../../../platform/look.ts';
import { createFile } from '../../../platform/write.ts';
import { hasOrchestration } from '../find-workflow.io.ts';
import type { StateOptions } from './find-state.io.ts';
import { GATE_VERBS } from './gate-verbs.command.ts';
import type { Verb } from './verb.io.ts';
import { ENTRY_VERBS, RECOVERY_VERBS } from './verbs.command.ts';

/** A command as it is registered; what it runs is loaded when it is called, because the parser is slow to load. */
interface Row extends Pick<Verb, 'call' | 'help' | 'examples' | 'notes' | 'options'> {
  run: (place: ProjectContext, args: string[], options: StateOptions, output: Output) => Promise<void>;
}

const change = (each: Verb): Row => ({
  ...each,
  run: async (place, args, options, output) =>
    (await import('./find-state.io.ts')).runVerb(place, each, args, options, output),
});

const ROWS: readonly Row[] = [
  {
    call: 'init',
    help: 'add a resumption section (version 2) to the file, or create the file',
    examples: ['init', 'init --name "Licence change" --project PROJ-001'],
    notes:
      'A file that is there keeps every line; comments in the section explain how it is kept up to date.',
    options: {
      workflow: ['--workflow <id>', 'id of a new workflow; made of its name and the day unless given'],
      name: ['--name <name>', 'name of a new workflow; its folder unless given'],
      project: ['--project <id>', 'project of a new workflow'],
    },
    run: async (place, _, options, output) =>
      (await import('./state-init.command.ts')).stateInit(place, options, output),
  },
  {
    call: 'upgrade',
    help: 'add to a section what version 2 asks for; nothing that it holds is lost',
    examples: ['upgrade', 'upgrade --file projects/PROJ-001/ORCHESTRATION.yaml'],
    run: async (place, _, options, output) =>
      (await import('./state-init.command.ts')).stateUpgrade(place, options, output),
  },
  {
    call: 'show',
    help: 'workflow, phase, gates, defects, decisions, agents, files and next step on one page',
    examples: ['show', 'show --json'],
    run: async (place, _, options, output) =>
      (await import('./state-show.command.ts')).stateShow(place, options, output),
  },
  {
    call: 'validate',
    help: 'check the file: where, what was expected, how to put it right; exit code 1 when there is a problem',
    examples: ['validate', 'validate --file ORCHESTRATION.yaml --json'],
    notes:
      'A problem is something that is misread or not read; a note is read well, but not written as specified.',
    run: async (place, _, options, output) =>
      (await import('./state-show.command.ts')).stateValidate(place, options, output),
  },
  ...RECOVERY_VERBS.map(change),
  ...ENTRY_VERBS.slice(0, 2).map(change),
  {
    call: 'decision list',
    help: 'all decisions, applied and pending',
    examples: ['decision list --json'],
    run: async (place, _, options, output) =>
      (await import('./state-show.command.ts')).listStateDecisions(place, options, output),
  },
  ...[...GATE_VERBS, ...ENTRY_VERBS.slice(2)].map(change),
  {
    call: 'merge <id>',
    help: 'take over what a checkpoint knows and the section does not',
    examples: ['merge cx-003', 'merge 3 --json'],
    notes:
      'A compaction that is not listed is listed and counted; the checkpoint and its context usage are taken when they are\nnewer than updated_at. Doing it twice changes nothing.',
    run: async (place, [id = ''], options, output) =>
      (await import('./state-init.command.ts')).stateMerge(place, id, options, output),
  },
  {
    call: 'link',
    help: 'the row "Last Orchestration" in the summary of WORKTRACKER.md points to the file',
    examples: ['link', 'link --worktracker projects/PROJ-001/WORKTRACKER.md'],
    notes: 'The WORKTRACKER.md: the one named, else the nearest beside the file or above it.',
    options: { worktracker: ['--worktracker <path>', 'the WORKTRACKER.md'] },
    run: async (place, _, options, output) =>
      (await import('./state-link.command.ts')).stateLink(place, options, output),
  },
];

const GROUPS: Record<string, string> = {
  decision: 'decisions that affect later phases',
  gate: 'quality gates: iterations, scores, results',
  defect: 'open defects, and patterns of them',
  agent: 'what agents did',
  file: 'files that the next one reads first',
};

const WHICH = `Which file: --file, else the setting orchestration.path, else the nearest ORCHESTRATION.yaml from here up to the
root, else the only active one in projects/*/. Every change keeps comments and all other lines, and stamps updated_at.`;

interface InitWorkflowOptions extends InitOptions {
  workflow?: boolean;
  tracks?: boolean;
}

/** Files that are not there yet, and those that are and stay as they are. */
interface Plan {
  root: string;
  created: [path: string, text: string][];
  kept: string[];
}

function planFiles(root: string, dist: string): Plan {
  const files = readInstructions(dist);
  const isThere = ([path]: [string, string]): boolean => exists(join(root, path));
  return {
    root,
    created: files.filter((each) => !isThere(each)),
    kept: files.filter(isThere).map(([path]) => path),
  };
}

/** Creates the files; the folders belong to the project, so others may read them. */
function writeFiles({ root, created }: Plan): void {
  for (const [path] of created) checkInProject(root, path);
  for (const [path, text] of created)
    createFile(join(mkdirInProject(root, dirname(path)), basename(path)), text, { mode: 0o644 });
}

const WHAT =
  'the skill and the rule by which agents keep the resumption section of ORCHESTRATION.yaml current';

/** Whether a project has a workflow, and lacks what tells agents how it is kept. */
const isOffered = ({ root, cwd, resolved }: ProjectContext, { created }: Plan): boolean =>
  created.length > 0 && hasOrchestration({ root, cwd, configured: resolved.settings['orchestration.path'] });

function words({ created, kept }: Plan, tense: 'would' | 'will'): string {
  const head = `${tense === 'would' ? 'Would create' : 'Created'}, to be committed; plimsoll uninstall leaves them:`;
  return [
    ...(created.length === 0 ? [] : [head]),
    ...created.map(([path]) => `  ${path}`),
    ...kept.map((path) => `  ${path} is there, and stays as it is`),
  ].join('\n');
}

/** Adds the files on request, or where the person agrees, and runs init; else says how they are added. */
async function initWorkflow(
  place: ProjectContext,
  plan: Plan,
  options: InitWorkflowOptions,
  { ask, output, dist }: Pick<CliContext, 'ask' | 'output' | 'dist'>,
): Promise<void> {
  const isQuiet = options.yes || options.dryRun || options.json || !output.isInteractive();
  const isWanted = options.workflow === true || (!isQuiet && (await ask(`Add ${WHAT}?`)));
  const isWritten = isWanted && !options.dryRun;
  if (isWritten) writeFiles(plan);
  if (isWanted && !options.json) output.print(words(plan, options.dryRun ? 'would' : 'will'));
  const data = {
    changed: isWritten && plan.created.length > 0,
    created: plan.created.map(([path]) => path),
    kept: plan.kept,
  };
  const joined: Output =
    options.json && isWanted
      ? {
          ...output,
          print: (text) => output.print(toJson({ ...(JSON.parse(text) as object), workflow: data })),
        }
      : output;
  const { init } = await import('../../../install/init.command.ts');
  await init(place, options, joined, ask, dist);
  if (!isWanted && !options.json)
    output.print(`"plimsoll init --workflow" adds ${WHAT}, and a reminder of it at every prompt.`);
}

/** Adds `--workflow` to `plimsoll init`, and the offer where a workflow is. */
function addInitWorkflow(root: Command, cli: CliContext): void {
  root.commands
    .find((each) => each.name() === 'init')
    ?.option('--workflow', `add ${WHAT}, with a reminder at every prompt`)
    .addHelpText('after', '  plimsoll init --workflow');
  cli.initActions.push(async (options: InitWorkflowOptions) => {
    const place = await cli.place();
    if (place.root === null || (options.scope === 'user' && !options.workflow)) return false;
    const plan = planFiles(place.root, cli.dist);
    if (options.workflow !== true && !isOffered(place, plan)) return false;
    // Another add-on runs init in its own way: only what was asked for is done.
    if (options.tracks) {
      if (options.workflow && !options.dryRun) writeFiles(plan);
      return false;
    }
    await initWorkflow(place, plan, options, cli);
    return true;
  });
}

/** Registers the commands. */
export function addStateCommands(root: Command, cli: CliContext): void {
  const { place, json, output } = cli;
  addInitWorkflow(root, cli);
  const state = root
    .command('state')
    .description('the resumption section of ORCHESTRATION.yaml: where the work stands, for whoever goes on')
    .addHelpText(
      'after',
      `\n${WHICH}\n\nExamples:\n  plimsoll state show\n  plimsoll state phase 2 --name "Core changes" --next "Run the first agent"\n  plimsoll state decision add "Keep the old field" --phase 3`,
    );
  const groupOf = (name: string): Command =>
    state.commands.find((each) => each.name() === name) ??
    state.command(name).description(GROUPS[name] ?? '');
  for (const { call, help, examples, notes, options = {}, run } of ROWS) {
    const [first = '', ...rest] = call.split(' ');
    const isGrouped = Object.hasOwn(GROUPS, first);
    const command = (isGrouped ? groupOf(first) : state)
      .command(isGrouped ? rest.join(' ') : call)
      .description(help)
      .option('--file <path>', 'the ORCHESTRATION.yaml that is meant, or its folder')
      .addOption(json())
      .addHelpText(
        'after',
        `${notes === undefined ? '' : `\n${notes}\n`}${formatExamples(examples.map((each) => `state ${each}`))}`,
      );
    for (const [flags, meaning, , isMany] of Object.values(options))
      if (isMany) command.option(flags, meaning, collect);
      else command.option(flags, meaning);
    // Commander gives the words of the call, then the options, then the command itself.
    command.action(async (...given: unknown[]) =>
      run(await place(), given.slice(0, -2) as string[], given.at(-2) as StateOptions, output),
    );
  }
}
