// Registers tracks: their commands, `init --tracks`, and the checks of their files and gates.
import type { Settings } from '../../settings/settings.ts';
import type { Addon } from '../addon.ts';
import { hasTracks } from './files/find-tracks.io.ts';

const usesTracks = (settings: Settings, root: string | null): boolean =>
  root !== null && settings['tracks.enabled'] !== 'off' && hasTracks(root);

export const tracks: Addon = {
  worksAtTools: usesTracks,
  findGate: async (place, settings) =>
    settings['tracks.gate'] && usesTracks(settings, place.root)
      ? (await import('./files/track-gate.io.ts')).evaluationOf(place)
      : null,
  recordTool: async (hook) => {
    if (hook.resolved.tracks) await (await import('./work-log/log-tool-calls.io.ts')).capture(hook);
  },
  loadOwnFiles: async () => (await import('./commands/entry-points.ts')).ownText,
  loadCommands: async () => (await import('./commands/track-commands.command.ts')).addTrackCommands,
  loadChecks: async () => [
    (await import('./commands/check-tracks.io.ts')).tracksCheck,
    (await import('./commands/track-verify.command.ts')).gatesCheck,
  ],
};
