// Registers tracks: their commands, `init --tracks`, and the checks of their files and gates.
import type { Addon } from '../addon.ts';
import { hasTracks, joinTracksPath, readActiveTrack } from './files/find-tracks.io.ts';
import { trackFolder } from './layout.ts';

export const tracks: Addon = {
  isUsed: (settings, root) => root !== null && settings['tracks.enabled'] !== 'off' && hasTracks(root),
  listStamped: (root) => [joinTracksPath(root)],
  actionsAt: async (moment, hook, snapshot) =>
    moment !== 'after-tool'
      ? (await import('./track-actions.io.ts')).buildActionsAt(moment, hook, snapshot)
      : [],
  atSubagentStop: async (hook, state, wrote) =>
    (await import('./work-log/active-track.io.ts')).findMissedOfSubagent(hook, state, wrote),
  alertLines: async (hook) => (await import('./track-actions.io.ts')).buildAlertLines(hook),
  readTrack({ paths, env, event }) {
    if (paths.root === null) return null;
    const { track } = readActiveTrack({ root: paths.root, env, paths, session: event.session });
    return track === null ? null : { id: track, path: trackFolder(track) };
  },
  atCheckpoint: async (place, settings, onFailure) =>
    (await import('./track-actions.io.ts')).compactNow(place, settings, onFailure),
  applyEffect: async (effect, paths) =>
    (await import('./work-log/track-effect.io.ts')).applyTrackEffect(effect, paths),
  findGate: async (place, settings) =>
    settings['tracks.gate'] ? (await import('./files/track-gate.io.ts')).createEvaluation(place) : null,
  recordTool: async (hook) => (await import('./work-log/log-tool-calls.io.ts')).capture(hook),
  loadOwnFiles: async () => (await import('./commands/entry-points.ts')).findOwnText,
  loadCommands: async () => (await import('./commands/track-commands.command.ts')).addTrackCommands,
  loadChecks: async () => [
    (await import('./commands/check-tracks.io.ts')).tracksCheck,
    (await import('./commands/track-verify.command.ts')).gatesCheck,
  ],
  loadStatus: async () => (await import('./commands/check-tracks.io.ts')).tracksStatus,
};
