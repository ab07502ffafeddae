// Registers ORCHESTRATION.yaml: the commands `plimsoll state …`, and the checks of its files.
import type { Addon } from '../addon.ts';
import { workflowPort } from './workflow.io.ts';

export const orchestration: Addon = {
  workflow: workflowPort,
  loadCommands: async () => (await import('./commands/state-commands.command.ts')).addStateCommands,
  loadChecks: async () => [
    (await import('./check-state.io.ts')).stateCheck,
    (await import('./check-state.io.ts')).stalenessCheck,
  ],
};
