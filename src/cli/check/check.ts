// What is a check, and what is it given to look at?
import type { Finding } from '../../model/check/finding.ts';
import type { GitFiles, Scope } from '../../store/git-files.ts';
import type { Git } from '../../store/git-run.ts';
import type { Place } from '../place.ts';

export interface Look extends GitFiles {
  /** With the settings that hold for what is checked. */
  place: Place;
  root: string;
  scope: Scope['kind'];
  git: Git;
  /** Text of a settings file, as it is in what is checked. */
  readSettings(path: string): string | null;
  /** Path of the command line itself, which a gate runs anew. */
  self: string;
}

/** The rule of a check that could not look. */
export const FAILED = 'failed';

export interface Check {
  name: string;
  /** What each of its rules is about. */
  rules: Record<string, string>;
  look(look: Look): Finding[] | Promise<Finding[]>;
}
