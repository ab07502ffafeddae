// How does a project get its hooks, and how do they go again, with every other byte of the settings kept?
import { createHash } from 'node:crypto';
import { type Registration, registrationsFor } from '../agents/claude-code-hooks.ts';
import { ensureStateFolder, remove } from '../store/atomic.ts';
import { installBundle, removeBundle } from '../store/bundle.ts';
import {
  clientVersion,
  removeSettings,
  type Scope,
  settingsPath,
  writeSettings,
} from '../store/client-files.ts';
import { exists } from '../store/files.ts';
import { foreignText } from '../store/foreign.ts';
import { readInstalls, recordInstall } from '../store/installs.ts';
import { userPaths } from '../store/paths.ts';
import { VERSION } from '../version.ts';
import { type Output, toJson, UserError } from './output.ts';
import { type Place, shown } from './place.ts';
import { faultIn, installedIn, withHooks, withoutHooks } from './settings-text.ts';

export interface InitOptions {
  scope?: Scope;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
  clientVersion?: string;
}

/** Asks a person; the answer decides. */
export type Ask = (question: string) => Promise<boolean>;

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

function rootFor(place: Place, scope: Scope): string {
  if (scope === 'user') return place.cwd;
  if (place.root !== null) return place.root;
  throw new UserError('The home folder and "/" are no projects', {
    hint: 'go to a project and run plimsoll init there, or use --scope user for all projects',
  });
}

/** The settings' text; a BOM is kept apart, so that the edits see JSON and the file keeps it. */
function readSettings(path: string, place: Place): { text: string | null; bom: string } {
  const raw = foreignText(path);
  const bom = raw?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = raw?.slice(bom.length) ?? null;
  const fault = text === null || text.trim() === '' ? null : faultIn(text);
  if (fault === null) return { text, bom };
  throw new UserError(`Cannot read the client's settings "${shown(path, place)}", ${fault}`, {
    hint: 'correct the file (JSON without comments), then run the command again; nothing was changed',
  });
}

async function confirm(
  question: string,
  options: { yes?: boolean },
  output: Output,
  ask: Ask,
): Promise<void> {
  if (options.yes) return;
  if (!output.isInteractive) {
    throw new UserError('Nobody can be asked here: this is no terminal', {
      hint: 'run it again with --yes to accept, or with --dry-run to see the change only',
      code: 2,
    });
  }
  if (!(await ask(question)))
    throw new UserError('Nothing was changed', { hint: 'run the command again when you are ready' });
}

/** Other scopes whose settings hold our hooks as well. */
function otherScopes(place: Place, scope: Scope): Scope[] {
  return (['local', 'project', 'user'] as const).filter((each) => {
    if (each === scope || (each !== 'user' && place.root === null)) return false;
    const text = foreignText(settingsPath(each, place.root ?? place.cwd, place.env));
    return text !== null && installedIn(text.replace(/^\uFEFF/, '')).length > 0;
  });
}

const keyOf = (each: Registration): string =>
  JSON.stringify([each.event, each.matcher ?? null, each.command, each.args ?? null, each.timeout]);

const same = (a: readonly Registration[], b: readonly Registration[]): boolean =>
  JSON.stringify(a.map(keyOf).sort()) === JSON.stringify(b.map(keyOf).sort());

const hookLines = (registrations: readonly Registration[]): string =>
  registrations
    .map(
      ({ event, matcher, timeout }) =>
        `  + ${event}${matcher === undefined ? '' : ` (${matcher})`}, at most ${timeout} s`,
    )
    .join('\n');

/**
 * Puts the hooks into the client's settings and the bundle into its stable place.
 * @param dist folder with the built chunks
 */
