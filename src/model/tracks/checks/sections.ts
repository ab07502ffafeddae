// Do SPEC and PLAN have the sections that the work begins from, and does something stand in them?
import { isHeading, sectionsOf } from '../markdown.ts';
import type { Check, TrackFile } from './check.ts';

interface Wanted {
  title: string;
  /** Other words that mean the same. */
  means: RegExp;
}

const SPEC: readonly Wanted[] = [
  {
    title: 'Goal',
    means: /\b(?:goals?|purpose|objectives?|overview|problem|summary|why|context|background)\b/i,
  },
  { title: 'Scope', means: /\b(?:scope|non-?goals|boundaries|requirements?|features?|functionality)\b/i },
  {
    title: 'Acceptance',
    means: /\b(?:acceptance|success|definition of done|done when|criteria|verification)\b/i,
  },
];
const PLAN: readonly Wanted[] = [
  { title: 'Tasks', means: /\b(?:tasks?|phases?|steps?|milestones?|plan|stages?|work|todo|iterations?)\b/i },
];

function missing(file: TrackFile, wanted: readonly Wanted[]): ReturnType<Check> {
  const { path, isThere } = file;
  if (!isThere) {
    const next = `create ${path} with the sections ${wanted.map(({ title }) => `"## ${title}"`).join(', ')}`;
    return [{ file: path, line: null, message: 'there is no such file', next }];
  }
  const sections = sectionsOf(file.lines);
  return wanted.flatMap(({ title, means }) => {
    const found = sections.filter(({ title: own, level }) => level > 1 && means.test(own));
    if (found.length === 0)
      return [
        {
          file: path,
          line: null,
          message: `no section "${title}"`,
          next: `add "## ${title}" and what belongs there`,
        },
      ];
    const isFilled = found.some(({ lines }) =>
      lines.some(({ text }) => text.trim() !== '' && !isHeading(text)),
    );
    return isFilled
      ? []
      : [
          {
            file: path,
            line: found[0]?.line ?? null,
            message: `section "${found[0]?.title}" is empty`,
            next: 'write what belongs there',
          },
        ];
  });
}

export const checkSections: Check = ({ spec, plan }) => [...missing(spec, SPEC), ...missing(plan, PLAN)];
