// Runs `plimsoll off` and `plimsoll on`: silences Plimsoll for a project or one session, and lets it speak again.

import type { TranscriptScan } from '../context/usage.ts';
import type { HostEntry } from '../hosts/host-entry.ts';
import { locateTranscript } from '../hosts/registry.io.ts';
import { scanWhole } from '../hosts/scan-facts.io.ts';
import { exists } from '../platform/look.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { remove, replaceFile } from '../platform/write.ts';
import { buildSeenState, findHostOf } from '../sessions/commands/find-session.io.ts';
import type { SessionPatch } from '../sessions/session-state.ts';
import { listSessions, patchSessionState, readUsableState } from '../sessions/session-states.io.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { type Output, toJson } from './output.io.ts';
import type { ProjectContext } from './project.io.ts';

export interface SwitchOptions {
  /** An id, or true for the session that this command runs in. */
  session?: string | true;
  json?: boolean;
}

function sessionOf(place: ProjectContext, session: string | true): string {
  const id = session === true ? place.env.HOST_SESSION : session;
  if (id) return id;
  throw new PlimsollError('usage', 'No session is named, and this command does not run inside one', {
    hint: 'name it: --session ID (plimsoll session list shows ids)',
  });
}

/** Scans a transcript; null also where it cannot be read, which must not prevent switching. */
function scanOf(path: string, { host }: HostEntry): TranscriptScan | null {
  try {
    return scanWhole(path, host.facts);
  } catch {
    return null;
  }
}

/**
 * The patch after a silence: compactions that happened meanwhile count as told, and a pending one is dropped. Null where
 * the session is unknown.
 */
function caughtUp(place: ProjectContext, id: string): SessionPatch | null {
  const known = readUsableState(place.paths, id);
  const found = known?.transcript == null ? locateTranscript(id, place.env) : null;
  const path = known?.transcript ?? found?.path ?? null;
  const scan = path === null ? null : scanOf(path, found?.by ?? findHostOf(place, id));
  // A session whose state cannot be read exists nevertheless, and may have to be silenced.
  if (scan === null) return exists(place.paths.session(id).state) ? {} : null;
  return { ...buildSeenState(scan), compaction_not_in_transcript: null, pending_compaction: null };
}

export function switchTo(on: boolean, place: ProjectContext, options: SwitchOptions, output: Output): void {
  const word = on ? 'on' : 'off';
  if (options.session !== undefined) {
    const id = sessionOf(place, options.session);
    const patch = caughtUp(place, id);
    if (patch === null) {
      throw new PlimsollError('not-found', `No session "${id}" is known here`, {
        hint: 'plimsoll session list shows ids',
      });
    }
    patchSessionState(place.paths, id, {
      ...(on || readUsableState(place.paths, id) === null ? patch : {}),
      off: !on,
    });
    output.print(
      options.json ? toJson({ state: word, session_id: id }) : `Plimsoll is ${word} for session ${id}.`,
    );
    return;
  }
  if (on) {
    if (exists(place.paths.off)) {
      for (const id of listSessions(place.paths)) {
        const patch = caughtUp(place, id);
        if (patch !== null) patchSessionState(place.paths, id, patch);
      }
    }
    remove(place.paths.off);
  } else {
    ensureStateFolder(place.paths);
    replaceFile(place.paths.off, `${new Date(place.now).toISOString()}\n`);
  }
  output.print(
    options.json
      ? toJson({ state: word, root: place.root })
      : on
        ? 'Plimsoll is on for this project.'
        : 'Plimsoll is off for this project: nothing is said or written until "plimsoll on".',
  );
}
