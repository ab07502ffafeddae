// The gates of a track that are proven by doing it: determinism, recovery and guardrails.
import { join } from 'node:path';
import { formatCount } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import {
  buildTrialEnvironment,
  findHookBundle,
  tryWrite,
} from '../../../hosts/claude-code/replay/replay-hooks.io.ts';
import { fillFile, makeTemporaryFolder, removeTree } from '../../../platform/folders.ts';
import { listSeenByGit } from '../../../platform/git/git-state.ts';
import { findProject } from '../../../platform/project/root.ts';
import { ensureStateFolder } from '../../../platform/project/state-folder.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../../platform/read.ts';
import { hashSha256 } from '../../../platform/sha256.ts';
import { replaceFile } from '../../../platform/write.ts';
import { readEvents } from '../../../sessions/event-log.io.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { loadAll } from '../../addon.ts';
import { buildEmptyBlock } from '../entries/block.ts';
import { findSessionOfLog } from '../entries/collect.ts';
import { joinEntriesFolder } from '../entries/entry-file.ts';
import { previewCompaction } from '../files/compact-track.io.ts';
import { readCompactionFiles } from '../files/compaction-inputs.io.ts';
import { checkTrack } from '../files/find-tracks.io.ts';
import { readRecovery } from '../files/track-inputs.io.ts';
import { latestFile, taskFile } from '../layout.ts';
import { planCompaction } from '../plan-compaction.ts';
import { recover } from '../recover.ts';
import { composeTrackContext, findCarriedPlan, gatherTrackFacts } from '../track-context.ts';
import { buildCompactOptions } from './name-track.io.ts';

/** One thing that a gate looked at. */
interface GateCheck {
  /** A sentence that is true when the check holds. */
  says: string;
  holds: boolean;
  /** What was seen instead, and the next step; only where it does not hold. */
  found?: string;
}

/** `not run`: there is nothing here that the gate could try, and why; that is no fault. */
export interface GateResult {
  gate: string;
  state: 'held' | 'failed' | 'not run';
  checks: GateCheck[];
  notes: string[];
}

/** A gate has held when each of its checks has. */
export const makeGateResult = (gate: string, checks: GateCheck[], notes: string[] = []): GateResult => ({
  gate,
  state: checks.every(({ holds }) => holds) ? 'held' : 'failed',
  checks,
  notes,
});

/** Gate "determinism": compacts a track twice in memory, its files in another order. */
export function runDeterminismGate(place: ProjectContext, track: string): GateResult {
  const options = { ...buildCompactOptions(place, track, {}), session: null };
  const { violations } = previewCompaction(options);
  if (violations.length > 0)
    return makeGateResult(
      'determinism',
      violations.map(({ file, line, found, expected }) => ({
        says: `${file}:${line} is as the schema has it`,
        holds: false,
        found: `found ${found}, expected ${expected}`,
      })),
    );
  const { files, transient } = readCompactionFiles(options.root, track, null);
  const hashesIn = (isReversed: boolean): Map<string, string> => {
    const order = <T>(list: readonly T[]): T[] => (isReversed ? [...list].reverse() : [...list]);
    const inputs = { ...options, transient: order(transient), files: order(files), hash: hashSha256 };
    const after = new Map(files.map(({ path, text }) => [path, text]));
    for (const each of planCompaction(inputs).changes) after.set(each.path, each.after);
    return new Map([...after].map(([path, text]) => [path, hashSha256(text)]));
  };
  const [one, other] = [hashesIn(false), hashesIn(true)];
  const different = [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => one.get(path) !== other.get(path),
  );
  const shown = [...one]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([path]) => path === latestFile(track) || /^docs\/.*[A-Z]\.md$/.test(path));
  return makeGateResult(
    'determinism',
    [
      {
        says: `compacted twice, ${formatCount(one.size, 'file')} have the same SHA-256 in any order`,
        holds: different.length === 0,
        found: `${different.join(', ')}: please report it with these files`,
      },
    ],
    shown.map(([path, hash]) => `${path} ${hash.slice(0, 16)}`),
  );
}

