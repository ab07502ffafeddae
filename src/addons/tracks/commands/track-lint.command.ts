// Runs `plimsoll track lint`: finds what keeps a track from being worked on, also by the project's own command.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { listNotFollowed } from '../../../settings/resolved.ts';
import type { TrackFinding } from '../checks/check.ts';
import { CHECK_NAMES, evaluate, evaluateEntries, toFinding } from '../checks/evaluate.ts';
import { parseEntryPath } from '../entries/stored-entries.ts';
import { readTrackAsNoted } from '../files/compact-track.io.ts';
import { readCompactionFiles } from '../files/compaction-inputs.io.ts';
import { runEvaluator } from './check-tracks.io.ts';
import { requireRoot, resolveTrack } from './name-track.io.ts';

const MOST_LINES = 50;

/** Parses `src/a.ts:12: message`, the form of most programs; any other line becomes the message as a whole. */
function findingIn(line: string, command: string): TrackFinding {
  const [, file = null, number, message = line] = /^([^\s:]+):(\d+):(?:\d+:)?\s*(.+)$/.exec(line) ?? [];
  const next = `see "${command}", which is tracks.evaluator`;
  return {
    check: 'external',
    file,
    line: number === undefined ? null : Number(number),
    message: stripControls(message).slice(0, 500),
    next,
  };
}

/** Runs the project's own command: no findings when it exits with 0, else one for each line of its output. */
function ownFindings(place: ProjectContext, root: string, track: string): TrackFinding[] {
  const command = place.resolved.settings['tracks.evaluator'].trim();
  if (command === '') return [];
  const { code, lines, fault } = runEvaluator(command, root, track, place.env);
  if (code === 0) return [];
  const findings = lines.slice(0, MOST_LINES).map((line) => findingIn(line, command));
  if (findings.length > 0 && fault === null) return findings;
  const message =
    fault === null
      ? `it ended with exit code ${code} and said nothing`
      : `it did not end by itself: ${fault}`;
  return [
    ...findings,
    {
      check: 'external',
      file: null,
      line: null,
      message,
      next: `run "${command}" by hand; it is tracks.evaluator`,
    },
  ];
}

/** All findings on a track, ours first. */
export const listTrackFindings = (place: ProjectContext, track: string): TrackFinding[] => {
  const root = requireRoot(place);
  const { files, faults } = readCompactionFiles(root, track, null);
  const ofEntries = faults.filter(({ file }) => parseEntryPath(file) !== null).map(toFinding);
  return [
    ...evaluate(track, readTrackAsNoted(root, track)),
    ...ofEntries,
    ...evaluateEntries(track, files),
    ...ownFindings(place, root, track),
  ];
};

/** Formats each finding with its place and the next step. */
const findingLines = (findings: readonly TrackFinding[]): string[] =>
  findings.flatMap(({ check, file, line, message, next }) => [
    `  ${file === null ? '' : `${stripControls(file)}${line === null ? '' : `:${line}`}: `}${stripControls(message)} (${check})`,
    `    Next: ${stripControls(next)}`,
  ]);

/** The note for a project's command that its user has not trusted; null where there is no such command. */
export const explainNotRun = (place: ProjectContext): string | null =>
  listNotFollowed(place.resolved).includes('tracks.evaluator')
    ? "The project's own command (tracks.evaluator) was not run. Next: plimsoll trust shows it, and asks"
    : null;

/** Prints the findings; returns true when there are none. */
export function lintTrack(
  place: ProjectContext,
  id: string | undefined,
  options: { json?: boolean },
  output: Output,
): boolean {
  const track = resolveTrack(place, id);
  const findings = listTrackFindings(place, track);
  const isReady = findings.length === 0;
  const hasOwn = place.resolved.settings['tracks.evaluator'].trim() !== '';
  const left = explainNotRun(place);
  if (options.json) {
    const checks = [...CHECK_NAMES, ...(hasOwn ? ['external'] : [])];
    output.print(toJson({ track, passed: isReady, checks, findings, notes: left === null ? [] : [left] }));
    return isReady;
  }
  output.print(
    [
      isReady
        ? `Track ${track} passes: ${formatCount(CHECK_NAMES.length + (hasOwn ? 1 : 0), 'check')}, nothing found.`
        : `Track ${track} does not pass: ${formatCount(findings.length, 'finding')}.`,
      ...findingLines(findings),
      ...(left === null ? [] : [left]),
    ].join('\n'),
  );
  return isReady;
}