export async function init(
  place: Place,
  options: InitOptions,
  output: Output,
  ask: Ask,
  dist: string,
): Promise<void> {
  const scope = options.scope ?? 'local';
  const path = settingsPath(scope, rootFor(place, scope), place.env);
  const { text: before, bom } = readSettings(path, place);
  if (options.clientVersion !== undefined && !/^\d+\.\d+\.\d+$/.test(options.clientVersion)) {
    throw new UserError(`"${options.clientVersion}" is no version of Claude Code`, {
      hint: 'give it as claude --version prints it, e.g. --client-version 2.1.332',
      code: 2,
    });
  }
  const version = options.clientVersion ?? clientVersion(place.env);
  const bundle = `${userPaths(place.env).current}/hook.cjs`;
  const wanted = registrationsFor({
    clientVersion: version,
    bundle,
    node: process.execPath,
    windows: process.platform === 'win32',
    isShared: scope === 'project',
  });
  const isThere = before !== null && same(installedIn(before), wanted);
  const after = isThere ? before : withHooks(before ?? '', wanted);
  const client =
    version === null
      ? 'claude was not found on PATH; hooks that every version knows are used'
      : `Claude Code ${version}`;
  if (options.dryRun) {
    output.print(
      options.json
        ? toJson({ changed: !isThere, settings: path, client_version: version, hooks: wanted })
        : isThere
          ? `Nothing to change: the hooks are in ${shown(path, place)}.`
          : `Would add to ${shown(path, place)} (${client}):\n${hookLines(wanted)}`,
    );
    return;
  }
  if (!isThere) {
    if (!options.json)
      output.print(`Hooks to add to ${shown(path, place)} (${client}):\n${hookLines(wanted)}`);
    await confirm('Add them?', options, output, ask);
  }
  installBundle(dist, VERSION, place.env);
  if (scope !== 'user') ensureStateFolder(place.paths.state);
  if (!isThere) {
    const previous = readInstalls(place.env).find((each) => each.path === path);
    const original = previous && before !== null && sha(before) === previous.after ? previous : null;
    // What was there without anything of ours: that is what uninstall has to give back.
    const clean = before === null ? null : withoutHooks(before);
    writeSettings(path, `${bom}${after}`);
    recordInstall(place.env, path, {
      path,
      created: original?.created ?? before === null,
      before: original ? original.before : clean !== null && withoutHooks(after) !== clean ? clean : null,
      after: sha(after),
    });
  }
  if (options.json) {
    output.print(
      toJson({
        changed: !isThere,
        settings: path,
        bundle,
        version: VERSION,
        client_version: version,
        hooks: wanted,
      }),
    );
    return;
  }
  output.print(
    [
      isThere
        ? `Already installed; the bundle is now ${VERSION}.`
        : `Plimsoll ${VERSION} is on for ${scope === 'user' ? 'all your projects' : 'this project'}.`,
      `  settings  ${shown(path, place)}`,
      `  bundle    ${shown(bundle, place)}`,
      ...(scope === 'user' ? [] : [`  state     ${shown(place.paths.state, place)}/ (git does not see it)`]),
      'New conversations have it at once; a running one after a restart.',
      ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
      ...otherScopes(place, scope).map(
        (each) => `The hooks are also in another scope; one is enough: plimsoll uninstall --scope ${each}`,
      ),
      'Next: work as usual. "plimsoll status" shows the fill, "plimsoll off" silences it, "plimsoll uninstall" removes it.',
    ].join('\n'),
  );
}

export async function uninstall(
  place: Place,
  options: { scope?: Scope; yes?: boolean; dryRun?: boolean; json?: boolean },
  output: Output,
  ask: Ask,
): Promise<void> {
  const scope = options.scope ?? 'local';
  const path = settingsPath(scope, rootFor(place, scope), place.env);
  const { text, bom } = readSettings(path, place);
  const found = text === null ? [] : installedIn(text);
  if (text === null || found.length === 0) {
    output.print(
      options.json
        ? toJson({ changed: false, settings: path })
        : [
            `Nothing to remove: no hooks of plimsoll in ${shown(path, place)}.`,
            ...otherScopes(place, scope).map(
              (each) => `They are in another scope: plimsoll uninstall --scope ${each}`,
            ),
          ].join('\n'),
    );
    return;
  }
  const events = found.map((each) => each.event).join(', ');
  if (options.dryRun) {
    output.print(
      options.json
        ? toJson({ changed: true, settings: path, hooks: found })
        : `Would remove from ${shown(path, place)}: ${events}.`,
    );
    return;
  }
  if (!options.json) output.print(`Hooks to remove from ${shown(path, place)}: ${events}`);
  await confirm('Remove them?', options, output, ask);
  const install = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const untouched = install !== null && sha(text) === install.after;
  if (untouched && install.created) removeSettings(path);
  else
    writeSettings(
      path,
      `${bom}${untouched && install.before !== null ? install.before : withoutHooks(text)}`,
    );
  recordInstall(place.env, path, null);
  if (scope !== 'user') remove(place.paths.off);
  const isLast = readInstalls(place.env).length === 0;
  if (isLast) removeBundle(place.env);
  output.print(
    options.json
      ? toJson({ changed: true, settings: path, bundle_removed: isLast })
      : [
          `Plimsoll is removed from ${shown(path, place)}${isLast ? ', and its hook bundle with it' : ''}.`,
          `Checkpoints stay in ${shown(place.paths.state, place)}/; delete the folder if you do not need them.`,
        ].join('\n'),
  );
}
