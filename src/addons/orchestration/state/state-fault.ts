// A fault of a state file (problem or note), with its path, what was found and what was expected.
import type { Data, Path } from '../../../text/data.ts';

/** A problem is read wrongly or not at all; a note is read well, but is not as the specification has it. */
export interface SectionFault {
  level: 'problem' | 'note';
  path: Path;
  found: string;
  expected: string;
  fix: string;
}

export type Say = (
  level: SectionFault['level'],
  path: Path,
  found: string,
  expected: string,
  fix: string,
) => void;

export const formatData = (value: Data | undefined): string => {
  const text = JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};
export const BY_HAND = 'change it by hand';
export const isNone = (value: Data | undefined): boolean => value === undefined || value === null;
