// Registers the guardrails: their commands, and their check of files.
import type { Addon } from '../addon.ts';
import { addGuardCommands } from './commands/guard-commands.command.ts';

export const guardrails: Addon = {
  addCommands: addGuardCommands,
  loadChecks: async () => [(await import('./commands/check-guardrails.io.ts')).guardrails],
};
