// Runs `plimsoll init` where hooks of another scope (the team's or the user's) are in force: installs the bundle only.
import { hookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import { exists } from '../platform/look.ts';
import { installBundle } from '../store/bundle.ts';
import { bundleOnly, readInstalls, recordInstall } from '../store/installs.ts';
import { ensureStateFolder } from '../store/state-folder.ts';
import { VERSION } from '../version.ts';
import { type Output, toJson } from './output.ts';
import { type Place, shown } from './place.ts';
import { bundleEntry, type ScopeSettings, wantedIn } from './settings-file.ts';

/** Records that hooks which others put into these settings need the bundle. */
export function keepBundleFor(place: Place, others: readonly ScopeSettings[]): void {
  for (const { path } of others) {
    if (!readInstalls(place.env).some((each) => each.path === path))
      recordInstall(place.env, path, bundleOnly(path));
  }
}

/** Installs only the bundle: a second set of hooks would run beside those that are in force already. */
export function initBundleOnly(
  place: Place,
  others: readonly ScopeSettings[],
  options: { dryRun?: boolean; json?: boolean; version: string | null },
  output: Output,
  dist: string,
): void {
  const { version } = options;
  const bundle = bundleEntry(place);
  const old = others.filter(({ scope, installed }) => {
    const wanted = wantedIn(place, scope, { clientVersion: version, installed, node: process.execPath });
    return hookChanges(installed, wanted).length > 0;
  });
  const where = others.map((each) => shown(each.path, place)).join(' and ');
  const said = [
    ...old.map(
      (each) =>
        `Those in ${shown(each.path, place)} are of another form than this version's: plimsoll init --scope ${each.scope}`,
    ),
    'For hooks of your own beside them, which run as well: plimsoll init --scope local',
  ];
  const data = { changed: false, settings: others[0]?.path ?? null, bundle, version: VERSION };
  if (options.dryRun) {
    output.print(
      options.json
        ? toJson({ ...data, client_version: version })
        : [`Hooks are in force here already, in ${where}. Would install the bundle alone.`, ...said].join(
            '\n',
          ),
    );
    return;
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (place.root !== null) ensureStateFolder(place.paths);
  keepBundleFor(place, others);
  output.print(
    options.json
      ? toJson({ ...data, client_version: version, bundle_replaced: isReplaced })
      : [
          `Hooks are in force here already, in ${where}. None were added beside them; the bundle is now ${VERSION}.`,
          `  bundle    ${shown(bundle, place)}${isReplaced ? ', exchanged' : ''}`,
          ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
          ...said,
        ].join('\n'),
  );
}
