// Check "tracks" and the lines of `status`: tracks are valid, the active one was ready before the work on it, and where it stands.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { CheckFinding, Level } from '../../../cli/check-finding.ts';
import type { Check, CheckContext } from '../../../cli/check-port.io.ts';
import type { StatusSection } from '../../../cli/context.ts';
import { formatCount } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { resolveInProject } from '../../../platform/in-project.ts';
import { listNames, readStamp } from '../../../platform/look.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { formatThousands } from '../../../text/lines.ts';
import type { CheckName, TrackFinding } from '../checks/check.ts';
import { evaluate, evaluateEntries, selectGateFindings } from '../checks/evaluate.ts';
import { parseEntryPath } from '../entries/stored-entries.ts';
import { type ActiveTrack, readActiveTrack, resolveActiveTrack } from '../files/find-tracks.io.ts';
import type { TaskName } from '../layout.ts';
import {
  ACTIVE_TRACK,
  isTrackId,
  sessionFolder,
  TASK_NAMES,
  TRACKS_FOLDER,
  TRANSIENT_NAMES,
  taskFile,
  trackFolder,
} from '../layout.ts';

// Runs a project's own evaluator of a track, a shell command from its settings, in bounded time.
const TIME_MS = 60_000;
const MOST_BYTES = 1024 * 1024;

interface Judged {
  /** Exit code; null when it did not end by itself. */
  code: number | null;
  /** What it printed, standard output first. */
  lines: string[];
  /** Why it did not end by itself, or null. */
  fault: string | null;
}

/** Runs the command at the root, with the track's id in PLIMSOLL_TRACK. Only CLI commands call this, never hooks. */
export function runEvaluator(command: string, root: string, track: string, env: Env): Judged {
  const { status, stdout, stderr, error, signal } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: { ...env, PLIMSOLL_TRACK: track },
    encoding: 'utf8',
    timeout: TIME_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.split(/\r?\n/).filter((line) => line.trim() !== '');
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const why =
    code === 'ETIMEDOUT'
      ? `it took longer than ${TIME_MS / 1000} s`
      : (code ?? (signal ? `it was ended by ${signal}` : null));
  return { code: why === null ? status : null, lines, fault: why };
}

/** Number of folders in artifacts/sessions/, which we never remove because people may commit them, and bytes of the transient files in them. */
function sessionFolders(root: string): { sessions: number; bytes: number } {
  const folder = join(root, dirname(sessionFolder('x')));
  const sizes = listNames(folder).map((name) =>
    TRANSIENT_NAMES.reduce((sum, file) => sum + Math.max(0, readStamp(join(folder, name, file)).size), 0),
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

const RULES: Record<Exclude<CheckName, 'external'> | 'pointer', string> = {
  sections: 'SPEC.md or PLAN.md of a track is missing, or a section of it.',
  schema: 'An entry is not as the schema has it; a compaction of its track is refused.',
  tasks: 'A plan has no tasks, or one without state or acceptance criteria.',
  placeholders: 'A text stands in SPEC.md or PLAN.md only until somebody writes it.',
  risks: 'A high or critical risk has no mitigation.',
  names: 'SPEC.md and PLAN.md call one thing by two names.',
  decisions: 'A decision is referred to that is nowhere noted.',
  pointer: 'ACTIVE_TRACK names no track that is there.',
};

/** Reads a file in the version that is checked. @throws `leads-out` where it would be read from outside of the project */
function textOf({ read, root, scope }: CheckContext, path: string): string | null {
  if (scope !== 'staged') resolveInProject(root, path);
  return read(path);
}

const textsOf = (look: CheckContext, track: string): Record<TaskName, string | null> =>
  Object.fromEntries(TASK_NAMES.map((name) => [name, textOf(look, taskFile(track, name))])) as Record<
    TaskName,
    string | null
  >;

function activeIn(look: CheckContext): ActiveTrack {
  const { PLIMSOLL_TRACK: env = null } = look.place.env;
  const named = { env, pinned: null, pointer: textOf(look, ACTIVE_TRACK) };
  return resolveActiveTrack(named, (track) =>
    TASK_NAMES.some((name) => textOf(look, taskFile(track, name)) !== null),
  );
}

/** Ids of the tracks that have a file among the checked ones. */
function touched({ files }: CheckContext): string[] {
  const ids = files.map(({ path }) =>
    path.startsWith(`${TRACKS_FOLDER}/`) ? path.split('/')[2] : undefined,
  );
  return [...new Set(ids)].filter((id): id is string => id !== undefined && isTrackId(id));
}

/**
 * The level of a finding. What the hook would have blocked (work while SPEC or PLAN of the active track fails) is an error
 * or a warning, by guardrails.mode. A malformed entry is an error, for its track cannot be compacted. All else is a note.
 */
function levelOf(look: CheckContext, finding: TrackFinding, isHeld: boolean): Level {
  if (finding.check === 'schema') return 'error';
  const mode = look.place.resolved.settings['guardrails.mode'];
  if (!isHeld || mode === 'off') return 'note';
  return mode === 'enforce' ? 'error' : 'warning';
}

const isWork = (path: string): boolean => !/^(?:docs|artifacts)\//.test(path);

export const tracksCheck: Check = {
  name: 'tracks',
  rules: RULES,
  look: (look) => {
    const { 'tracks.enabled': enabled, 'tracks.gate': isGated } = look.place.resolved.settings;
    if (enabled === 'off') return [];
    const active = activeIn(look);
    const isWorkedOn = isGated && look.files.some(({ path }) => isWork(path));
    const ids = new Set([...touched(look), ...(active.track !== null && isWorkedOn ? [active.track] : [])]);
    const findings = [...ids].flatMap((track): CheckFinding[] => {
      const texts = textsOf(look, track);
      const isGone = TASK_NAMES.every((name) => texts[name] === null);
      if (isGone || textOf(look, `${trackFolder(track)}/CLOSED`) !== null) return [];
      const entries = look.files.flatMap(({ path }) => {
        const text = parseEntryPath(path)?.track === track ? textOf(look, path) : null;
        return text === null ? [] : [{ path, text }];
      });
      const all = [...evaluate(track, texts), ...evaluateEntries(track, entries)];
      const held = new Set(track === active.track && isWorkedOn ? selectGateFindings(track, all) : []);
      return all.map((each) => ({
        check: 'tracks',
        rule: each.check,
        level: levelOf(look, each, held.has(each)),
        file: each.file,
        line: each.line,
        message: each.message,
        next: each.next,
      }));
    });
    const isPointerChecked = look.files.some(({ path }) => path === ACTIVE_TRACK);
    if (active.track !== null || active.fault === null || !isPointerChecked) return findings;
    const next = 'plimsoll track activate ID names another one';
    const message = active.fault.replace(/: run plimsoll .*$/, '');
    return [
      ...findings,
      { check: 'tracks', rule: 'pointer', level: 'error', file: ACTIVE_TRACK, line: 1, message, next },
    ];
  },
};
