// Registers the commands `plimsoll guard …` about guardrails.

import type { Command } from 'commander';
import type { CliContext, JsonOption } from '../../../cli/context.ts';
import { CALL_EXAMPLE } from '../../../hosts/claude-code/names.ts';
import type { GuardExplainOptions } from './guard-explain.command.ts';

export function addGuardCommands(root: Command, { place, json, output }: CliContext): void {
  const guard = root.command('guard').description('guardrails: which tool calls are let through, and why');
  guard
    .command('explain [call]')
    .description('how a tool call is judged: which rules looked, what each saw, the verdict')
    .option('--path <file>', 'a file that is written, whatever its text: for its imports give the call')
    .option('--command <text>', 'a command of the shell')
    .addOption(json())
    .addHelpText(
      'after',
      `\nExamples:\n  plimsoll guard explain --path .env\n  plimsoll guard explain --command "echo x > dist/a.js"\n  plimsoll guard explain '${CALL_EXAMPLE}'`,
    )
    .action(async (call: string | undefined, options: GuardExplainOptions) =>
      (await import('./guard-explain.command.ts')).guardExplain(await place(), call, options, output),
    );
  guard
    .command('test')
    .description("whether the guardrails decide as the project's own examples say (guardrails.examples)")
    .addOption(json())
    .addHelpText('after', '\nExample:\n  plimsoll guard test')
    .action(async (options: JsonOption) =>
      (await import('./guard-explain.command.ts')).guardTest(await place(), options, output),
    );
}
