// Lists for `plimsoll status` the active track, and what sessions left in artifacts/sessions/.
import { dirname, join } from 'node:path';
import type { StatusSection } from '../../cli/context.ts';
import { formatCount } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { namesIn, stampOf } from '../../platform/look.ts';
import { formatThousands } from '../../text/lines.ts';
import { readActiveTrack } from './files/find-tracks.io.ts';
import { sessionFolder, TRANSIENT_NAMES } from './layout.ts';

/** Number of folders in artifacts/sessions/, which we never remove because people may commit them, and bytes of the transient files in them. */
function sessionFolders(root: string): { sessions: number; bytes: number } {
  const folder = join(root, dirname(sessionFolder('x')));
  const sizes = namesIn(folder).map((name) =>
    TRANSIENT_NAMES.reduce((sum, file) => sum + Math.max(0, stampOf(join(folder, name, file)).size), 0),
  );
  return { sessions: sizes.filter((size) => size > 0).length, bytes: sizes.reduce((a, b) => a + b, 0) };
}

/** The active track; null in a project without tracks. */
function trackOf(place: ProjectContext, session: string) {
  const { root, env, paths, resolved } = place;
  if (root === null || !resolved.addons.includes('tracks')) return null;
  const active = readActiveTrack({ root, env, paths, session });
  return {
    id: active.track,
    from: active.track === null ? null : active.from,
    fault: active.track === null ? active.fault : null,
    noted: sessionFolders(root),
  };
}

/** The size of artifacts/sessions/ is told because it is never removed automatically: it may be committed. */
function trackText(track: NonNullable<ReturnType<typeof trackOf>>): string {
  const { sessions, bytes } = track.noted;
  const noted =
    sessions === 0
      ? ''
      : `; artifacts/sessions/ holds the work of ${formatCount(sessions, 'session')}, ${formatThousands(Math.ceil(bytes / 1024))} KB, which stays until you remove it`;
  return `${track.id ?? track.fault ?? 'none is active'}${noted}`;
}

export const tracksStatus: StatusSection = {
  key: 'track',
  read: (place, session) => {
    const track = trackOf(place, session);
    return { data: track, rows: track === null ? [] : [['Track', trackText(track)]] };
  },
};
