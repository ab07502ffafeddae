// Checks that SPEC and PLAN have the sections that work begins from, each with some content.

import { isHeading, type Section, splitSections, type TextLine } from '../entries/markdown.ts';
import type { TrackCheck, TrackFile } from './check.ts';

interface Wanted {
  title: string;
  /** Words that mean it, as they come in titles; small letters, one blank between. */
  means: readonly string[];
}

// Lists of words: an expression of as many would have to be made at every tool call that the gate looks at.
const SPEC: readonly Wanted[] = [
  {
    title: 'Goal',
    means: [
      ...['goal', 'goals', 'aim', 'aims', 'purpose', 'objective', 'objectives', 'overview', 'introduction'],
      ...['motivation', 'vision', 'problem', 'summary', 'why', 'context', 'background'],
    ],
  },
  {
    title: 'Scope',
    means: [
      ...['scope', 'nongoal', 'nongoals', 'boundaries', 'requirement', 'requirements', 'feature', 'features'],
      ...[
        'functionality',
        'use case',
        'use cases',
        'user story',
        'user stories',
        'deliverable',
        'deliverables',
      ],
    ],
  },
  {
    title: 'Acceptance',
    means: [
      ...['acceptance', 'success', 'definition of done', 'dod', 'done when', 'criteria', 'verification'],
      ...['validation', 'testing', 'test plan'],
    ],
  },
];
const PLAN: readonly Wanted[] = [
  {
    title: 'Tasks',
    means: [
      ...['task', 'tasks', 'phase', 'phases', 'step', 'steps', 'milestone', 'milestones', 'plan', 'stage'],
      ...['stages', 'work', 'todo', 'todos', 'to do', 'to dos', 'iteration', 'iterations'],
    ],
  },
];

/** The words of a title in small letters, with a blank before and behind each; what is no goal is another word. */
const wordsOf = (title: string): string =>
  ` ${title.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `.replaceAll(' non goal', ' nongoal');

const isMeant = ({ means }: Wanted, words: string): boolean =>
  means.some((each) => words.includes(` ${each} `));

/** Something with a title: a heading and what is below it, or a label and what stands behind it. */
interface Titled {
  title: string;
  words: string;
  line: number;
  isFilled: () => boolean;
}

/** No heading, and not only signs of a list, a rule or a table. */
const saysSomething = ({ text }: TextLine): boolean => /[^\s#*+_=|:.~<>-]/.test(text) && !isHeading(text);

/** Sections by headings. The only heading of the first level is the title of the whole. */
function headed({ lines, code }: TrackFile): Titled[] {
  const sections = splitSections(lines);
  const hasTitle = sections.filter(({ level }) => level === 1).length === 1;
  const hasCode = ({ line, end }: Section): boolean => code.some((at) => at > line && at < end);
  return sections
    .filter(({ level }) => level > 1 || !hasTitle)
    .map((section) => ({
      title: section.title,
      words: wordsOf(section.title),
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
    return [{ title, words: wordsOf(title), line, isFilled }];
  });

function missing(file: TrackFile, wanted: readonly Wanted[]): ReturnType<TrackCheck> {
  const { path, isThere } = file;
  if (!isThere) {
    const next = `create ${path} with the sections ${wanted.map(({ title }) => `"## ${title}"`).join(', ')}`;
    return [{ file: path, line: null, message: 'there is no such file', next }];
  }
  const headings = headed(file);
  let labels: Titled[] | null = null;
  return wanted.flatMap((each) => {
    const { title } = each;
    const found = headings.filter(({ words }) => isMeant(each, words));
    if (found.some(({ isFilled }) => isFilled())) return [];
    // Most write headings, and need no look at every line.
    labels ??= labelled(file);
    const others = labels.filter(({ words }) => isMeant(each, words));
    if (others.some(({ isFilled }) => isFilled())) return [];
    const first = found[0] ?? others[0];
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

export const checkSections: TrackCheck = ({ spec, plan }) => [
  ...missing(spec, SPEC),
  ...(hasTask(plan) ? [] : missing(plan, PLAN)),
];