/** Gate "recovery": the plan is rebuilt from the entries to the bytes of the checkpoint, and a later edit is noticed. */
export function runRecoveryGate(place: ProjectContext, track: string): GateResult {
  const options = { ...buildCompactOptions(place, track, {}), session: null };
  const { root } = options;
  checkTrack(root, track);
  const { files, latest, faults, drift } = readRecovery(root, track);
  const path = taskFile(track, 'PLAN.md');
  const present = files.get(path);
  if (latest === null || latest.plan === null || present === undefined) {
    const found =
      faults[0] ?? `${latestFile(track)} knows no plan: write ${path} and run plimsoll track sync`;
    return makeGateResult('recovery', [{ says: 'there is a checkpoint with a plan', holds: false, found }]);
  }
  const { plan } = latest;
  const inputs = readCompactionFiles(root, track, null);
  // Of the entries alone, as a clone has them: without logs that say them once more.
  const own = inputs.files.filter((each) => findSessionOfLog(each) === null);
  const cleared = own.map((each) =>
    each.path === path ? { path, text: buildEmptyBlock(path, each.text) } : each,
  );
  const text =
    planCompaction({
      ...options,
      files: cleared,
      transient: inputs.transient,
      hash: hashSha256,
    }).changes.find((each) => each.path === path)?.after ??
    cleared.find((each) => each.path === path)?.text ??
    '';
  const seenAs = (own: string) =>
    recover(track, latest, new Map([...files, [path, { ...present, text: own, sha256: hashSha256(own) }]]));
  const isChanged = drift.includes('PLAN.md');
  const rebuilt = seenAs(text);
  const wanted = isChanged ? present.sha256 : plan.sha256;
  const carried = findCarriedPlan(composeTrackContext(gatherTrackFacts({ ...rebuilt, files }, 'pointer')));
  const seen = listSeenByGit(root, 'artifacts', place.env);
  const checks: GateCheck[] = [
    {
      says: `${path} is rebuilt from ${joinEntriesFolder(track)}/, to the SHA-256 of the ${isChanged ? 'file' : 'checkpoint'}`,
      holds: hashSha256(text) === wanted,
      found: `${hashSha256(text)} instead of ${wanted}: run plimsoll track sync`,
    },
    {
      says: 'recovery from it finds nothing missing',
      holds: rebuilt.faults.length === 0 && rebuilt.drift.includes('PLAN.md') === isChanged,
      found: rebuilt.faults.join('; ') || 'the plan counts as changed',
    },
    ...(carried === null
      ? []
      : [
          {
            says: 'the plan that a session is told has the SHA-256 of the file',
            holds: hashSha256(carried.text) === present.sha256 && present.sha256.startsWith(carried.hash),
            found: `${hashSha256(carried.text)} instead of ${present.sha256}: please report it`,
          },
        ]),
    {
      says: 'an edit of the plan after the checkpoint is reported',
      holds: seenAs(`${text}\nchanged\n`).drift.includes('PLAN.md'),
      found: 'it was not: please report it',
    },
    {
      says: 'a clone has the checkpoint',
      holds: seen === null || seen.includes(latestFile(track)),
      found: `git ignores ${latestFile(track)}: no line of .gitignore may match artifacts/checkpoints/`,
    },
  ];
  return makeGateResult('recovery', checks, [
    ...(carried === null
      ? ['The plan is too long to be said whole: its open tasks are, and the beginning of its SHA-256.']
      : []),
    ...drift.map((name) => `${name} was changed after the checkpoint: plimsoll track sync makes a new one.`),
  ]);
}

/** Files that some rule may forbid: one at the root, a source file, secrets, and one for each protected glob. */
const listCandidates = ({ paths }: GuardrailOptions): string[] => [
  'plimsoll-gate.txt',
  'src/plimsoll-gate.txt',
  ...paths.protected
    .filter((glob) => !/^[!~/]/.test(glob))
    .map((glob) =>
      glob
        .replace(/\/$/, '/gate')
        .replaceAll('**', 'gate')
        .replaceAll('*', 'gate')
        .replace(/[?[\]{}]/g, ''),
    ),
  '.env',
  '.git/config',
];

/** The session in which the hook is tried. */
const PROBE = 'plimsoll-gate';

/** Copies the project's settings into a folder, and tries there what they forbid. */
async function tryGuardrails(place: ProjectContext, dist: string, root: string): Promise<GateResult> {
  const options = readGuardrailOptions(place.resolved.settings);
  const notRun = (note: string): GateResult => ({
    gate: 'guardrails',
    state: 'not run',
    checks: [],
    notes: [note],
  });
  const write = (path: string, text: string): void => fillFile(join(root, path), text);
  write('.git/HEAD', 'ref: refs/heads/main\n');
  const there = findProject(root, buildTrialEnvironment(place.env, root));
  ensureStateFolder(there);
  for (const name of ['config', 'localConfig'] as const) {
    const text = place.root === null ? null : readTextOrNull(place.paths[name], SETTINGS_FILE);
    if (text !== null) replaceFile(there[name], text);
  }
  const forbid = await loadAll((addon) => addon.loadForbidsWrite?.());
  const { settings } = place.resolved;
  const file = listCandidates(options).find((each) =>
    forbid.some((forbidsWrite) => forbidsWrite(each, root, settings, place.env)),
  );
  if (options.mode !== 'enforce') {
    const would =
      file === undefined
        ? 'nothing that this gate knows to try would be denied'
        : `writing ${file} would be denied`;
    const now = options.mode === 'warn' ? 'the agent is warned only' : 'nothing is judged';
    return notRun(`guardrails.mode is "${options.mode}": ${now}. With "enforce" ${would}.`);
  }
  if (file === undefined)
    return notRun(
      'No file is forbidden by these settings: guardrails.paths.protected is empty, and writing is free.',
    );
  const bundle = findHookBundle(place.env, dist);
  const { answer, decision } = tryWrite(
    bundle.path,
    { session: PROBE, file, env: place.env },
    { root, write },
  );
  const noted = readEvents(there, PROBE).events.filter(({ type }) => type === 'GuardrailViolated');
  const which = bundle.isInstalled
    ? 'the installed hook'
    : 'the hook of this command, since none is installed';
  const checks = [
    {
      says: `writing ${file} is denied by the hook`,
      holds: decision === 'deny',
      found: `it answered ${answer === '' ? 'nothing' : answer.slice(0, 200)}: run plimsoll doctor`,
    },
    {
      says: 'the violation stands among the events of the session',
      holds: noted.length === 1,
      found: `${noted.length} events instead of one: run plimsoll doctor`,
    },
  ];
  return makeGateResult('guardrails', checks, [`Tried with ${which} (${displayPath(bundle.path, place)}).`]);
}

/**
 * Gate "guardrails": the real hook, with the project's settings in a temporary folder, denies and logs a forbidden write.
 *
 * @param dist folder of the command, whose hook is used where none is installed
 */
export async function runGuardrailsGate(place: ProjectContext, dist: string): Promise<GateResult> {
  if (!place.resolved.settings.enabled)
    return {
      gate: 'guardrails',
      state: 'not run',
      checks: [],
      notes: ['Everything is off: enabled = false.'],
    };
  const root = makeTemporaryFolder('plimsoll-gate-');
  try {
    return await tryGuardrails(place, dist, root);
  } finally {
    removeTree(root);
  }
}
