// Gate "evaluator": work on a track may begin. Counts the findings for which the hook blocks a tool call, and those of
// the project's own command.
import type { TrackFinding } from '../model/tracks/checks/check.ts';
import { CHECK_NAMES, gateFindings } from '../model/tracks/evaluate.ts';
import { type GateResult, gateResult } from '../model/tracks/gate.ts';
import { findingsOn, notRun } from './evaluate.ts';
import { count } from './output.ts';
import type { Place } from './place.ts';
import { trackOrActive } from './track.ts';

const MOST_TOLD = 5;

const told = (findings: readonly TrackFinding[]): string =>
  [
    ...findings.slice(0, MOST_TOLD).map(({ file, line, message, next }) => {
      const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
      return `${where}${message}; ${next}`;
    }),
    ...(findings.length > MOST_TOLD ? [`and ${findings.length - MOST_TOLD} more`] : []),
  ].join('\n        ');

/** Checks that SPEC.md and PLAN.md pass before anything is executed. */
export function gateEvaluator(place: Place, given: string | undefined): GateResult {
  const track = trackOrActive(place, given);
  const all = findingsOn(place, track);
  const counted = [...gateFindings(track, all), ...all.filter(({ check }) => check === 'external')];
  const hasOwn = place.resolved.settings['tracks.evaluator'].trim() !== '';
  const checks = [...CHECK_NAMES, ...(hasOwn ? (['external'] as const) : [])].map((name) => {
    const found = counted.filter(({ check }) => check === name);
    const says =
      name === 'external'
        ? 'the command of tracks.evaluator finds nothing'
        : `SPEC and PLAN of ${track}: the check "${name}" finds nothing`;
    return found.length === 0 ? { says, holds: true } : { says, holds: false, found: told(found) };
  });
  const others = all.length - counted.length;
  const notes =
    others === 0 ? [] : [`In other files of the track: ${count(others, 'finding')}, see plimsoll evaluate.`];
  const left = notRun(place);
  return gateResult('evaluator', checks, left === null ? notes : [...notes, left]);
}
