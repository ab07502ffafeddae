// How does a project get its hooks, and how are those of an earlier version brought up to date?
import { createHash } from 'node:crypto';
import { changeLine, hookChanges } from '../agents/hook-changes.ts';
import { spareCommand } from '../model/install-findings.ts';
import { ensureStateFolder } from '../store/atomic.ts';
import { installBundle } from '../store/bundle.ts';
import { clientVersion, type Scope, settingsPath, writeSettings } from '../store/client-files.ts';
import { exists } from '../store/files.ts';
import { isIgnored } from '../store/git.ts';
import { readInstalls, recordInstall } from '../store/installs.ts';
import { qualityPath } from '../store/paths.ts';
import { VERSION } from '../version.ts';
import { initBundleOnly } from './init-bundle-only.ts';
import { type Output, toJson, UserError } from './output.ts';
import { type Place, shown } from './place.ts';
import { createQualityFile } from './quality-file.ts';
import {
  type Ask,
  bundleEntry,
  confirm,
  othersInForce,
  readSettings,
  rootFor,
  wantedIn,
} from './settings-file.ts';
import { installedIn, withHooks, withoutHooks } from './settings-text.ts';

export interface InitOptions {
  /** Not given: local, unless hooks of another scope are in force here already. */
  scope?: Scope;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
  /** Whether the project gets quality rules of its own. */
  quality?: boolean;
  clientVersion?: string;
}

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

function versionOf(place: Place, options: InitOptions): string | null {
  const given = options.clientVersion;
  if (given === undefined) return clientVersion(place.env);
  if (/^\d+\.\d+\.\d+$/.test(given)) return given;
  throw new UserError(`"${given}" is no version of Claude Code`, {
    hint: 'give it as claude --version prints it, e.g. --client-version 2.1.332',
    code: 2,
  });
}

/**
 * Keeps what gives the file back to the byte, also after an upgrade: the text without anything of ours, unless taking
 * our entries out of the new text gives exactly that.
 */
function record(place: Place, path: string, before: string | null, after: string): void {
  const previous = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const isOurs = previous !== null && before !== null && sha(before) === previous.after;
  const clean = (isOurs ? previous.before : null) ?? (before === null ? null : withoutHooks(before));
  recordInstall(place.env, path, {
    path,
    created: isOurs ? previous.created : before === null,
    before: clean !== null && withoutHooks(after) !== clean ? clean : null,
    after: sha(after),
  });
}

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
  const installed = before === null ? [] : installedIn(before);
  const others = othersInForce(place, scope);
  // Throws while nothing is changed yet, where a newer version keeps the records.
  readInstalls(place.env);
  const version = versionOf(place, options);
  if (options.scope === undefined && installed.length === 0 && others.length > 0) {
    initBundleOnly(place, others, { ...options, version }, output, dist);
    return;
  }
  const bundle = bundleEntry(place);
  const wanted = wantedIn(place, scope, { clientVersion: version, installed, node: process.execPath });
  const changes = hookChanges(installed, wanted);
  const isThere = changes.length === 0;
  const isUpgrade = installed.length > 0;
  const lines = changes.map((each) => `  ${changeLine(each)}`).join('\n');
  const client =
    version === null
      ? 'claude was not found on PATH; hooks that every version knows are used'
      : `Claude Code ${version}`;
  const data = { changed: !isThere, settings: path, client_version: version, hooks: wanted, changes };
  if (options.dryRun) {
    output.print(
      options.json
        ? toJson(data)
        : isThere
          ? `Nothing to change: the hooks are in ${shown(path, place)}.`
          : `Would ${isUpgrade ? 'change in' : 'add to'} ${shown(path, place)} (${client}):\n${lines}`,
    );
    return;
  }
  if (!isThere) {
    if (!options.json)
      output.print(
        `Hooks to ${isUpgrade ? 'change in' : 'add to'} ${shown(path, place)} (${client}):\n${lines}`,
      );
    await confirm(isUpgrade ? 'Change them?' : 'Add them?', options, output, ask);
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (scope !== 'user') ensureStateFolder(place.paths.state);
  if (!isThere) {
    const after = withHooks(before ?? '', wanted);
    writeSettings(path, `${bom}${after}`);
    record(place, path, before, after);
  }
  const hasNewQuality = options.quality === true && createQualityFile(place);
  if (options.json) {
    output.print(
      toJson({
        ...data,
        quality_created: hasNewQuality,
        bundle,
        bundle_replaced: isReplaced,
        version: VERSION,
      }),
    );
    return;
  }
  const whose = scope === 'user' ? 'all your projects' : 'this project';
  const isSeen = scope === 'local' && isIgnored(place.root ?? place.cwd, path, place.env) === false;
  output.print(
    [
      isThere
        ? `Already installed; the bundle is now ${VERSION}.`
        : isUpgrade
          ? `Plimsoll ${VERSION}: the hooks of ${whose} are up to date.`
          : `Plimsoll ${VERSION} is on for ${whose}.`,
      `  settings  ${shown(path, place)}`,
      `  bundle    ${shown(bundle, place)}${isReplaced ? ', exchanged' : ''}`,
      ...(scope === 'user' ? [] : [`  state     ${shown(place.paths.state, place)}/ (git does not see it)`]),
      ...(options.quality === true
        ? [
            `  quality   ${shown(qualityPath(place.paths), place)}${hasNewQuality ? ", to be made the project's own" : ' was there, and stays'}`,
          ]
        : []),
      'New conversations have it at once; a running one after a restart.',
      ...(isSeen
        ? [`git sees ${shown(path, place)}, which names paths of this machine: add it to .git/info/exclude`]
        : []),
      ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
      ...(others.length === 0
        ? []
        : [
            `The hooks are also in ${others.map((each) => shown(each.path, place)).join(' and ')}, and run twice; one is enough: ${spareCommand([scope, ...others.map((each) => each.scope)])}`,
          ]),
      'Next: work as usual. "plimsoll status" shows the fill, "plimsoll off" silences it, "plimsoll uninstall" removes it.',
    ].join('\n'),
  );
}
