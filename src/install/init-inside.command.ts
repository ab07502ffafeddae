// Runs `plimsoll init --host NAME` and `uninstall --host NAME`: one file of the host holds what switches us on there.

import { type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import type { HostEntry } from '../hosts/host-entry.ts';
import { findHost, HOSTS } from '../hosts/registry.io.ts';
import { exists } from '../platform/look.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { readTextOrNull, SETTINGS_FILE } from '../platform/read.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { remove, replaceFile } from '../platform/write.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { VERSION } from '../version.ts';
import { finishRemoval, formatNext, readInstalls, recordInstall } from './installs.io.ts';
import { type Ask, confirm, findBundleFile, findSettingsRoot } from './settings-file.io.ts';
import { findPlaces, withoutSetup, withSetup } from './settings-text.ts';
import { installBundle } from './stable-bundle.io.ts';

export interface InsideOptions {
  host?: string;
  /** Not given: user, for all projects. */
  scope?: 'local' | 'project' | 'user';
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

type InsideHost = HostEntry & Required<Pick<HostEntry, 'setup'>>;

const isInside = (entry: HostEntry | null): entry is InsideHost => entry?.setup !== undefined;

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
function findExtension(place: ProjectContext, { host, setup }: InsideHost, { scope }: InsideOptions) {
  if (scope === 'local')
    throw new PlimsollError('usage', `${host.name} has no extensions that are yours in this project alone`, {
      hint: '--scope user for all your projects, --scope project for everybody in this one',
    });
  const of = scope ?? 'user';
  const path = setup.findFile(of, findSettingsRoot(place, of), place.env);
  const before = readTextOrNull(path, SETTINGS_FILE);
  if (before !== null && !('hooks' in setup) && !setup.isOurs(before))
    throw new PlimsollError('conflict', `"${displayPath(path, place)}" is there already, and is not ours`, {
      hint: 'move it elsewhere, then run the command again; nothing was changed',
    });
  return { scope: of, path, before };
}

/** The text with what is ours. @throws PlimsollError where what stands there cannot be read */
function buildText(
  place: ProjectContext,
  { setup }: InsideHost,
  path: string,
  before: string | null,
): string {
  try {
    return withSetup(setup, before);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PlimsollError('invalid', `Cannot read "${displayPath(path, place)}": ${why}`, {
      hint: 'mend that file, then run the command again; nothing was changed',
    });
  }
}

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
  const text = buildText(place, entry, path, before);
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
    if (!options.json) output.print(`For ${entry.title}, to switch Plimsoll on: ${where}`);
    await confirm(before === null ? 'Write it?' : 'Change it?', options, output, ask);
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (scope === 'project') ensureStateFolder(place.paths);
  if (isChanged) {
    replaceFile(path, text, { mode: 0o644 });
    const known = readInstalls(place.env).find((each) => each.path === path);
    const first = known ?? { created: before === null, before };
    recordInstall(place.env, path, { ...first, path, after: hashSha256(text) });
  }
  const { setup } = entry;
  const untrusted = 'hooks' in setup ? setup.listUntrusted(path, findPlaces(text), place.env) : null;
  output.print(
    options.json
      ? toJson({ ...data, bundle_replaced: isReplaced, ...(untrusted === null ? {} : { untrusted }) })
      : [
          `Plimsoll ${VERSION} is ${untrusted?.length ? 'registered with' : 'on in'} ${entry.title} for ${scope === 'user' ? 'all your projects' : 'this project'}.`,
          `  file       ${where}`,
          `  bundle     ${displayPath(findBundleFile(place, 'hosts.cjs'), place)}${isReplaced ? ', exchanged' : ''}`,
          ...(untrusted?.length
            ? [`${entry.title} does not run it yet. ${setup.next ?? ''}`]
            : ['New sessions have it at once; a running one after a restart.']),
          formatNext(` --host ${entry.host.name}${scope === 'user' ? '' : ` --scope ${scope}`}`),
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
  const { path, before, scope } = findExtension(place, entry, options);
  const where = displayPath(path, place);
  const isThere = before !== null && entry.setup.isOurs(before);
  if (!isThere || options.dryRun) {
    const said = isThere
      ? `Would take Plimsoll out of ${where}.`
      : `Nothing to remove: nothing of plimsoll in ${where}.`;
    output.print(options.json ? toJson({ changed: isThere, extension: path }) : said);
    return;
  }
  if (!options.json) output.print(`To remove from ${entry.title}: ${where}`);
  await confirm('Remove it?', options, output, ask);
  const install = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const isUntouched = install !== null && hashSha256(before) === install.after;
  const left = isUntouched ? install.before : withoutSetup(entry.setup, before, install?.before ?? null);
  if (left === null) remove(path);
  else replaceFile(path, left, { mode: 0o644 });
  recordInstall(place.env, path, null);
  const { isLast, left: rest } = finishRemoval(place, scope);
  output.print(
    options.json
      ? toJson({ changed: true, extension: path, bundle_removed: isLast })
      : [`Plimsoll is removed from ${entry.title}${isLast ? ', and its bundle with it' : ''}.`, ...rest].join(
          '\n',
        ),
  );
}

/** Offers the other hosts of this machine, where they are not served yet: asks, or says how where nobody can be asked. */
export async function offerOthers(
  place: ProjectContext,
  options: InsideOptions,
  output: Output,
  ask: Ask,
  dist: string,
): Promise<void> {
  if (options.json || options.dryRun) return;
  const others = HOSTS.filter(isInside).filter(({ setup }) => {
    const text = readTextOrNull(setup.findFile('user', place.cwd, place.env), SETTINGS_FILE);
    const isServed =
      (text !== null && setup.isOurs(text)) || setup.findPackage?.('user', place.cwd, place.env) != null;
    return exists(setup.findFolder(place.env)) && !isServed;
  });
  const isAsked = output.isInteractive() && !options.yes;
  for (const entry of isAsked ? others : [])
    if (await ask(`${entry.title} is on this machine too. Serve it as well?`))
      await initInside(place, entry, { yes: true }, output, ask, dist);
  if (isAsked || others.length === 0) return;
  const names = others.map(({ title }) => title).join(', ');
  const calls = others.map(({ host }) => `plimsoll init --host ${host.name}`).join('; ');
  output.print(`Also on this machine: ${names}. To serve ${others.length === 1 ? 'it' : 'them'}: ${calls}`);
}
