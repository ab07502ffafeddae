// Registers the guardrails: their commands, and their check of files.
import type { Addon } from '../addon.ts';

export const guardrails: Addon = {
  loadCommands: async () => (await import('./commands/guard-commands.command.ts')).addGuardCommands,
  loadChecks: async () => [(await import('./commands/check-guardrails.io.ts')).guardrailsCheck],
};
