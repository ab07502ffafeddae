// Registers the commands `plimsoll thresholds`, `delete` and `export` with their options and help.
import type { Command } from 'commander';
import type { DeleteOptions } from './delete.ts';
import type { Door } from './door.ts';
import type { ExportOptions } from './export.ts';
import type { ThresholdsOptions } from './thresholds.ts';

export function addSightCommands(root: Command, { place, json, output, ask, dist }: Door): void {
  root
    .command('thresholds')
    .description('at how many tokens each tier begins, who says so, and how far away it is')
    .option('--session <id>', 'a conversation; without it the newest of this folder')
    .option('--transcript <file>', 'a transcript file')
    .option('--window <tokens>', 'try another window')
    .option('--criticality <level>', 'try another preset: C1, C2, C3 or C4')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll thresholds\n  plimsoll thresholds --window 1000000 --criticality C3',
    )
    .action(async (options: ThresholdsOptions) =>
      (await import('./thresholds.ts')).thresholds(await place(), options, output),
    );
  root
    .command('delete')
    .description('remove for good what is kept of conversations: one, old ones, or all')
    .option('--session <id>', 'one conversation')
    .option('--before <time>', 'those that were silent since: a date, or an age such as 30d or 12h')
    .option('--all', 'all of this project, and the log of failures')
    .option('--force', 'also one that is under way; only with --session')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show what would go')
    .addOption(json())
    .addHelpText(
      'after',
      "\nCheckpoints, states, events and feeds go; settings, rules and the client's own transcripts stay. A conversation\nthat is under way stays, unless it is named and --force is given.\n\nExamples:\n  plimsoll delete --before 30d --dry-run\n  plimsoll delete --session 0f6e3a52-1111-4222-8333-444455556666\n  plimsoll delete --all --yes",
    )
    .action(async (options: DeleteOptions) =>
      (await import('./delete.ts')).deleteKept(await place(), options, output, ask),
    );
  root
    .command('export')
    .description(
      'one file for a report of a fault: versions, settings, what happened; without what people wrote',
    )
    .option('--session <id>', 'a conversation; without it the one that this command runs in, else the newest')
    .option('--output <file>', 'where to write it; - prints it')
    .option('--with-text', 'with the words of requests, answers, tasks and commands')
    .addOption(json())
    .addHelpText(
      'after',
      '\nSecrets are redacted, the home folder and your name become ~. Read the file before you send it.\n\nExamples:\n  plimsoll export\n  plimsoll export --output report.json\n  plimsoll export --output - | less',
    )
    .action(async (options: ExportOptions) =>
      (await import('./export.ts')).exportCommand(await place(), options, output, dist),
    );
}
