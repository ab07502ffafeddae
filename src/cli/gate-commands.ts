// Which gates are there, as commands: what must hold of tracks, proven by doing it?
import type { Command, Option } from 'commander';
import type { DeterminismOptions } from './gate-determinism.ts';
import type { GateEvaluatorOptions } from './gate-evaluator.ts';
import type { Output } from './output.ts';
import type { Place } from './place.ts';

/** What every command is given: where it stands, how it prints, and the option `--json`. */
export interface GateDoor {
  place: () => Place;
  json: () => Option;
  output: Output;
  /** Path of the command line itself, which a gate runs anew. */
  self: string;
}

export function addGateCommands(root: Command, { place, json, output, self }: GateDoor): void {
  const gate = root
    .command('gate')
    .description('what must hold of a track, proven by doing it; exit code 1 when it does not');
  gate
    .command('determinism')
    .description(
      'compact twice from the same inputs, in other folders, time zones, languages and orders of files',
    )
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      '\nThe copies lie in the temporary folder; the project is not changed.\n\nExamples:\n  plimsoll gate determinism\n  plimsoll gate determinism --track cache --json',
    )
    .action(async (options: DeterminismOptions) =>
      (await import('./gate-determinism.ts')).gateDeterminism(place(), options, output, self),
    );
  gate
    .command('evaluator')
    .description('SPEC.md and PLAN.md pass the evaluator, so that work may begin')
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll gate evaluator\n  plimsoll gate evaluator --track cache --json',
    )
    .action(async (options: GateEvaluatorOptions) =>
      (await import('./gate-evaluator.ts')).gateEvaluator(place(), options, output),
    );
}
