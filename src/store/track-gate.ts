// What keeps the active track from being worked on? Asked by the guardrails, and looked up only when they ask.
import type { Evaluation } from '../model/guardrails/call.ts';
import { redact } from '../model/redact.ts';
import { evaluate, gateFindings } from '../model/tracks/evaluate.ts';
import { takeClaim } from './claim.ts';
import type { Env, ProjectPaths } from './paths.ts';
import { readTrack } from './track-files.ts';
import { activeTrack, pinnedTrack } from './tracks.ts';

/** Looks once; null where no track is active or its SPEC and PLAN pass. The project's own command is never run by hooks. */
export function evaluationOf(
  root: string,
  { env, paths, conversation }: { env: Env; paths: ProjectPaths; conversation: string | null },
): () => Evaluation | null {
  let known: Evaluation | null | undefined;
  return () => {
    if (known !== undefined) return known;
    const { track } = activeTrack(root, env, conversation === null ? null : pinnedTrack(paths, conversation));
    const findings = track === null ? [] : gateFindings(track, evaluate(track, readTrack(root, track)));
    known =
      track === null || findings.length === 0
        ? null
        : { track, findings: findings.map((each) => ({ ...each, message: redact(each.message) })) };
    return known;
  };
}

/** Whether nobody has said yet what has this name; from now on somebody has. */
export const isFirstToSay = ({ claims }: Pick<ProjectPaths, 'claims'>, name: string, now: number): boolean =>
  takeClaim(claims, name, now, () => true);
