// Registers the commands about checkpoints (`plimsoll checkpoint …`, `plimsoll gc`) with their options and help.
import type { Command } from 'commander';
import { type CliContext, formatExamples, type JsonOption } from '../../cli/context.ts';
import type { GcOptions } from '../../sessions/retention/gc.command.ts';
import type { ThreadNoteOptions } from '../thread-commands.command.ts';
import type { CreateOptions } from './checkpoint-create.command.ts';
import type { AckOptions } from './checkpoint-list.command.ts';

export function addCheckpointCommands(root: Command, { place, json, output }: CliContext): void {
  const checkpoint = root
    .command('checkpoint')
    .description('what was saved before context was lost; an id is cx-003 or just 3');
  checkpoint
    .command('list')
    .description('all checkpoints of this project, oldest first')
    .addOption(json())
    .addHelpText('after', '\nExample:\n  plimsoll checkpoint list --json')
    .action(async (options: JsonOption) =>
      (await import('./checkpoint-list.command.ts')).checkpointList(await place(), options, output),
    );
  checkpoint
    .command('show [id]')
    .description('one checkpoint, the newest unless one is named; --json prints the file as it is')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll checkpoint show\n  plimsoll checkpoint show cx-003\n  plimsoll checkpoint show 3 --json',
    )
    .action(async (id: string | undefined, options: JsonOption) =>
      (await import('./checkpoint-show.command.ts')).checkpointShow(await place(), id, options, output),
    );
  checkpoint
    .command('create')
    .description('write a checkpoint now: of this session, else of the newest one of this folder')
    .option('--session <id>', 'a session')
    .option('--note <text>', 'words to keep with it')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll checkpoint create\n  plimsoll checkpoint create --note "before the big refactoring"',
    )
    .action(async (options: CreateOptions) =>
      (await import('./checkpoint-create.command.ts')).checkpointCreate(await place(), options, output),
    );
  checkpoint
    .command('diff <id> [other]')
    .description('what changed in the work between two checkpoints; the other one is the newest unless named')
    .addOption(json())
    .addHelpText(
      'after',
      '\nWithout a second id the checkpoint is compared with the newest of the same session,\nand the newest with the one before it.\n\nExamples:\n  plimsoll checkpoint diff 3\n  plimsoll checkpoint diff cx-003 cx-007 --json',
    )
    .action(async (id: string, other: string | undefined, options: JsonOption) =>
      (await import('./show-diff.command.ts')).checkpointDiff(await place(), [id, other], options, output),
    );
  checkpoint
    .command('ack [ids...]')
    .description('say that a checkpoint, and older ones of its session, are known')
    .option('--all', 'all checkpoints of this project')
    .addOption(json())
    .addHelpText('after', '\nExamples:\n  plimsoll checkpoint ack cx-007\n  plimsoll checkpoint ack --all')
    .action(async (ids: string[], options: AckOptions) =>
      (await import('./checkpoint-list.command.ts')).checkpointAck(await place(), ids, options, output),
    );
  checkpoint
    .command('verify [ids...]')
    .description('check that checkpoints are as they were written; exit code 1 when one is not')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll checkpoint verify\n  plimsoll checkpoint verify cx-003 --json',
    )
    .action(async (ids: string[], options: JsonOption) =>
      (await import('./checkpoint-list.command.ts')).checkpointVerify(await place(), ids, options, output),
    );
  root
    .command('gc')
    .description(
      'remove what is kept for nothing: old checkpoints, states and events, claims, leftovers of dead processes',
    )
    .option('--dry-run', 'say what would go, and why')
    .option('--keep <n>', 'so many of the newest checkpoints stay (setting checkpoint.keep, 50)')
    .addOption(json())
    .addHelpText(
      'after',
      '\nA checkpoint goes only when it is not among the newest, its session has ended, the agent was told of it\nor it is older than 30 days, and no active workflow names it. States of sessions, and events of sessions that are\nover, go after 90 days without a checkpoint left.\n\nExamples:\n  plimsoll gc --dry-run\n  plimsoll gc --keep 20',
    )
    .action(async (options: GcOptions) =>
      (await import('../../sessions/retention/gc.command.ts')).collectGarbage(await place(), options, output),
    );
}

export function addNoteCommand(root: Command, { place, json, output }: CliContext): void {
  root
    .command('note [text]')
    .description('note what must not be forgotten')
    .option('--session <id>', 'the session whose work it belongs to; else the one in whose shell this runs')
    .addOption(json())
    .addHelpText(
      'after',
      `\nA text alone comes back after a compaction, and in the next session. Secrets are redacted.\n${formatExamples(['note "port 4711 is taken by the old server"'])}`,
    )
    .action(async (text: string | undefined, given: ThreadNoteOptions) =>
      (await import('../thread-commands.command.ts')).noteInThread(await place(), text, given, output),
    );
}
