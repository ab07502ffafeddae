// Rebuilds the state of one track in five fixed steps; reads nothing of another track.
import type { DecisionEntry, RiskEntry } from './entries/entry.ts';
import type { Latest } from './last-compaction.ts';
import { ACTIVE_TRACK, CORE_FILES, latestFile, TASK_NAMES, taskFile } from './layout.ts';
import {
  listGravestRisks,
  listPlanTasks,
  listTrackDecisions,
  type PlanTask,
  readFirstWords,
  readGoal,
} from './summary.ts';

/** A file as it was read. */
export interface FileSeen {
  text: string;
  /** Of all its bytes, in hexadecimal digits. */
  sha256: string;
  bytes: number;
  /** Only its beginning was read. */
  isCut: boolean;
}

/** A line of the manifest: what was loaded in which step. Paths go from the project's root. */
export interface Loaded {
  /** 1 core, 2 the track's files, 3 the checkpoint, 4 transient files, 5 what state is made of. */
  step: 1 | 2 | 3 | 4 | 5;
  path: string;
  sha256: string | null;
  bytes: number;
  loaded: 'whole' | 'cut' | 'missing';
}

export interface Recovery {
  track: string;
  manifest: Loaded[];
  latest: Latest | null;
  /** What is needed and missing or damaged, each with the next step. */
  faults: string[];
  /** Names of files of the track that are not as the checkpoint left them: `PLAN.md`. */
  drift: string[];
  /** What the specification is for; null where it does not say. */
  goal: string | null;
  /** Core files that are there, in their order, and the first words of each. */
  core: { path: string; about: string | null }[];
  tasks: PlanTask[];
  decisions: DecisionEntry[];
  risks: RiskEntry[];
}

/** What `latest.json` came to: null where there is none, a text where it is of no use, and why. */
export type LatestSeen = Latest | string | null;

/** Paths of the steps, in order; the fifth reads again what state is made of. */
export function listRecoveryPaths(track: string, latest: Latest | null): Pick<Loaded, 'step' | 'path'>[] {
  const plan = taskFile(track, 'PLAN.md');
  const all: readonly [Loaded['step'], readonly string[]][] = [
    [1, CORE_FILES],
    [2, [ACTIVE_TRACK, ...TASK_NAMES.map((name) => taskFile(track, name))]],
    [3, [latestFile(track)]],
    [4, latest?.transient ?? []],
    [5, [taskFile(track, 'DECISIONS.md'), plan]],
  ];
  return all.flatMap(([step, paths]) => paths.map((path) => ({ step, path })));
}

function faultsOf(
  track: string,
  seen: LatestSeen,
  latest: Latest | null,
  files: ReadonlyMap<string, FileSeen>,
): string[] {
  const faults: string[] = [];
  const again = 'run plimsoll track sync';
  if (seen === null) faults.push(`There is no checkpoint of this track yet (${latestFile(track)}): ${again}`);
  else if (typeof seen === 'string') faults.push(`${latestFile(track)} is of no use: ${seen}; ${again}`);
  const plan = taskFile(track, 'PLAN.md');
  if (!files.has(plan))
    faults.push(
      latest?.plan == null
        ? `${plan} is missing: write it`
        : `${plan} is missing: take it from git; plimsoll track sync writes its entries anew`,
    );
  return faults;
}

/**
 * The state of a track from its files.
 *
 * @param files everything of `listRecoveryPaths` that there is, by path
 */
export function recover(track: string, seen: LatestSeen, files: ReadonlyMap<string, FileSeen>): Recovery {
  const latest = seen === null || typeof seen === 'string' ? null : seen;
  const textOf = (name: (typeof TASK_NAMES)[number]): string => files.get(taskFile(track, name))?.text ?? '';
  const manifest = listRecoveryPaths(track, latest).map(({ step, path }): Loaded => {
    const file = files.get(path);
    if (file === undefined) return { step, path, sha256: null, bytes: 0, loaded: 'missing' };
    return { step, path, sha256: file.sha256, bytes: file.bytes, loaded: file.isCut ? 'cut' : 'whole' };
  });
  const drift = (latest?.files ?? [])
    .filter(({ path, sha256 }) => files.get(path)?.sha256 !== sha256)
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  return {
    track,
    manifest,
    latest,
    faults: faultsOf(track, seen, latest, files),
    drift,
    goal: readGoal(textOf('SPEC.md')),
    core: CORE_FILES.flatMap((path) => {
      const file = files.get(path);
      return file === undefined ? [] : [{ path, about: readFirstWords(file.text) }];
    }),
    tasks: listPlanTasks(textOf('PLAN.md')),
    decisions: listTrackDecisions(textOf('DECISIONS.md')),
    risks: listGravestRisks(textOf('RISKS.md')),
  };
}
