// Runs `plimsoll init --tracks`: sets a project up for tracks (documents, entry points, guardrails), then runs init.

import { basename, join } from 'node:path';
import { type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { USUAL_TOOLS } from '../../../hosts/claude-code/tools/kinds.ts';
import { init } from '../../../install/init.command.ts';
import type { InitOptions } from '../../../install/init-plan.io.ts';
import { type Ask, type AskText, askPerson, confirm } from '../../../install/settings-file.io.ts';
import { isIgnored } from '../../../platform/git/git-state.ts';
import { checkInProject, readInProjectOrNull } from '../../../platform/in-project.ts';
import { exists, listEntries } from '../../../platform/look.ts';
import { changeSettings } from '../../../settings/commands/config-set.command.ts';
import { changeConfigFile } from '../../../settings/edit/config-file.io.ts';
import { setKey } from '../../../settings/edit/edit-toml.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { readLayers } from '../../../settings/layers.io.ts';
import { loadSettings } from '../../../settings/load.io.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import { describeProject, listSourceGlobs, type ProjectProfile, parseGlobs } from '../describe-project.ts';
import { createFiles } from '../files/find-tracks.io.ts';
import { ALL_PAGES, composePages, FIRST_PAGES, PAGE_NAMES, parsePageNames } from '../templates.ts';
import { addIgnored, ENTRY_POINTS } from './entry-points.ts';
import { requireRoot } from './name-track.io.ts';

export interface InitTracksOptions extends InitOptions, TracksOptions {
  tracks?: boolean;
}

/** The globs from the options, else from the person's answer, else those that the project's files suggest. */
async function globsFor(
  place: ProjectContext,
  options: InitTracksOptions,
  output: Output,
  askText: AskText,
): Promise<string[]> {
  if (options.strict) return [];
  if (options.source !== undefined) return options.source;
  const suggested = listSourceGlobs(projectFacts(requireRoot(place)));
  const question = 'Which files may be written besides docs/ and artifacts/? Globs, with commas between';
  const said = await askPerson(options, output, askText, { question, suggested });
  return said === null ? suggested : parseGlobs(said);
}

/** The documents that the person wants: three to begin with, all with --all. */
async function documentsFor(
  options: InitTracksOptions,
  output: Output,
  askText: AskText,
): Promise<readonly string[]> {
  if (options.all) return [ALL_PAGES];
  const question = `Which documents in docs/context/? Names, with commas between, or "${ALL_PAGES}" (${PAGE_NAMES.join(', ')}, and automation/hooks/)`;
  const said = await askPerson(options, output, askText, { question, suggested: FIRST_PAGES });
  return said === null ? FIRST_PAGES : parsePageNames(said);
}

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
          ...settings.map(({ path, value }) => `  ${path.join('.')} = ${JSON.stringify(value)}`),
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
    changeConfigFile(join(plan.root, '.gitignore'), addIgnored, plan.root);
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
  const documents = await documentsFor(options, output, asks.askText);
  const plan = tracksPlan(place, options, globs, documents);
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

const projectFacts = (root: string): ProjectProfile =>
  describeProject({
    folder: basename(root),
    entries: listEntries(root),
    read: (name) => readInProjectOrNull(root, name),
  });

interface TracksOptions {
  strict?: boolean;
  all?: boolean;
  source?: string[];
}

interface TracksPlan {
  root: string;
  facts: ProjectProfile;
  /** Globs that may be written besides docs/ and artifacts/. */
  writable: string[];
  /** Files that are created: path from the root, text, mode. */
  created: (readonly [path: string, text: string, mode: number])[];
  /** Files that exist and stay as they are. */
  kept: string[];
  /** Settings that the project's file gets, and those that it has already. */
  settings: { path: string[]; value: unknown }[];
  keptSettings: string[];
  /** The new text of .gitignore; null where it needs no change. */
  ignored: string | null;
  isChanged: boolean;
}

/** Whether the project's own settings file has a key, or a table with that entry. */
function isSet(place: ProjectContext, path: readonly string[]): boolean {
  const layer = readLayers(place.root, place.env).layers.find(({ origin }) => origin === 'project');
  const [table, key, entry] = path;
  const value: unknown = layer?.values[`${table}.${key}`];
  if (value === undefined || entry === undefined) return value !== undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, entry);
}

