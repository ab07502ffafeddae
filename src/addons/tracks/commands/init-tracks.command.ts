// Runs `plimsoll init --tracks`: sets a project up for tracks (documents, entry points, guardrails), then runs init.

import { join } from 'node:path';
import { type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { init } from '../../../install/init.command.ts';
import type { InitOptions } from '../../../install/init-plan.io.ts';
import { type Ask, confirm } from '../../../install/settings-file.io.ts';
import { isIgnored } from '../../../platform/git/git-state.ts';
import { changeSettings } from '../../../settings/commands/config-set.command.ts';
import { changeConfigFile } from '../../../settings/edit/config-file.io.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { createFiles } from '../files/track-files.io.ts';
import { withIgnored } from '../ignored.ts';
import {
  placeAfter,
  suggestedGlobs,
  type TracksOptions,
  type TracksPlan,
  tracksPlan,
  withSettings,
} from './init-tracks-plan.io.ts';

export interface InitTracksOptions extends InitOptions, TracksOptions {
  tracks?: boolean;
}

/** Asks a person for a line of text; null when they cancel. */
export type AskText = (question: string, suggested: string) => Promise<string | null>;

const globsIn = (text: string): string[] =>
  text
    .split(/[,\s]+(?![^{]*\})/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** The globs from the options, else from the person's answer, else those that the project's files suggest. */
async function globsFor(
  place: ProjectContext,
  options: InitTracksOptions,
  output: Output,
  askText: AskText,
): Promise<string[]> {
  if (options.strict) return [];
  if (options.source !== undefined) return options.source;
  const suggested = suggestedGlobs(place);
  if (options.yes || options.dryRun || options.json || !output.isInteractive) return suggested;
  const said = await askText(
    'Which files may be written besides docs/ and artifacts/? Globs, with commas between',
    suggested.join(', '),
  );
  if (said === null)
    throw new PlimsollError('declined', 'Nothing was changed', {
      hint: 'run the command again when you are ready',
    });
  return globsIn(said);
}

const settingText = ({ path, value }: TracksPlan['settings'][number]): string =>
  `${path.join('.')} = ${JSON.stringify(value)}`;

/** Whether git ignores the part of artifacts/ that has to be committed: a fresh clone recovers from it. */
const isHidden = (place: ProjectContext, root: string): boolean =>
  isIgnored(root, join(root, 'artifacts/checkpoints/track/latest.json'), place.env) === true;

function words(place: ProjectContext, plan: TracksPlan, tense: 'would' | 'will'): string {
  const verb = tense === 'would' ? 'Would create' : 'To create';
  const set = tense === 'would' ? 'Would set' : 'To set';
  const { created, kept, settings, keptSettings, ignored, writable, root } = plan;
  const strict = settings.some(({ value }) => value === 'enforce');
  return [
    ...(created.length === 0 ? [] : [`${verb}:`, ...created.map(([path]) => `  ${path}`)]),
    ...kept.map((path) => `  ${path} is there, and stays as it is`),
    ...(settings.length === 0
      ? []
      : [
          `${set} in ${displayPath(place.paths.config, place)}:`,
          ...settings.map((each) => `  ${settingText(each)}`),
        ]),
    ...keptSettings.map(
      (key) =>
        `  ${key} is set there already, and stays: plimsoll config set ${key} VALUE --scope project changes it`,
    ),
    ...(ignored === null
      ? []
      : [
          `${tense === 'would' ? 'Would add' : 'To add'} to .gitignore: artifacts/sessions/, what sessions leave behind`,
        ]),
    ...(isHidden(place, root)
      ? [
          'Note: git ignores artifacts/checkpoints/. A fresh clone then has no checkpoint to recover from: take that line out of .gitignore',
        ]
      : []),
    ...(writable.length === 0 && !strict && settings.length > 0
      ? [
          'Note: no sources were found; only docs/ and artifacts/ may be written without a warning: --source GLOB adds others',
        ]
      : []),
  ].join('\n');
}

const dataOf = ({
  facts,
  writable,
  created,
  kept,
  settings,
  keptSettings,
  ignored,
  isChanged,
}: TracksPlan) => ({
  changed: isChanged,
  project: facts,
  writable,
  created: created.map(([path]) => path),
  kept,
  settings: Object.fromEntries(settings.map(({ path, value }) => [path.join('.'), value])),
  kept_settings: keptSettings,
  gitignore_changed: ignored !== null,
});

/** Carries a plan out without overwriting any file. Returns notes on what a person has to do by hand. */
function carryOut(place: ProjectContext, plan: TracksPlan): string[] {
  // Settings first: where they are refused, nothing is written.
  if (plan.settings.length > 0)
    changeSettings(place, 'project', 'The guardrails of tracks', (text) => withSettings(text, plan));
  createFiles(plan.root, plan.created);
  if (plan.ignored === null) return [];
  try {
    changeConfigFile(join(plan.root, '.gitignore'), withIgnored, plan.root);
    return [];
  } catch (error) {
    if (!isError(error)) throw error;
    return [`Note: .gitignore was not changed, ${error.message}: add artifacts/sessions/ to it by hand`];
  }
}

/** Writes documents, entry points and guardrails of tracks, then runs init. */
export async function initTracks(
  place: ProjectContext,
  options: InitTracksOptions,
  output: Output,
  asks: { ask: Ask; askText: AskText },
  dist: string,
): Promise<void> {
  const globs = await globsFor(place, options, output, asks.askText);
  const plan = tracksPlan(place, options, globs);
  const isDone = plan.isChanged && !options.dryRun;
  const notes: string[] = [];
  if (plan.isChanged && !options.json) output.print(words(place, plan, options.dryRun ? 'would' : 'will'));
  if (!plan.isChanged && !options.json)
    output.print('Documents, entry points and guardrails of tracks are there.');
  if (isDone) {
    await confirm('Write these?', options, output, asks.ask);
    notes.push(...carryOut(place, plan));
  }
  // Prints one JSON document: init's output about the hooks, with the tracks' data in it.
  const joined: Output = options.json
    ? {
        ...output,
        print: (text) =>
          output.print(toJson({ ...(JSON.parse(text) as object), tracks: { ...dataOf(plan), notes } })),
      }
    : output;
  await init(placeAfter(place, plan, isDone), options, joined, asks.ask, dist);
  if (!options.json && !options.dryRun)
    output.print(
      [
        ...notes,
        'Tracks: "plimsoll track new ID" begins one. The documents are yours: "plimsoll uninstall" leaves them.',
      ].join('\n'),
    );
}
