// Registers `plimsoll report` with its options and help.

import { type Command, Option } from 'commander';
import { type CliContext, formatExamples } from '../cli/context.ts';
import type { ReportOptions } from './report.command.ts';

export function addReportCommand(root: Command, { place, output, dist }: CliContext): void {
  root
    .command('report [session...]')
    .description(
      'one page to look at: usage over time, warnings, compactions, what was told and what was missing',
    )
    .option('-o, --output <file>', 'where to write it; - prints it')
    .option('--open', 'open it')
    .option('--svg', 'the chart of one session alone, as SVG')
    .option('--png', 'a picture of the page, drawn by a Chromium, Chrome or Edge that is installed')
    .option('--all', 'an overview of the sessions of all projects')
    .option(
      '--retention',
      'in an overview, too, what was needed after each compaction, and what of it was told',
    )
    .addOption(
      new Option('--watch', 'serve it on 127.0.0.1 and renew it while sessions run').conflicts([
        'output',
        'svg',
        'png',
      ]),
    )
    .option('--port <number>', 'with --watch: the port; any free one unless given')
    .addHelpText(
      'after',
      `
Name a transcript (.jsonl), a session by its id or the beginning of it, or a folder: several make an overview with links to each.
Without a name the newest session of this project is shown; with --watch all of them. The page is one file: it loads nothing,
runs nothing, and shows the same to everybody. The hooks run once more on each compaction, in a folder made for it.
${formatExamples(['report', 'report --open', 'report 0f6e3a52 -o session.html', 'report ~/transcripts', 'report --all --retention', 'report a.jsonl --svg', 'report --watch'])}`,
    )
    .action(async (named: string[], options: ReportOptions) => {
      if (options.watch)
        await (await import('./watch-report.command.ts')).watchReport(place, named, options, output, dist);
      else await (await import('./report.command.ts')).report(await place(), named, options, output, dist);
    });
}
