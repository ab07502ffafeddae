// Collects doctor's facts about the state folder of this project, and about logged failures.

import { dirname, join } from 'node:path';
import type { ProjectContext } from '../cli/project.io.ts';
import {
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
} from '../compaction/checkpoint/checkpoint-files.io.ts';
import { checkCheckpoint } from '../compaction/checkpoint/checkpoint-store.io.ts';
import { readLearnedVersion } from '../context/learned-thresholds.io.ts';
import { readInstalls } from '../install/installs.io.ts';
import { findGitRefusal } from '../platform/git/git-run.ts';
import { listSeenByGit } from '../platform/git/git-state.ts';
import { canWriteIn, exists, listNames, readOwnStats } from '../platform/look.ts';
import { readFailures } from '../platform/project/failures.ts';
import { findHome, listUserPaths } from '../platform/project/paths.ts';
import { listForeignNames } from '../platform/project/state-place.ts';
import { AGES } from '../sessions/retention/retention.ts';
import { findLeftovers, listFilesAhead } from '../sessions/retention/session-files.io.ts';
import { readStates, surveyStates } from '../sessions/session-states.io.ts';
import { listNotFollowed } from '../settings/resolved.ts';
import { readSettingsSnapshot } from '../settings/settings-snapshot.io.ts';
import { isError } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';
import type { FailureFacts, StateFacts } from './state-findings.io.ts';

function privateInGit(place: ProjectContext): string[] | null {
  const { root } = place;
  if (root === null) return null;
  const { state, place: where } = place.paths;
  if (where.outside !== null) return [];
  return (listSeenByGit(root, state, place.env) ?? []).map((path) => join(root, path));
}

/** Files in .plimsoll that are not ours; none where .plimsoll is a link, which we do not follow. */
function foreignIn({ root, paths }: ProjectContext): string[] {
  if (root === null || paths.place.outside === 'a link') return [];
  const folder = join(root, '.plimsoll');
  return listForeignNames(listNames(folder), paths.place.name).map((name) => join(folder, name));
}

function offFacts(place: ProjectContext): StateFacts['off'] {
  const { settings, origins } = place.resolved;
  if (place.env.PLIMSOLL === 'off') return { by: 'environment', origin: 'PLIMSOLL' };
  if (!settings.enabled) return { by: 'setting', origin: `${origins.enabled ?? 'default'}` };
  return exists(place.paths.off) ? { by: 'project', origin: place.paths.off } : null;
}

/** Our other files whose version is newer than this version of Plimsoll knows. */
function newerFiles(place: ProjectContext): string[] {
  const { learned, installs } = listUserPaths(place.env);
  const { snapshot } = place.paths;
  const found = [
    ...(readSettingsSnapshot(snapshot, []) === undefined ? [snapshot] : []),
    ...(isNewer(readLearnedVersion(learned), '1.1.0') ? [learned] : []),
  ];
  try {
    readInstalls(place.env);
  } catch (error) {
    if (isError(error, 'newer-file')) found.push(installs);
  }
  return found;
}

function checkpointFacts(place: ProjectContext): StateFacts['checkpoints'] {
  const ids = listCheckpoints(place.paths);
  const facts: StateFacts['checkpoints'] = { count: ids.length, damaged: [], newer: [], untold: [] };
  for (const id of ids) {
    const checked = checkCheckpoint(place.paths, id);
    if (checked.state === 'newer') facts.newer.push(joinCheckpointPath(place.paths, id));
    else if (checked.state === 'damaged' || checked.state === 'unreadable')
      facts.damaged.push({ id, fault: checked.fault });
  }
  for (const { state } of readStates(place.paths)) {
    const { checkpoint = null, status } = state.alert ?? {};
    const wasTold = status === 'delivered' || status === 'unverified';
    if (
      checkpoint !== null &&
      wasTold &&
      ids.includes(checkpoint) &&
      !isAcknowledged(place.paths, checkpoint)
    )
      facts.untold.push(checkpoint);
  }
  return facts;
}

/** The clocks of one machine differ by less; file systems of other machines may keep their own. */
export const SKEW_MS = 5 * 60_000;
/** The most file names to look at; a folder with more has other problems. */
const MOST_NAMES = 10_000;

/** Locks whose process is dead, and temporary files that are too old to be finished. */
const deadLeftovers = (place: ProjectContext): string[] =>
  findLeftovers(place.paths, place.now, MOST_NAMES)
    .filter(
      ({ kind, at, isOwnerAlive }) =>
        (kind === 'lock' && isOwnerAlive === false) ||
        (kind === 'temporary' && place.now - at > AGES.temporary),
    )
    .map(({ name }) => name);

function ignoreListIn(state: string): StateFacts['ignoreList'] {
  const stats = readOwnStats(join(state, '.gitignore'));
  if (stats === undefined) return 'missing';
  return stats.isFile() ? 'there' : 'no file';
}

export function stateFacts(place: ProjectContext): StateFacts {
  const { state, place: where } = place.paths;
  return {
    folder: state,
    outside: where.outside,
    foreign: foreignIn(place),
    exists: exists(state),
    isWritable: canWriteIn(state),
    blocked: ['sessions', 'checkpoints']
      .map((name) => join(state, name))
      .concat(dirname(where.entry))
      .filter((folder) => !canWriteIn(folder)),
    seenByGit: privateInGit(place),
    git: place.root === null ? null : findGitRefusal(place.root, place.env),
    stray: [...new Set(['/', findHome(place.env)])].map((folder) => join(folder, '.plimsoll')).filter(exists),
    off: offFacts(place),
    problems: place.resolved.problems.map(({ where, message }) => ({ where, message })),
    notFollowed: listNotFollowed(place.resolved),
    sessions: surveyStates(place.paths),
    newer: newerFiles(place),
    checkpoints: checkpointFacts(place),
    ahead: listFilesAhead(place.paths, place.now + SKEW_MS),
    leftovers: deadLeftovers(place),
    ignoreList: ignoreListIn(state),
  };
}

/** The failure log of this project, and the user's, for failures that no project's log could take. */
export const readFailureFacts = (place: ProjectContext): FailureFacts[] =>
  [place.paths.failures, listUserPaths(place.env).failures].map((log) => ({ log, lines: readFailures(log) }));
