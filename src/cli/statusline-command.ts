// Registers `plimsoll statusline`, which prints the status line from the command line.
import type { Command } from 'commander';
import { UserError } from './output.ts';

export function addStatusLineCommand(root: Command): void {
  root
    .command('statusline')
    .description("one line for Claude Code's status line, from the JSON that it gives on stdin")
    .option('--wrap <command>', 'another status line, run with the same input and shown above')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  plimsoll init --statusline                puts it into the settings, around the one that is there\n  plimsoll statusline --wrap 'my-line.sh'   for settings that you write yourself\n\nThe line is made of the parts that the setting statusline.format names.`,
    )
    .action(async (options: { wrap?: string; json?: boolean }) => {
      if (process.stdin.isTTY) {
        throw new UserError('Claude Code starts this, and gives it JSON on stdin', {
          hint: 'plimsoll init --statusline puts it there; plimsoll status shows the figures here',
          code: 2,
        });
      }
      await (await import('./statusline-run.ts')).runStatusLine(options, { env: process.env, now: Date.now });
    });
}
