// The interface of a check of `plimsoll check`, and what every check receives.

import type { GitFiles, GitScope } from '../platform/git/git-files.ts';
import type { Git } from '../platform/git/git-run.ts';
import type { CheckFinding } from './check-finding.ts';
import type { ProjectContext } from './project.io.ts';

export interface CheckContext extends GitFiles {
  /** The project, with the settings in force for the checked files. */
  place: ProjectContext;
  root: string;
  scope: GitScope['kind'];
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
  look(look: CheckContext): CheckFinding[] | Promise<CheckFinding[]>;
}
