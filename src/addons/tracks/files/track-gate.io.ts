// Evaluates for the guardrails, only when they ask, whether the active track is ready to be worked on.

import type { Evaluation } from '../../../hook/action.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import { redact } from '../../../text/redact.ts';
import type { TrackPlace } from '../../addon.ts';
import type { TrackFinding } from '../checks/check.ts';
import { evaluate, selectGateFindings } from '../checks/evaluate.ts';
import { trackFolder } from '../layout.ts';
import { readTrackAsNoted } from './compact-track.io.ts';
import { readActiveTrack, readTrack } from './find-tracks.io.ts';

/** The findings about a track; one that leads out of the project is not read and counts as not ready. */
function findingsOn(root: string, track: string): TrackFinding[] {
  try {
    const found = selectGateFindings(track, evaluate(track, readTrack(root, track)));
    // What was noted since the last compaction may be what is missing.
    return found.length === 0
      ? found
      : selectGateFindings(track, evaluate(track, readTrackAsNoted(root, track)));
  } catch (error) {
    if (!isError(error, 'leads-out')) throw error;
    return [
      {
        check: 'sections',
        file: trackFolder(track),
        line: null,
        message: error.message,
        next: error.hint ?? '',
      },
    ];
  }
}

/** Evaluates once; null when no track is active or its SPEC and PLAN pass. Hooks never run the project's own evaluator. */
export function createEvaluation(place: TrackPlace): () => Evaluation | null {
  let known: Evaluation | null | undefined;
  return () => {
    if (known !== undefined) return known;
    const { track } = readActiveTrack(place);
    const findings = track === null ? [] : findingsOn(place.root, track);
    known =
      track === null || findings.length === 0
        ? null
        : { track, findings: findings.map((each) => ({ ...each, message: redact(each.message) })) };
    return known;
  };
}
