// Runs `plimsoll track verify`: what must hold of a track is proven by doing it, in four gates.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import type { TrackFinding } from '../checks/check.ts';
import { CHECK_NAMES, gateFindings } from '../checks/evaluate.ts';
import { type GateResult, gateResult } from '../checks/gate.ts';
import { gateDeterminism } from './gate-determinism.io.ts';
import { gateGuardrails } from './gate-guardrails.io.ts';
import { gateRecovery } from './gate-recovery.io.ts';
import { trackOrActive } from './name-track.io.ts';
import { findingsOn, notRun } from './track-lint.command.ts';

const MOST_TOLD = 5;

const told = (findings: readonly TrackFinding[]): string =>
  [
    ...findings.slice(0, MOST_TOLD).map(({ file, line, message, next }) => {
      const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
      return `${where}${message}; ${next}`;
    }),
    ...(findings.length > MOST_TOLD ? [`and ${findings.length - MOST_TOLD} more`] : []),
  ].join('\n        ');

/**
 * Gate "evaluator": SPEC.md and PLAN.md pass before anything is executed. Counts the findings for which the hook blocks a
 * tool call, and those of the project's own command.
 */
function gateEvaluator(place: ProjectContext, track: string): GateResult {
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
    others === 0
      ? []
      : [`In other files of the track: ${formatCount(others, 'finding')}, see plimsoll track lint.`];
  const left = notRun(place);
  return gateResult('evaluator', checks, left === null ? notes : [...notes, left]);
}

function gateText({ gate, state, checks, notes }: GateResult): string {
  const lines = checks.map(({ says, holds, found }) =>
    holds ? `  ok    ${says}` : `  NOT   ${says}${found === undefined ? '' : `: ${found}`}`,
  );
  return [`${gate}: ${state}`, ...lines, ...notes.map((note) => `  ${note}`)].join('\n');
}

/**
 * Runs the gates of a track and prints what each of them saw; returns false when one has failed.
 * @param dist folder of the command line, `self` its path: it is run anew in copies of the track
 */
export async function verifyTrack(
  place: ProjectContext,
  given: string | undefined,
  options: { json?: boolean },
  output: Output,
  { self, dist }: { self: string; dist: string },
): Promise<boolean> {
  const track = trackOrActive(place, given);
  const gates = [
    gateEvaluator(place, track),
    gateDeterminism(place, track, self),
    await gateRecovery(place, track),
    await gateGuardrails(place, dist),
  ];
  output.print(options.json ? toJson({ track, gates }) : stripControls(gates.map(gateText).join('\n')));
  return gates.every(({ state }) => state !== 'failed');
}
