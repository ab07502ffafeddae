// Runs `plimsoll config validate`: prints each problem in the settings of all layers, with its place and the fix.

import { formatCount, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { exists } from '../../platform/look.ts';
import { type Fault, settingsFaults } from '../find-faults.io.ts';
import { settingsFiles } from '../layers.io.ts';

const placeWords = (place: ProjectContext, { where, line, column }: Fault): string =>
  [displayPath(where, place), line, column].filter((part) => part !== null).join(':');

/** Prints the problems. @returns whether there are none */
export function configValidate(place: ProjectContext, options: { json?: boolean }, output: Output): boolean {
  const faults = settingsFaults(place.root, place.env);
  const files = settingsFiles(place.root, place.env).filter(({ path }) => exists(path));
  if (options.json) {
    output.print(toJson({ ok: faults.length === 0, files: files.map(({ path }) => path), problems: faults }));
    return faults.length === 0;
  }
  for (const fault of faults)
    output.print(stripControls(`${placeWords(place, fault)}: ${fault.message}\n  Next: ${fault.next}`));
  const looked =
    files.length === 0 ? 'no settings file' : files.map(({ path }) => displayPath(path, place)).join(', ');
  output.print(
    faults.length === 0
      ? `The settings are in order: ${looked} and the environment.`
      : `\n${formatCount(faults.length, 'problem')}. What is not usable is left out, and the next layer or the default counts.`,
  );
  return faults.length === 0;
}
