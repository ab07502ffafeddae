// Registers the commands `plimsoll gate …`: what must hold of a track or the guardrails, proven by doing it.
import type { Command } from 'commander';
import type { GateResult } from '../model/tracks/gate.ts';
import type { Door, Json } from './door.ts';

export function addGateCommands(root: Command, { place, json, output, self, dist, failed }: Door): void {
  const gate = root
    .command('gate')
    .description('what must hold of a track, proven by doing it; exit code 1 when it does not');
  const show = async (result: GateResult, options: Json): Promise<void> => {
    if (!(await import('./gate-print.ts')).printGate(result, options.json, output)) failed();
  };
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
    .action(async (options: { track?: string; json?: boolean }) =>
      show((await import('./gate-determinism.ts')).gateDeterminism(place(), options.track, self), options),
    );
  gate
    .command('recovery')
    .description(
      'rebuild the plan as checkpointed from latest.json and what it references, and see an edit that comes later',
    )
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      '\nThe copy lies in the temporary folder; the project is not changed.\n\nExamples:\n  plimsoll gate recovery\n  plimsoll gate recovery --track cache --json',
    )
    .action(async (options: { track?: string; json?: boolean }) => {
      const { gateRecovery } = await import('./gate-recovery.ts');
      await show(await gateRecovery(place(), options.track), options);
    });
  gate
    .command('guardrails')
    .description(
      'start the real hook with a write that the settings of this project forbid: it is denied and noted',
    )
    .addOption(json())
    .addHelpText(
      'after',
      '\nIt is tried in the temporary folder; the project is not changed. Where guardrails.mode is not "enforce" nothing is\ntried, and it is said what would happen.\n\nExample:\n  plimsoll gate guardrails',
    )
    .action(async (options: Json) => {
      const { gateGuardrails } = await import('./gate-guardrails.ts');
      await show(await gateGuardrails(place(), dist), options);
    });
  gate
    .command('evaluator')
    .description('SPEC.md and PLAN.md pass the evaluator, so that work may begin')
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll gate evaluator\n  plimsoll gate evaluator --track cache --json',
    )
    .action(async (options: { track?: string; json?: boolean }) => {
      const { gateEvaluator } = await import('./gate-evaluator.ts');
      await show(gateEvaluator(place(), options.track), options);
    });
}
