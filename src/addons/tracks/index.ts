// Registers tracks: their commands, `init --tracks`, and the checks of their files and gates.
import type { Addon } from '../addon.ts';
import { addInitTracks } from './commands/init-tracks-option.command.ts';
import { addNoteEntryCommands } from './commands/note-commands.command.ts';
import { addTrackCommands } from './commands/track-commands.command.ts';

export const tracks: Addon = {
  addCommands: (root, cli) => {
    addInitTracks(root, cli);
    addNoteEntryCommands(root, cli);
    addTrackCommands(root, cli);
  },
  loadChecks: async () => [
    (await import('./commands/check-tracks.io.ts')).tracks,
    (await import('./commands/check-gates.io.ts')).gates,
  ],
};
