// Registers tracks: their commands, `init --tracks`, and the checks of their files and gates.
import type { Addon } from '../addon.ts';

export const tracks: Addon = {
  loadCommands: async () => (await import('./commands/track-commands.command.ts')).addTrackCommands,
  loadChecks: async () => [
    (await import('./commands/check-tracks.io.ts')).tracksCheck,
    (await import('./commands/check-gates.io.ts')).gatesCheck,
  ],
};
