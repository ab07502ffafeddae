// Plans what `plimsoll init --tracks` would write here: documents, entry points and settings.
import { basename, join } from 'node:path';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { checkInProject, readInProjectOrNull } from '../../../platform/in-project.ts';
import { entriesIn, exists } from '../../../platform/look.ts';
import { setKey } from '../../../settings/edit/edit-toml.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { readLayers } from '../../../settings/layers.io.ts';
import { loadSettings } from '../../../settings/load.io.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { type ProjectProfile, projectFrom, sourceGlobs } from '../describe-project.ts';
import { withIgnored } from '../ignored.ts';
import { pagesFor } from '../templates.ts';
import { ENTRY_POINTS } from './entry-points.ts';
import { trackRoot } from './name-track.io.ts';

const projectFacts = (root: string): ProjectProfile =>
  projectFrom({
    folder: basename(root),
    entries: entriesIn(root),
    read: (name) => readInProjectOrNull(root, name),
  });

export interface TracksOptions {
  strict?: boolean;
  source?: string[];
}

export interface TracksPlan {
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
    else if (entry !== undefined) now['guardrails.paths'] = { ...now['guardrails.paths'], [entry]: value };
  }
  return guardrailOptions(now);
}

/** The globs that the project's files suggest as sources. */
export const suggestedGlobs = (place: ProjectContext): string[] =>
  sourceGlobs(projectFacts(trackRoot(place)));

/**
 * Plans the documents, entry points and settings.
 *
 * @param writable globs that may be written besides docs/ and artifacts/; ignored with `strict`
 * @throws `leads-out`
 */
export function tracksPlan(
  place: ProjectContext,
  options: TracksOptions,
  writable: readonly string[],
): TracksPlan {
  const root = trackRoot(place);
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
  ];
  const settings = wanted.filter(({ path }) => !isSet(place, path));
  const inForce = optionsWith(place, settings);
  const files = [
    ...pagesFor({ ...facts, writable: inForce.paths.writable, mode: inForce.mode }).map(
      ([path, text]) => [path, text, 0o644] as const,
    ),
    ...ENTRY_POINTS.map(([path, text]) => [path, text, 0o755] as const),
  ];
  for (const [path] of files) checkInProject(root, path);
  const created = files.filter(([path]) => !exists(join(root, path)));
  const before = readInProjectOrNull(root, '.gitignore');
  const after = withIgnored(before);
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
export function placeAfter(place: ProjectContext, plan: TracksPlan, isDone: boolean): ProjectContext {
  if (isDone) return { ...place, resolved: loadSettings(place.root, place.env) };
  const { mode } = optionsWith(place, plan.settings);
  const { resolved } = place;
  return { ...place, resolved: { ...resolved, settings: { ...resolved.settings, 'guardrails.mode': mode } } };
}
