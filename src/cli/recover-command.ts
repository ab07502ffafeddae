// Registers `plimsoll recover`, which shows the state of a track rebuilt from its files.
import type { Command } from 'commander';
import type { Door } from './door.ts';
import type { RecoverOptions } from './recover.ts';

export function addRecoverCommand(root: Command, { place, json, output, failed }: Door): void {
  root
    .command('recover')
    .description(
      'the state of a track in five steps: core, track, checkpoint, transient files, state; with hashes',
    )
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll recover\n  plimsoll recover --track cache --json\n\nExit code 1: something that is needed is missing or damaged.',
    )
    .action(async (options: RecoverOptions) => {
      if (!(await import('./recover.ts')).recoverCommand(place(), options, output)) failed();
    });
}
