// Reads the facts about a project (name, languages, source folders, test command) from the files at its root.
import { basename } from 'node:path';
import { type ProjectFacts, projectFrom } from '../model/tracks/project.ts';
import { readInProjectOrNull } from '../platform/in-project.ts';
import { entriesIn } from '../platform/look.ts';

export const projectFacts = (root: string): ProjectFacts =>
  projectFrom({
    folder: basename(root),
    entries: entriesIn(root),
    read: (name) => readInProjectOrNull(root, name),
  });
