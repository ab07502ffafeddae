// Registers `plimsoll recall`, which searches what was said in a thread of work.
import type { Command } from 'commander';
import { type Door, examplesOf } from './door.ts';
import type { RecallOptions } from './recall.ts';

export function addRecallCommand(root: Command, { place, json, output }: Door): void {
  root
    .command('recall <words...>')
    .description(
      'search what was said in this work: by the user, in commands, outputs and answers, compacted or not',
    )
    .option(
      '--session <id>',
      'the work that this session belongs to; without it the one that this command runs in, else the newest here',
    )
    .option('--limit <number>', 'so many findings at the most; 10 unless given')
    .addOption(json())
    .addHelpText(
      'after',
      `
Reads the transcripts of the session and of those that it carried on. What holds all the words comes before what holds some,
whole words before parts of words, the newest first. Secrets are redacted.
${examplesOf(['recall port', 'recall never commit --limit 3', 'recall 端口 --json'])}`,
    )
    .action(async (words: string[], options: RecallOptions) =>
      (await import('./recall.ts')).recall(await place(), words, options, output),
    );
}
