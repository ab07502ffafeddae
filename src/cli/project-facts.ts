// What does the root of a project tell of it?
import { basename, join } from 'node:path';
import { type ProjectFacts, projectFrom } from '../model/tracks/project.ts';
import { entriesIn } from '../platform/look.ts';
import { looseText } from '../store/loose-text.ts';

export const projectFacts = (root: string): ProjectFacts =>
  projectFrom({
    folder: basename(root),
    entries: entriesIn(root),
    read: (name) => looseText(join(root, name)),
  });
