// Runs `plimsoll uninstall`: takes our hooks out of the settings, byte for byte, and removes the bundle if unused.

import { type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { findSettingsPath, removeSettings, writeSettings } from '../hosts/claude-code/install/files.io.ts';
import type { SettingsScope } from '../hosts/claude-code/install/registration-findings.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { remove } from '../platform/write.ts';
import { buildBundleOnly, finishRemoval, readInstalls, recordInstall } from './installs.io.ts';
import { type Ask, confirm, findSettingsRoot, listOthersInForce, readSettings } from './settings-file.io.ts';
import { hasOurLine, withoutOurs } from './settings-statusline.io.ts';
import { readInstalled } from './settings-text.ts';
import { removeBundle } from './stable-bundle.io.ts';

export interface UninstallOptions {
  scope?: SettingsScope;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** Handles a file without anything of ours: gives up the bundle where it was installed only for hooks of another scope. */
async function withoutHooksHere(
  place: ProjectContext,
  path: string,
  scope: SettingsScope,
  options: UninstallOptions,
  output: Output,
  ask: Ask,
): Promise<void> {
  const others = listOthersInForce(place, scope);
  const installs = readInstalls(place.env);
  const kept = others.filter((each) => installs.some((one) => one.path === each.path && one.bundleOnly));
  if (options.scope !== undefined || kept.length === 0) {
    const known = [path, ...others.map((each) => each.path)];
    const elsewhere = installs.filter((each) => !known.includes(each.path));
    output.print(
      options.json
        ? toJson({ changed: false, settings: path })
        : [
            `Nothing to remove: no hooks of plimsoll in ${displayPath(path, place)}.`,
            ...others.map((each) => `They are in another scope: plimsoll uninstall --scope ${each.scope}`),
            ...elsewhere.map(
              (each) =>
                `Plimsoll is in ${displayPath(each.path, place)}: plimsoll uninstall there, with the --host or --scope of its init`,
            ),
          ].join('\n'),
    );
    return;
  }
  const isLast = installs.every((one) => kept.some((each) => each.path === one.path));
  const where = kept.map((each) => displayPath(each.path, place)).join(' and ');
  const effect = isLast
    ? `The hooks in ${where} stay; without the bundle they are silent.`
    : `The hooks in ${where} stay, and the bundle too: it serves other projects. "plimsoll off" silences them here.`;
  const data = toJson({ changed: false, settings: path, bundle_removed: isLast });
  if (options.dryRun) return output.print(options.json ? data : `Would give up the bundle here. ${effect}`);
  if (!options.json) output.print(effect);
  await confirm(isLast ? 'Remove the bundle?' : 'Give it up here?', options, output, ask);
  for (const each of kept) recordInstall(place.env, each.path, null);
  if (isLast) removeBundle(place.env);
  const done = isLast ? 'The hook bundle is removed.' : 'Given up here.';
  output.print(options.json ? data : done);
}

export async function uninstall(
  place: ProjectContext,
  options: UninstallOptions,
  output: Output,
  ask: Ask,
): Promise<void> {
  const scope = options.scope ?? 'local';
  const path = findSettingsPath(scope, findSettingsRoot(place, scope), place.env);
  const { text, bom } = readSettings(path, place);
  const found = text === null ? [] : readInstalled(text);
  const hasLine = hasOurLine(text);
  if (text === null || (found.length === 0 && !hasLine)) {
    await withoutHooksHere(place, path, scope, options, output, ask);
    return;
  }
  const what = [...found.map((each) => each.event), ...(hasLine ? ['the status line'] : [])].join(', ');
  const data = toJson({ changed: true, settings: path, hooks: found, status_line: hasLine });
  if (options.dryRun)
    return output.print(options.json ? data : `Would remove from ${displayPath(path, place)}: ${what}.`);
  if (!options.json) output.print(`To remove from ${displayPath(path, place)}: ${what}`);
  await confirm('Remove them?', options, output, ask);
  const install = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const untouched = install !== null && hashSha256(text) === install.after;
  if (untouched && install.created) removeSettings(path);
  else
    writeSettings(
      path,
      `${bom}${untouched && install.before !== null ? install.before : withoutOurs(text, install?.before)}`,
      place,
    );
  recordInstall(place.env, path, null);
  const others = listOthersInForce(place, scope);
  // Hooks of another scope stay in force here, and need the bundle.
  for (const each of others) {
    if (!readInstalls(place.env).some((one) => one.path === each.path))
      recordInstall(place.env, each.path, buildBundleOnly(each.path));
  }
  if (scope !== 'user' && others.length === 0) remove(place.paths.off);
  const { isLast, left } = finishRemoval(place, scope);
  output.print(
    options.json
      ? toJson({ changed: true, settings: path, bundle_removed: isLast })
      : [
          `Plimsoll is removed from ${displayPath(path, place)}${isLast ? ', and its hook bundle with it' : ''}.`,
          ...others.map(
            (each) =>
              `The hooks in ${displayPath(each.path, place)} stay: plimsoll uninstall --scope ${each.scope}`,
          ),
          ...left,
        ].join('\n'),
  );
}
