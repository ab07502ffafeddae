// Checks the hosts in whose process we run: our extension there, and the session that was looked at.

import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import type { FoundTranscript, HostEntry, HostSetup } from '../hosts/host-entry.ts';
import { HOSTS } from '../hosts/registry.io.ts';
import { findPlaces, withSetup } from '../install/settings-text.ts';
import { findInstalledBundle } from '../install/stable-bundle.io.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { readTextOrNull, SETTINGS_FILE } from '../platform/read.ts';
import { readHookRuns } from '../sessions/last-runs.io.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { type DoctorFinding, error, type Formatter, info, joinNames, ok } from './finding.ts';

/** Our extensions and packages that are there, each with what is wrong with it. */
export const checkExtensions = (place: ProjectContext): DoctorFinding[] =>
  HOSTS.flatMap(({ host, setup, title }) =>
    (['user', 'project'] as const).flatMap((scope) => {
      if (setup === undefined || (scope === 'project' && place.root === null)) return [];
      const root = place.root ?? place.cwd;
      const path = setup.findFile(scope, root, place.env);
      const found = setup.findPackage?.(scope, root, place.env) ?? null;
      const again = `plimsoll init --host ${host.name} --scope ${scope}`;
      return [
        ...checkExtension(place, { setup, title, path, again }),
        ...(found === null ? [] : [ok(title, `loads us as a package, by ${displayPath(found, place)}`)]),
      ];
    }),
  );

/** @param again the command that writes the file anew */
function checkExtension(
  place: ProjectContext,
  { setup, title, path, again }: { setup: HostSetup; title: string; path: string; again: string },
): DoctorFinding[] {
  const text = tryOrNull(() => readTextOrNull(path, SETTINGS_FILE));
  if (text === null || !setup.isOurs(text)) return [];
  const where = displayPath(path, place);
  if (tryOrNull(() => withSetup(setup, text)) !== text)
    return [error(title, `the extension is not that of this version: ${where}`, again)];
  if (findInstalledBundle(place.env)?.isWhole !== true)
    return [error(title, `${where} finds no whole bundle, and is silent`, again)];
  const untrusted = 'hooks' in setup ? setup.listUntrusted(path, findPlaces(text), place.env) : [];
  const names = joinNames(untrusted);
  return untrusted.length === 0
    ? [ok(title, `loads us from ${where}`)]
    : [error(title, `does not trust, and so does not run: ${names} of ${where}`, setup.next ?? again)];
}

/** How a session of such a host stands. */
export function checkInsideSession(
  place: ProjectContext,
  { id, by }: Pick<FoundTranscript, 'id'> & { by: HostEntry },
  words: Formatter,
): DoctorFinding[] {
  const state = tryOrNull(() => readSessionState(place.paths, id));
  const [last] = readHookRuns(place.paths, id);
  if (state === null || last === undefined)
    return [
      info(
        'session',
        `${id} of ${by.title} ran without us`,
        `plimsoll init --host ${by.host.name}; then start it anew`,
      ),
    ];
  const told = state.alert;
  return [
    ok('session', `${id} of ${by.title}: asked us last ${words.ago(last.at)}, compactions ${state.epoch}`),
    ...(told === null
      ? []
      : told.status === 'undelivered'
        ? [
            error(
              'delivery',
              `the alert of compaction ${told.epoch} did not arrive`,
              'plimsoll handoff, and paste it',
            ),
          ]
        : [ok('delivery', `the alert of compaction ${told.epoch} is ${told.status}`)]),
  ];
}