/** The guardrails' options after these settings are written. */
function optionsWith(place: ProjectContext, settings: TracksPlan['settings']): GuardrailOptions {
  const now = { ...place.resolved.settings };
  for (const { path, value } of settings) {
    const [, key, entry] = path;
    if (key === 'mode') now['guardrails.mode'] = value as 'warn';
    else if (key === 'preset') now['guardrails.preset'] = value as 'tracks';
    else if (key === 'tools') now['guardrails.tools'] = { ...now['guardrails.tools'], [entry ?? '']: value };
    else if (entry !== undefined) now['guardrails.paths'] = { ...now['guardrails.paths'], [entry]: value };
  }
  return readGuardrailOptions(now);
}

/**
 * Plans the documents, entry points and settings.
 *
 * @param writable globs that may be written besides docs/ and artifacts/; ignored with `strict`
 * @param documents names of pages, or `all` for every page and entry point
 * @throws `leads-out`
 */
function tracksPlan(
  place: ProjectContext,
  options: TracksOptions,
  writable: readonly string[],
  documents: readonly string[],
): TracksPlan {
  const root = requireRoot(place);
  const facts = projectFacts(root);
  const globs = options.strict ? [] : [...writable];
  const globsKey = {
    path: ['guardrails', 'paths', 'writable'],
    value: ['docs/**', 'artifacts/**', ...globs],
  };
  const wanted = [
    { path: ['guardrails', 'preset'], value: 'tracks' },
    { path: ['guardrails', 'mode'], value: options.strict ? 'enforce' : 'warn' },
    // The preset itself allows no other places; a list that is set already is reported.
    ...(options.strict && !isSet(place, globsKey.path) ? [] : [globsKey]),
    ...(options.strict
      ? [
          { path: ['guardrails', 'tools', 'allow'], value: USUAL_TOOLS },
          { path: ['guardrails', 'tools', 'unknown'], value: 'ask' },
        ]
      : []),
  ];
  const settings = wanted.filter(({ path }) => !isSet(place, path));
  const inForce = optionsWith(place, settings);
  const isAll = documents.includes(ALL_PAGES);
  const files = [
    ...composePages(
      {
        ...facts,
        writable: inForce.paths.writable,
        mode: inForce.mode,
        hasTools: inForce.tools.allow.length > 0,
      },
      isAll ? PAGE_NAMES : documents,
    ).map(([path, text]) => [path, text, 0o644] as const),
    ...(isAll ? ENTRY_POINTS : []).map(([path, text]) => [path, text, 0o755] as const),
  ];
  for (const [path] of files) checkInProject(root, path);
  const created = files.filter(([path]) => !exists(join(root, path)));
  const before = readInProjectOrNull(root, '.gitignore');
  const after = addIgnored(before);
  const ignored = after === (before ?? '') ? null : after;
  return {
    root,
    facts,
    writable: globs,
    created,
    kept: files.map(([path]) => path).filter((path) => exists(join(root, path))),
    settings,
    keptSettings: wanted.filter((each) => !settings.includes(each)).map(({ path }) => path.join('.')),
    ignored,
    isChanged: created.length > 0 || settings.length > 0 || ignored !== null,
  };
}

/** The text of the settings file with the plan's settings in it. */
export const withSettings = (text: string, { settings }: TracksPlan): string =>
  settings.reduce((before, { path, value }) => setKey(before, path, value), text);

/** The project context after the plan is carried out: init registers the hooks that its settings need. */
function placeAfter(place: ProjectContext, plan: TracksPlan, isDone: boolean): ProjectContext {
  if (isDone) return { ...place, resolved: loadSettings(place.root, place.env) };
  const { mode } = optionsWith(place, plan.settings);
  const { resolved } = place;
  return { ...place, resolved: { ...resolved, settings: { ...resolved.settings, 'guardrails.mode': mode } } };
}
