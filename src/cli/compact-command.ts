// Registers the command `plimsoll compact`, which compacts a track.
import type { Command } from 'commander';
import type { CompactOptions } from './compact.ts';
import type { Door } from './door.ts';

const ABOUT = `What was noted in the work logs and in the track's files goes where it belongs, between marks of its own: tasks into
PLAN.md, risks into RISKS.md, decisions into DECISIONS.md, invariants as proposals into docs/context/INVARIANTS.md. Each
entry names the file and the line that it comes from. No other byte is changed. An entry that is not as it should be refuses
everything: exit code 1, every place with what was found and what is expected.`;

export function addCompactCommand(root: Command, { place, json, output }: Door): void {
  root
    .command('compact')
    .description("bring a track's plan, risks and decisions up to date with what was noted")
    .option('--track <id>', 'a track; without it the one that is worked on')
    .option('--session <id>', 'the conversation whose transient files are referred to')
    .option('--dry-run', 'show the change only')
    .addOption(json())
    .addHelpText(
      'after',
      `\n${ABOUT}\n\nExamples:\n  plimsoll compact --dry-run\n  plimsoll compact\n  plimsoll compact --track cache --json`,
    )
    .action(async (options: CompactOptions) =>
      (await import('./compact.ts')).compactCommand(place(), options, output),
    );
}
