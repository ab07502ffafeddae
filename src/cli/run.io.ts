// The command line: registers all commands, runs one call, and returns its exit code.
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import type { Addon } from '../addons/addon.ts';
import {
  addCheckpointCommands,
  addNoteCommand,
} from '../compaction/checkpoint/checkpoint-commands.command.ts';
import type { DoctorOptions } from '../doctor/doctor.command.ts';
import type { HandoffOptions } from '../handoff/handoff.command.ts';
import type { InsideOptions } from '../install/init-inside.command.ts';
import type { InitOptions } from '../install/init-plan.io.ts';
import type { UninstallOptions } from '../install/uninstall.command.ts';
import type { Env } from '../platform/project/paths.ts';
import { addReportCommand } from '../report/report-commands.command.ts';
import {
  addCalibrateCommand,
  addInspectCommands,
  addProbeCommand,
  addRecallCommand,
  addReplayCommand,
  addSessionCommands,
  addStatusLineCommand,
} from '../sessions/commands/inspect-commands.command.ts';
import type { AbandonOptions } from '../sessions/commands/session.command.ts';
import type { StatusOptions } from '../sessions/commands/status.command.ts';
import { addConfigCommands } from '../settings/commands/config-commands.command.ts';
import { VERSION } from '../version.ts';
import { type CliContext, formatExamples } from './context.ts';
import { escapeControls, type Output, reportError } from './output.io.ts';
import { buildRefusal } from './refused-call.ts';
import type { SwitchOptions } from './switch.command.ts';

/** What a thread of `plimsoll replay` runs. */
export const serveReplays = async (): Promise<void> =>
  (await import('../replay/replay-files.io.ts')).replayOnThread();

/** What a call of the command line reads and writes, besides files. */
export interface CliIo {
  /** Throws where the folder is gone. */
  cwd: () => string;
  env: Env;
  /** Milliseconds since the epoch. */
  now: () => number;
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Whether a person can be asked. */
  isInteractive: () => boolean;
}

/** What a call reads besides, of this very installation. */
interface Installed {
  /** The folder of the bundles. */
  dist: string;
}

async function ask(question: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question });
  return !isCancel(answer) && answer;
}

async function askText(question: string, suggested: string): Promise<string | null> {
  const { isCancel, text } = await import('@clack/prompts');
  const answer = await text({ message: question, initialValue: suggested });
  return isCancel(answer) ? null : (answer ?? '');
}

const json = (): Option => new Option('--json', 'print JSON');
const scope = (): Option =>
  new Option(
    '--scope <scope>',
    "whose settings: yours in this project (the default), the team's, or yours everywhere",
  ).choices(['local', 'project', 'user']);

const host = (): Option =>
  new Option('--host <name>', 'another host than Claude Code, by its name in docs/hosts.md');

/** Loads what add-ons have of a kind. */
const loadAll = async <T>(load: (addon: Addon) => Promise<T> | undefined): Promise<T[]> =>
  (await import('../addons/addon.ts')).loadAll(load);

/** Commands that add-ons add to. */
const EXTENDED = ['init', 'note'];

