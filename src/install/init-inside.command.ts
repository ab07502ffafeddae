// Runs `plimsoll init --host NAME` and `uninstall --host NAME` where we run in the host's own process: our file among its extensions.

import { type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import type { HostEntry } from '../hosts/host-entry.ts';
import { buildExtensionText, findHost, HOSTS } from '../hosts/registry.io.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { readTextOrNull, SETTINGS_FILE } from '../platform/read.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { remove, replaceFile } from '../platform/write.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { VERSION } from '../version.ts';
import { readInstalls, recordInstall } from './installs.io.ts';
import { type Ask, confirm, findBundleFile, findSettingsRoot } from './settings-file.io.ts';
import { installBundle, removeBundle } from './stable-bundle.io.ts';

export interface InsideOptions {
  host?: string;
  /** Not given: user, for all projects. */
  scope?: 'local' | 'project' | 'user';
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

type InsideHost = HostEntry & Required<Pick<HostEntry, 'inside'>>;

const isInside = (entry: HostEntry | null): entry is InsideHost => entry?.inside !== undefined;

/** The host that a call names, where we run in its process; null where it names none, or the one that starts hooks. */
export function findInsideHost(name: string | undefined): InsideHost | null {
  if (name === undefined || name === HOSTS[0].host.name) return null;
  const entry = findHost(name);
  if (isInside(entry)) return entry;
  throw new PlimsollError('usage', `"${name}" is no host that is known here`, {
    hint: `one of ${HOSTS.map(({ host }) => host.name).join(', ')}`,
  });
}

/** Our file among the extensions of a host, what stands there, and what should. */
function findExtension(place: ProjectContext, { host, inside }: InsideHost, { scope }: InsideOptions) {
  if (scope === 'local')
    throw new PlimsollError('usage', `${host.name} has no extensions that are yours in this project alone`, {
      hint: '--scope user for all your projects, --scope project for everybody in this one',
    });
  const of = scope ?? 'user';
  const path = inside.findExtension(of, findSettingsRoot(place, of), place.env);
  const before = readTextOrNull(path, SETTINGS_FILE);
  if (before !== null && !before.startsWith(OURS))
    throw new PlimsollError('conflict', `"${displayPath(path, place)}" is there already, and is not ours`, {
      hint: 'move it elsewhere, then run the command again; nothing was changed',
    });
  return { scope: of, path, before };
}

/** How every text of ours begins. */
const OURS = '// Plimsoll';

/** Puts our file among the host's extensions, and the bundle that it loads to its place. */
export async function initInside(
  place: ProjectContext,
  entry: InsideHost,
  options: InsideOptions,
  output: Output,
  ask: Ask,
  dist: string,
): Promise<void> {
  const { scope, path, before } = findExtension(place, entry, options);
  const text = buildExtensionText(entry);
  readInstalls(place.env);
  const isChanged = before !== text;
  const where = displayPath(path, place);
  const data = { changed: isChanged, host: entry.host.name, extension: path, version: VERSION };
  if (options.dryRun) {
    const would = before === null ? 'Would write' : 'Would change';
    output.print(
      options.json ? toJson(data) : isChanged ? `${would} ${where}.` : `Nothing to change: ${where}.`,
    );
    return;
  }
  if (isChanged) {
    if (!options.json) output.print(`An extension for ${entry.title}, which loads Plimsoll: ${where}`);
    await confirm(before === null ? 'Write it?' : 'Change it?', options, output, ask);
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (scope === 'project') ensureStateFolder(place.paths);
  if (isChanged) {
    replaceFile(path, text, { mode: 0o644 });
    recordInstall(place.env, path, { path, created: true, before: null, after: hashSha256(text) });
  }
  output.print(
    options.json
      ? toJson({ ...data, bundle_replaced: isReplaced })
      : [
          `Plimsoll ${VERSION} is on in ${entry.title} for ${scope === 'user' ? 'all your projects' : 'this project'}.`,
          `  extension  ${where}`,
          `  bundle     ${displayPath(findBundleFile(place, 'hosts.cjs'), place)}${isReplaced ? ', exchanged' : ''}`,
          'New sessions have it at once; a running one after a restart.',
          'Next: work as usual. "plimsoll status" shows the context usage, "plimsoll off" silences it.',
        ].join('\n'),
  );
}

/** Removes our file, and the bundle where nothing else needs it. */
export async function uninstallInside(
  place: ProjectContext,
  entry: InsideHost,
  options: InsideOptions,
  output: Output,
  ask: Ask,
): Promise<void> {
  const { path, before } = findExtension(place, entry, options);
  const where = displayPath(path, place);
  if (before === null || options.dryRun) {
    const said = before === null ? `Nothing to remove: there is no ${where}.` : `Would remove ${where}.`;
    output.print(options.json ? toJson({ changed: before !== null, extension: path }) : said);
    return;
  }
  if (!options.json) output.print(`To remove: ${where}`);
  await confirm('Remove it?', options, output, ask);
  remove(path);
  recordInstall(place.env, path, null);
  const isLast = readInstalls(place.env).length === 0;
  if (isLast) removeBundle(place.env);
  output.print(
    options.json
      ? toJson({ changed: true, extension: path, bundle_removed: isLast })
      : `Plimsoll is removed from ${entry.title}${isLast ? ', and its bundle with it' : ''}. Checkpoints stay.`,
  );
}
