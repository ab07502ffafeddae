// Runs `plimsoll track show --full`: rebuilds the state of a track in five steps, and prints what each one loaded.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { checkTrack } from '../files/track-files.io.ts';
import { recoveryIn } from '../files/track-inputs.io.ts';
import type { Loaded, Recovery } from '../recover.ts';
import { trackOrActive, trackRoot } from './name-track.io.ts';

const STEPS: Readonly<Record<Loaded['step'], string>> = {
  1: 'core files',
  2: 'files of the track',
  3: 'the checkpoint',
  4: 'transient files of the last session',
  5: 'what the state is made of',
};

function manifestLines(manifest: readonly Loaded[]): string[] {
  return ([1, 2, 3, 4, 5] as const).flatMap((step) => [
    `Step ${step}: ${STEPS[step]}`,
    ...manifest
      .filter((each) => each.step === step)
      .map(({ path, sha256, bytes, loaded }) =>
        sha256 === null
          ? `  ${'missing'.padEnd(8)}${path}`
          : `  ${loaded.padEnd(8)}${path} (${formatCount(bytes, 'byte')}, SHA-256 ${sha256})`,
      ),
  ]);
}

function stateLines({ tasks, decisions, risks, drift }: Recovery): string[] {
  const named = (id: string | null, text: string): string => `${id === null ? '' : `${id} `}${text}`;
  return [
    ...drift.map((name) => `${name} was changed after the checkpoint.`),
    `Tasks: ${tasks.filter(({ state }) => state === 'done').length} of ${tasks.length} done`,
    ...tasks.map(({ state, id, text }) => `  ${state.padEnd(8)}${named(id, text)}`),
    `Decisions, newest first: ${decisions.length}`,
    ...decisions.map(({ at, id, text }) => `  ${at ?? ''} ${named(id, text)}`.replace(/ {3}/, '  ')),
    `Open risks that are high or critical: ${risks.length}`,
    ...risks.map(({ severity, id, text }) => `  ${severity.padEnd(9)}${named(id, text)}`),
  ];
}

/** Prints manifest, state, and every file once. Returns false when something needed is missing or damaged. */
export function showWholeTrack(
  place: ProjectContext,
  id: string | undefined,
  options: { json?: boolean },
  output: Output,
): boolean {
  const root = trackRoot(place);
  const track = trackOrActive(place, id);
  checkTrack(root, track);
  const { files, ...recovery } = recoveryIn(root, track);
  const isWhole = recovery.faults.length === 0;
  if (options.json) {
    const texts = Object.fromEntries([...files].map(([path, { text }]) => [path, text]));
    output.print(toJson({ ...recovery, files: texts }));
    return isWhole;
  }
  const texts = [...files].flatMap(([path, { text }]) => ['', `===== ${path} =====`, text.trimEnd()]);
  const lines = [
    `Track ${track}`,
    ...manifestLines(recovery.manifest),
    '',
    ...stateLines(recovery),
    ...texts,
  ];
  output.print(stripControls(lines.join('\n')));
  for (const fault of recovery.faults) output.warn(stripControls(fault));
  return isWhole;
}
