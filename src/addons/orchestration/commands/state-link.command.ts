// Runs `plimsoll state link`: makes a WORKTRACKER.md point to the state file.

import { dirname, join, relative, resolve } from 'node:path';
import { type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { exists, isFolder } from '../../../platform/look.ts';
import { changeUserFile } from '../../../platform/user-file.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { applySpans } from '../../../text/text-edits.ts';
import { linkSpans } from '../worktracker.ts';
import { explainError, requireFile, type StateOptions } from './find-state.io.ts';

export interface LinkOptions extends StateOptions {
  worktracker?: string;
}

const NAME = 'WORKTRACKER.md';

/** Finds the WORKTRACKER.md: the named one, else the nearest from the state file's folder up to the root. */
function trackerFor(place: ProjectContext, file: string, given: string | undefined): string {
  const path = given === undefined ? null : resolve(place.cwd, given);
  const named = path !== null && isFolder(path) ? join(path, NAME) : path;
  if (named !== null) {
    if (exists(named)) return named;
    throw new PlimsollError('not-found', `There is no file "${displayPath(named, place)}"`, {
      hint: 'name an existing WORKTRACKER.md',
    });
  }
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (exists(join(folder, NAME))) return join(folder, NAME);
    if (folder === place.root || dirname(folder) === folder) break;
  }
  throw new PlimsollError('not-found', `No ${NAME} beside ${displayPath(file, place)} or above it`, {
    hint: `name one: plimsoll state link --worktracker PATH`,
  });
}

export function stateLink(place: ProjectContext, options: LinkOptions, output: Output): void {
  const file = requireFile(place, options.file);
  const tracker = trackerFor(place, file, options.worktracker);
  const path = relative(dirname(tracker), file).replaceAll('\\', '/');
  let changed: boolean;
  try {
    changed = changeUserFile(tracker, (text) => applySpans(text, linkSpans(text, path)));
  } catch (error) {
    throw explainError(error, tracker, place);
  }
  if (options.json) {
    output.print(toJson({ file, worktracker: tracker, link: path, changed }));
    return;
  }
  output.print(
    changed
      ? `${displayPath(tracker, place)}: Last Orchestration is ${path}`
      : `${displayPath(tracker, place)} names ${path} already`,
  );
}
