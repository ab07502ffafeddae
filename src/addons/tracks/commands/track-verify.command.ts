// Runs `plimsoll track verify`: what must hold of a track is proven by doing it, in four gates; `check --all` runs three.

import { dirname } from 'node:path';
import type { CheckFinding } from '../../../cli/check-finding.ts';
import type { Check } from '../../../cli/check-port.io.ts';
import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { exists } from '../../../platform/look.ts';
import type { TrackFinding } from '../checks/check.ts';
import { CHECK_NAMES, selectGateFindings } from '../checks/evaluate.ts';
import { latestFile } from '../layout.ts';
import type { GateResult } from './gates.io.ts';
import { makeGateResult, runDeterminismGate, runGuardrailsGate, runRecoveryGate } from './gates.io.ts';
import { readActiveHere, requireRoot, resolveTrack } from './name-track.io.ts';
import { explainNotRun, listTrackFindings } from './track-lint.command.ts';

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
  const all = listTrackFindings(place, track);
  const counted = [...selectGateFindings(track, all), ...all.filter(({ check }) => check === 'external')];
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
  const left = explainNotRun(place);
  return makeGateResult('evaluator', checks, left === null ? notes : [...notes, left]);
}

function gateText({ gate, state, checks, notes }: GateResult): string {
  const lines = checks.map(({ says, holds, found }) =>
    holds ? `  ok    ${says}` : `  NOT   ${says}${found === undefined ? '' : `: ${found}`}`,
  );
  return [`${gate}: ${state}`, ...lines, ...notes.map((note) => `  ${note}`)].join('\n');
}

/**
 * Runs the gates of a track and prints what each of them saw; returns false when one has failed.
 * @param dist folder of the command line, whose hook is tried where none is installed
 */
export async function verifyTrack(
  place: ProjectContext,
  given: string | undefined,
  options: { json?: boolean },
  output: Output,
  dist: string,
): Promise<boolean> {
  const track = resolveTrack(place, given);
  const gates = [
    gateEvaluator(place, track),
    runDeterminismGate(place, track),
    runRecoveryGate(place, track),
    await runGuardrailsGate(place, dist),
  ];
  output.print(options.json ? toJson({ track, gates }) : stripControls(gates.map(gateText).join('\n')));
  return gates.every(({ state }) => state !== 'failed');
}

const findingsOf = ({ gate, state, checks }: GateResult): CheckFinding[] =>
  state !== 'failed'
    ? []
    : checks
        .filter(({ holds }) => !holds)
        .map(({ says, found }) => ({
          check: 'gates',
          rule: gate,
          level: 'error',
          file: null,
          line: null,
          message: `the gate "${gate}" does not hold: not seen that ${says}${found === undefined ? '' : `: ${found}`}`,
          next: 'plimsoll track verify shows it',
        }));

/** Check "gates": with --all, the gates of the active track and the guardrails' hook hold. */
export const gatesCheck: Check = {
  name: 'gates',
  rules: {
    determinism: 'A track is not compacted to the same bytes whatever the order of its files.',
    recovery: 'The plan of a track cannot be rebuilt to what its checkpoint has.',
    guardrails: 'The hook does not deny, or does not note, a write that the settings forbid.',
  },
  look: async ({ scope, place, self }) => {
    if (scope !== 'all') return [];
    const { settings } = place.resolved;
    const track = settings['tracks.enabled'] === 'off' ? null : readActiveHere(place).track;
    // A track that was never compacted has no checkpoint to rebuild from, which is no error.
    const isCompacted = track !== null && exists(`${requireRoot(place)}/${latestFile(track)}`);
    return [
      ...(track === null ? [] : [runDeterminismGate(place, track)]),
      ...(isCompacted ? [runRecoveryGate(place, track)] : []),
      ...(settings['guardrails.mode'] === 'enforce' ? [await runGuardrailsGate(place, dirname(self))] : []),
    ].flatMap(findingsOf);
  },
};
