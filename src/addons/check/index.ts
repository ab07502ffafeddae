// Registers `plimsoll check`, and its check of the settings.
import type { Addon } from '../addon.ts';
import { addCheckCommand } from './register-check.command.ts';

export const check: Addon = {
  addCommands: addCheckCommand,
  loadChecks: async () => [(await import('./check-settings.io.ts')).settings],
};
