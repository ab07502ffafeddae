// Gate "recovery": a track's plan can be rebuilt from latest.json and the files it names, and a later edit is noticed.

import type { ProjectContext } from '../../../cli/project.io.ts';
import { seenByGit } from '../../../platform/git/git-state.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { type GateCheck, type GateResult, gateResult } from '../checks/gate.ts';
import { inWorkspace, type Workspace } from '../files/temp-copy.io.ts';
import { checkTrack } from '../files/track-files.io.ts';
import { recoveryIn, seenFile } from '../files/track-inputs.io.ts';
import type { Latest } from '../last-compaction.ts';
import { ACTIVE_TRACK, latestFile, taskFile } from '../layout.ts';
import { planCarried, trackContext, trackFacts } from '../track-context.ts';
import { trackRoot } from './name-track.io.ts';

type Plan = NonNullable<Latest['plan']>;

/** Files that a clone needs to rebuild the plan, but that git ignores. */
function unseenByGit(place: ProjectContext, root: string, paths: readonly string[]): string[] {
  const seen = seenByGit(root, 'artifacts', place.env);
  return seen === null ? [] : paths.filter((path) => !seen.includes(path));
}

/** Copies what a clone would have: the checkpoint with the files it names; other files of the track only if unchanged. */
function replay({ root: clone, copy, write }: Workspace, from: string, latest: Latest, plan: Plan): void {
  const { track } = latest;
  write(ACTIVE_TRACK, `${track}\n`);
  copy(from, latestFile(track));
  for (const path of [plan.path, ...latest.transient]) copy(from, path);
  for (const { path, sha256: hash } of latest.files)
    if (seenFile(from, path)?.sha256 === hash) copy(from, path);
  write(taskFile(track, 'PLAN.md'), seenFile(clone, plan.path)?.text ?? '');
}

/** Checks in the clone: the rebuilt plan, the plan that a session is told, and that a later edit is noticed. */
function checksIn(workspace: Workspace, track: string, plan: Plan): { checks: GateCheck[]; notes: string[] } {
  const path = taskFile(track, 'PLAN.md');
  const rebuilt = recoveryIn(workspace.root, track);
  const got = rebuilt.files.get(path)?.sha256 ?? 'nothing';
  const carried = planCarried(trackContext(trackFacts(rebuilt, 'pointer')));
  const checks: GateCheck[] = [
    {
      says: `${path} is rebuilt from ${plan.path}, to the SHA-256 of the checkpoint`,
      holds: got === plan.sha256,
      found: `${got} instead of ${plan.sha256}: run plimsoll track sync`,
    },
    {
      says: 'recovery from it finds nothing missing and the plan unchanged',
      holds: rebuilt.faults.length === 0 && !rebuilt.drift.includes('PLAN.md'),
      found: rebuilt.faults.join('; ') || 'the plan counts as changed',
    },
  ];
  if (carried !== null)
    checks.push({
      says: 'the plan that a session is told has the SHA-256 of the checkpoint',
      holds: sha256(carried.text) === plan.sha256 && plan.sha256.startsWith(carried.hash),
      found: `${sha256(carried.text)} instead of ${plan.sha256}: please report it`,
    });
  workspace.write(path, `${rebuilt.files.get(path)?.text ?? ''}\nchanged\n`);
  const { drift } = recoveryIn(workspace.root, track);
  checks.push({
    says: 'an edit of the plan after the checkpoint is reported',
    holds: drift.includes('PLAN.md'),
    found: 'it was not: please report it',
  });
  const notes =
    carried === null
      ? ['The plan is too long to be said whole: its open tasks are, and the beginning of its SHA-256.']
      : [];
  return { checks, notes };
}

/** Rebuilds the plan in a temporary folder that holds only the checkpoint and the files it names. */
export async function gateRecovery(place: ProjectContext, track: string): Promise<GateResult> {
  const root = trackRoot(place);
  checkTrack(root, track);
  const { latest, faults, drift } = recoveryIn(root, track);
  const plan = latest?.plan ?? null;
  if (latest === null || plan === null) {
    const found =
      faults[0] ??
      `${latestFile(track)} knows no plan: write ${taskFile(track, 'PLAN.md')} and run plimsoll track sync`;
    return gateResult('recovery', [{ says: 'there is a checkpoint with a plan', holds: false, found }]);
  }
  const needed = [latestFile(track), plan.path];
  const unseen = unseenByGit(place, root, needed);
  const { checks, notes } = await inWorkspace((workspace) => {
    replay(workspace, root, latest, plan);
    return checksIn(workspace, track, plan);
  });
  const clone: GateCheck = {
    says: 'a clone has the files that are needed',
    holds: unseen.length === 0,
    found: `git ignores ${unseen.join(', ')}: no line of .gitignore may match artifacts/checkpoints/`,
  };
  const changed = drift.map(
    (name) => `${name} was changed after the checkpoint: plimsoll track sync makes a new one.`,
  );
  return gateResult('recovery', [...checks, clone], [...notes, ...changed]);
}