/** @param called the first word of the call: add-ons register their commands unless it is one of ours alone */
async function buildProgram(cli: CliContext, called: string): Promise<Command> {
  const { place, output, dist } = cli;
  const root = new Command('plimsoll')
    .description('Keeps a coding agent oriented when its context window fills up.')
    .version(VERSION)
    // An option belongs to the command that it follows, even where the parent command has one of that name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      // A refused call is reported by `reportError`, as all that does not work.
      writeErr: () => undefined,
    })
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll init                 protect this project\n  plimsoll status               the newest session of this folder\n  plimsoll doctor               whether everything works here\n  plimsoll checkpoint show 3    what was true at checkpoint cx-003\n\nExit codes: 0 done, 1 it did not work, 2 the call was not understood.',
    );
  root
    .command('init')
    .description("add the hooks to Claude Code's settings, or bring those of an earlier version up to date")
    .addOption(scope())
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show the change only')
    .option(
      '--quality',
      'create .plimsoll/quality.md: the quality rules that every session is told at its start',
    )
    .addOption(host())
    .option('--client-version <version>', 'version of Claude Code, when claude is not on PATH')
    .option('--statusline', 'show the context usage in the status line too, below the one that is there')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll init\n  plimsoll init --yes --scope user\n  plimsoll init --dry-run\n  plimsoll init --quality\n  plimsoll init --statusline\n  plimsoll init --host pi',
    )
    .action(async (options: InitOptions & InsideOptions) => {
      for (const act of cli.initActions) if (await act(options)) return;
      const { findInsideHost, initInside, offerOthers } = await import('../install/init-inside.command.ts');
      const inside = findInsideHost(options.host);
      if (inside !== null) return initInside(await place(), inside, options, output, ask, dist);
      await (await import('../install/init.command.ts')).init(await place(), options, output, ask, dist);
      await offerOthers(await place(), options, output, ask, dist);
    });
  root
    .command('uninstall')
    .description('take the hooks out again; every other setting stays')
    .addOption(scope())
    .addOption(host())
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show the change only')
    .addOption(json())
    .addHelpText('after', '\nExamples:\n  plimsoll uninstall --yes\n  plimsoll uninstall --host pi')
    .action(async (options: UninstallOptions & InsideOptions) => {
      const { findInsideHost, uninstallInside } = await import('../install/init-inside.command.ts');
      const inside = findInsideHost(options.host);
      if (inside !== null) return uninstallInside(await place(), inside, options, output, ask);
      await (await import('../install/uninstall.command.ts')).uninstall(await place(), options, output, ask);
    });
  for (const on of [false, true]) {
    root
      .command(on ? 'on' : 'off')
      .description(on ? 'let it speak again' : 'silence everything at once, until "on"')
      .option('--session [id]', 'one session only; without id the one that this command runs in')
      .addOption(json())
      .addHelpText(
        'after',
        `\nExamples:\n  plimsoll ${on ? 'on' : 'off'}\n  plimsoll ${on ? 'on' : 'off'} --session`,
      )
      .action(async (options: SwitchOptions) =>
        (await import('./switch.command.ts')).switchTo(on, await place(), options, output),
      );
  }
  root
    .command('status')
    .description('context usage, window, auto-compact threshold and tier of a session; needs no install')
    .option('--transcript <file>', 'a transcript file')
    .option('--session <id>', 'a session')
    .option('--watch', 'print it again when it changes, until Ctrl-C')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll status\n  plimsoll status --transcript session.jsonl --json\n  plimsoll status --watch',
    )
    .action(async (options: StatusOptions & { watch?: boolean }) =>
      options.watch
        ? (await import('../sessions/commands/status.command.ts')).watchStatus(
            place,
            options,
            output,
            await cli.loadStatusSections(),
          )
        : (await import('../sessions/commands/status.command.ts')).status(
            await place(),
            options,
            output,
            await cli.loadStatusSections(),
          ),
    );
  root
    .command('doctor')
    .description(
      'whether everything works here, and what to do where it does not; changes nothing unless asked',
    )
    .option('--session <id>', 'a session; without it the newest of this folder')
    .option('--all', 'what is in order as well')
    .option('--fix', 'fix what needs no decision: hooks as init writes them, the bundle, stale files')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll doctor\n  plimsoll doctor --all\n  plimsoll doctor --fix\n  plimsoll doctor --json\n\nExit code 1: there is an error.',
    )
    .action(async (options: DoctorOptions) => {
      if (!(await (await import('../doctor/doctor.command.ts')).doctor(await place(), options, output, dist)))
        cli.failed();
    });
  root
    .command('handoff [id]')
    .alias('resume')
    .description('what the last session left, as the next one is told it; or what a checkpoint holds')
    .option('--preview', 'what the next session would be told, and why')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll handoff            paste it into a new session\n  plimsoll handoff cx-003\n  plimsoll handoff --preview\n  plimsoll handoff dismiss    nobody is told of it again',
    )
    .action(async (id: string | undefined, options: HandoffOptions) =>
      (await import('../handoff/handoff.command.ts')).showHandoff(await place(), id, options, output),
    )
    .command('dismiss')
    .description('drop what the last session left: nobody is told of it again')
    .option('--reason <text>', 'why')
    .addOption(json())
    .addHelpText('after', formatExamples(['handoff dismiss', 'handoff dismiss --reason "tried elsewhere"']))
    .action(async (options: AbandonOptions) =>
      (await import('../handoff/handoff.command.ts')).dismissHandoff(await place(), options, output),
    );
  for (const add of [
    addInspectCommands,
    addProbeCommand,
    addReplayCommand,
    addCalibrateCommand,
    addReportCommand,
    addRecallCommand,
    addStatusLineCommand,
    addCheckpointCommands,
    addNoteCommand,
    addSessionCommands,
    addConfigCommands,
  ])
    add(root, cli);
  const own = root.commands.find((each) => each.name() === called || each.aliases().includes(called));
  if (own === undefined || EXTENDED.includes(called))
    for (const add of await loadAll((addon) => addon.loadCommands?.())) add(root, cli);
  return root;
}

/**
 * Runs one call of the command line. Returns the exit code: 0 done, 1 failed, 2 the call was not understood.
 * @param argv the words after `plimsoll`
 */
export async function run(argv: readonly string[], io: CliIo & Installed): Promise<number> {
  const output: Output = {
    print: (text) => io.stdout(`${escapeControls(text)}\n`),
    warn: (text) => io.stderr(`${escapeControls(text)}\n`),
    isInteractive: io.isInteractive,
  };
  let code = 0;
  const root = await buildProgram(
    {
      place: async () => {
        const { readProjectContext, readShellEnvironment } = await import('./project.io.ts');
        return readProjectContext(io.cwd(), readShellEnvironment(io.env, io.cwd()), io.now());
      },
      output,
      ask,
      askText,
      json,
      loadChecks: async () => (await loadAll((addon) => addon.loadChecks?.())).flat(),
      loadStatusSections: () => loadAll((addon) => addon.loadStatus?.()),
      initActions: [],
      self: join(io.dist, 'cli.cjs'),
      dist: io.dist,
      failed: () => {
        code = 1;
      },
    },
    argv[0] ?? '',
  );
  const isJson = argv.includes('--json');
  try {
    await root.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, output, isJson);
    return error.exitCode === 0 ? 0 : reportError(buildRefusal(error, root, argv), output, isJson);
  }
}
