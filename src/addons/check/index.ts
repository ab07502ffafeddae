// Registers `plimsoll check`, and its check of the settings.
import type { Addon } from '../addon.ts';

export const check: Addon = {
  loadCommands: async () => (await import('./register-check.command.ts')).addCheckCommand,
  loadChecks: async () => [(await import('./run-check.command.ts')).settingsCheck],
};
