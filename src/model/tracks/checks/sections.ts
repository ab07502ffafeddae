// Do SPEC and PLAN have the sections that the work begins from, and does something stand in them?
import { isHeading, type Section, sectionsOf } from '../markdown.ts';
import type { TextLine } from '../text-lines.ts';
import type { Check, TrackFile } from './check.ts';

interface Wanted {
  title: string;
  /** Other words that mean the same. */
  means: RegExp;
}

const SPEC: readonly Wanted[] = [
  {
    title: 'Goal',
    means:
      /(?<!\bnon[- ])\bgoals?\b|\b(?:aims?|purpose|objectives?|overview|introduction|motivation|vision|problem|summary|why|context|background)\b/i,
  },
  {
    title: 'Scope',
    means:
      /\b(?:scope|non[- ]?goals|boundaries|requirements?|features?|functionality|use cases?|user stor(?:y|ies)|deliverables?)\b/i,
  },
  {
    title: 'Acceptance',
    means:
      /\b(?:acceptance|success|definition of done|dod|done when|criteria|verification|validation|testing|test plan)\b/i,
  },
];
const PLAN: readonly Wanted[] = [
  {
    title: 'Tasks',
    means: /\b(?:tasks?|phases?|steps?|milestones?|plan|stages?|work|to-?dos?|iterations?)\b/i,
  },
];

/** Something with a title: a heading and what is below it, or a label and what stands behind it. */
interface Titled {
  title: string;
  line: number;
  isFilled: () => boolean;
}

const saysSomething = ({ text }: TextLine): boolean => !isHeading(text) && /[\p{L}\p{N}]/u.test(text);

/** Sections by headings. The only heading of the first level is the title of the whole. */
function headed({ lines, code }: TrackFile): Titled[] {
  const sections = sectionsOf(lines);
  const hasTitle = sections.filter(({ level }) => level === 1).length === 1;
  const hasCode = ({ line, end }: Section): boolean => code.some((at) => at > line && at < end);
  return sections
    .filter(({ level }) => level > 1 || !hasTitle)
    .map((section) => ({
      title: section.title,
      line: section.line,
      isFilled: () => section.lines.some(saysSomething) || hasCode(section),
    }));
}

const BOLD = /^\s*(?:[-*+] +|\d+[.)] +)?(?:\*\*|__)([^*_:]{1,60})(?::(?:\*\*|__)|(?:\*\*|__):?)\s*(.*)$/;
const WORDS = /^\s*(?:[-*+] +|\d+[.)] +)?([A-Za-z][^*_:|]{1,40}):(?= )\s*(.*)$/;

/** `**Goal**` above its text, `**Goal:** text`, `Goal: text`: how many write instead of headings. */
const labelled = ({ lines }: TrackFile): Titled[] =>
  lines.flatMap(({ text, line }, index) => {
    const [, title, rest = ''] = BOLD.exec(text) ?? WORDS.exec(text) ?? [];
    if (title === undefined) return [];
    const isFilled = (): boolean => {
      if (rest !== '') return true;
      let at = index + 1;
      while (lines[at]?.text.trim() === '') at++;
      const next = lines[at];
      return next !== undefined && saysSomething(next) && BOLD.exec(next.text)?.[2] !== '';
    };
    return [{ title, line, isFilled }];
  });

function missing(file: TrackFile, wanted: readonly Wanted[]): ReturnType<Check> {
  const { path, isThere } = file;
  if (!isThere) {
    const next = `create ${path} with the sections ${wanted.map(({ title }) => `"## ${title}"`).join(', ')}`;
    return [{ file: path, line: null, message: 'there is no such file', next }];
  }
  const titled = [...headed(file), ...labelled(file)];
  return wanted.flatMap(({ title, means }) => {
    const found = titled.filter((each) => means.test(each.title));
    const [first] = found;
    if (found.some(({ isFilled }) => isFilled())) return [];
    const line = first?.line ?? null;
    return first === undefined
      ? [
          {
            file: path,
            line,
            message: `no section "${title}"`,
            next: `add "## ${title}" and what belongs there`,
          },
        ]
      : [
          {
            file: path,
            line,
            message: `section "${first.title}" is empty`,
            next: 'write what belongs there',
          },
        ];
  });
}

/** A plan needs no heading above tasks that it has. */
const hasTask = ({ entries }: TrackFile): boolean => entries.entries.some(({ kind }) => kind === 'task');

export const checkSections: Check = ({ spec, plan }) => [
  ...missing(spec, SPEC),
  ...(hasTask(plan) ? [] : missing(plan, PLAN)),
];
