// Registers `plimsoll probe`, which measures what was needed after compactions and how much of it the agent was told.
import type { Command } from 'commander';
import { type Door, examplesOf } from './door.ts';
import type { ProbeOptions } from './probe.ts';

export function addProbeCommand(root: Command, { place, json, output, dist }: Door): void {
  root
    .command('probe [path...]')
    .description('measure what was needed after each compaction, and how much of it the agent was told')
    .option('--csv', 'one line for each compaction and kind of fact')
    .option('--checks <number>', 'checks in the text that shows what is within reach; 5 unless given')
    .addOption(json())
    .addHelpText(
      'after',
      `
A path is a transcript (.jsonl, .jsonl.gz) or a folder of them; without one, the newest conversation of this folder.
The hooks run once more on each compaction, in a folder made for it; no model is asked, nothing of yours is changed.
The same input gives the same bytes.
${examplesOf(['probe', 'probe ~/.claude/projects/-home-me-app', 'probe transcripts/ --json', 'probe a.jsonl --csv'])}`,
    )
    .action(async (paths: string[], options: ProbeOptions) =>
      (await import('./probe.ts')).probe(await place(), paths, options, output, dist),
    );
}
