// The interface of a check of `plimsoll check`, and what every check receives.

import type { GitFiles, Scope } from '../platform/git/git-files.ts';
import type { Git } from '../platform/git/git-run.ts';
import type { Finding } from './check-finding.ts';
import type { Place } from './project.io.ts';

export interface Look extends GitFiles {
  /** The project, with the settings in force for the checked files. */
  place: Place;
  root: string;
  scope: Scope['kind'];
  git: Git;
  /** Text of a settings file, as the checked files hold it. */
  readSettings(path: string): string | null;
  /** Path of the command line itself, which a gate runs anew. */
  self: string;
}

export interface Check {
  name: string;
  /** What each of its rules is about. */
  rules: Record<string, string>;
  look(look: Look): Finding[] | Promise<Finding[]>;
}
