// Registers ORCHESTRATION.yaml: the commands `plimsoll state …`, and the checks of its files.
import type { Addon } from '../addon.ts';
import { addStateCommands } from './commands/state-commands.command.ts';

export const orchestration: Addon = {
  addCommands: addStateCommands,
  loadChecks: async () => [
    (await import('./check-state.io.ts')).state,
    (await import('./check-staleness.io.ts')).staleness,
  ],
};
