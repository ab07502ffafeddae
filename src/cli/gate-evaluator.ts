// May work on a track begin? The very findings for which the hook holds a tool call back, and those of the project's own command.
import { gateFindings } from '../model/tracks/evaluate.ts';
import { findingLines, findingsOn } from './evaluate.ts';
import { count, type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';
import { trackOrActive } from './track.ts';

export interface GateEvaluatorOptions {
  track?: string;
  json?: boolean;
}

/**
 * The evaluator gate: SPEC.md and PLAN.md pass before anything is executed.
 * @throws UserError when they do not
 */
export function gateEvaluator(place: Place, options: GateEvaluatorOptions, output: Output): void {
  const track = trackOrActive(place, options.track);
  const all = findingsOn(place, track);
  const findings = [...gateFindings(track, all), ...all.filter(({ check }) => check === 'external')];
  const found = { gate: 'evaluator', track, passed: findings.length === 0, findings };
  if (findings.length > 0) {
    if (!options.json) output.print(findingLines(findings).join('\n'));
    throw new UserError(
      `Gate evaluator failed: ${count(findings.length, 'finding')} in SPEC and PLAN of track ${track}`,
      {
        hint: 'mend these first; plimsoll evaluate shows what is found in all files of the track',
        found,
      },
    );
  }
  const others =
    all.length === 0
      ? ''
      : ` In its other files there ${all.length === 1 ? 'is' : 'are'} ${count(all.length, 'finding')}: plimsoll evaluate.`;
  output.print(
    options.json
      ? toJson(found)
      : `Gate evaluator passed: nothing is found in SPEC and PLAN of track ${track}.${others}`,
  );
}
