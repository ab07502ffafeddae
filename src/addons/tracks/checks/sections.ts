// Checks that SPEC and PLAN have the sections that work begins from, each with content that is no placeholder.

import type { Section, TextLine } from '../entries/markdown.ts';
import { isHeading, readHeading, removeCode, splitSections } from '../entries/markdown.ts';
import type { TrackCheck, TrackFile } from './check.ts';

// Recognises placeholders such as TODO where they mark a text, not where they are spoken of.
const EMPTY_WORDS = 'TODO|TBD|TBA|TBC|FIXME|XXX';
/** Not `TODO.md`, `docs/TODO`, `TODO-list`. */
const WORD = new RegExp(String.raw`(?<![\w/.-])(?:${EMPTY_WORDS})(?![\w/-]|\.\w)`, 'g');
/** All that a line, a cell or a value behind a label says. */
const WHOLE = new RegExp(
  String.raw`^[[(]?(${EMPTY_WORDS}|…|\.{3}|\?{2,}|to be (?:added|agreed|announced|confirmed|decided|defined|described|determined|done|filled in|written)|fill (?:this |me )?in)[\])]?[.!]?$`,
  'i',
);
/** Lines without any of these hold none, and need no closer look. */
const MAY_HOLD = /TODO|TB[ACD]|FIXME|XXX|…|\.{3}|\?\?|<[A-Za-z]|\{\{|\[[A-Za-z]{2}|to be |fill /i;
/** `[Describe the goal here]`: words in brackets, and nothing else. */
const TEMPLATE = /^\[[A-Za-z]+(?:[ ,/]+[^\s,/[\]]+){2,}\]$/;
const MARKS = /\[NEEDS CLARIFICATION:[^\]]{0,500}\]|\{\{\s*[A-Za-z_][\w .-]*\}\}/;
/** Not `Vec<u8>`, `/users/<id>` or `<owner>/<name>`: a type or a path is no placeholder. */
const ANGLE = /(?<![\w/.@=\\-])<([A-Za-z][^<>\n]{0,60})>(?![\w/@=-]|\.\w)/g;
/** Elements of HTML that people write in Markdown, addresses, and what has attributes. */
const HTML =
  /^\/?(?:a|abbr|article|aside|b|blockquote|body|br|button|canvas|center|code|dd|del|details|dialog|div|dl|dt|em|fieldset|figure|figcaption|font|footer|form|h[1-6]|header|hr|html|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|s|samp|script|section|select|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|tr|u|ul|var|video)(?:\s.*=.*|\s*\/)?$|^[a-z][\w+.-]*:|^[^\s@]+@[^\s@]+$/i;

/** Behind these, and before those, the word is a thing that is spoken of. */
const SPOKEN_BEFORE =
  /(?:\b(?:an?|the|no|any|every|each|all|some|one|another|this|that|of|or|and|as|without|new|open|old|existing|remaining|leftover|stale|our|your|their|its|marked|tagged|labell?ed|called|named)|["'“‘„«]|[,→>&+]|->)\s*$/i;
const SPOKEN_AFTER = new RegExp(
  String.raw`^(?:["'”’»]|\s*(?:[→&+]|->)|\s*(?:,|and|or)\s+(?:${EMPTY_WORDS})\b|\s+(?:lists?|items?|apps?|applications?|comments?|entry|entries|markers?|notes?|tags?|files?|boards?|cards?|columns?|states?|status|keywords?|annotations?|blocks?|sections?|lines?|pages?|views?|widgets?|features?|trackers?|managers?)\b)`,
  'i',
);
/** Words of the same set as a TODO that is a state of work. */
const STATES = /\b(?:DONE|DOING|IN[ _-]PROGRESS|BLOCKED|WIP)\b/;
const STATE_LABEL = /\b(?:status|state|progress|stage)\b/i;

const plain = (text: string): string =>
  text
    .replace(/[*_]+/g, '')
    .replace(/^\s*>+\s*/, '')
    .replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[.\] +)?/, '')
    .trim();

/** Cells of a table's row; null for a line that is none. */
const cellsOf = (text: string): string[] | null =>
  /^\s*\|.*\|\s*$/.test(text) ? text.trim().slice(1, -1).split('|').map(plain) : null;

const wholeIn = (value: string, defined: ReadonlySet<string>): string | null => {
  const words = value.trim();
  if (TEMPLATE.test(words) && !defined.has(words.toLowerCase())) return words;
  return WHOLE.exec(words)?.[1] ?? null;
};

/** A word in a sentence. */
function wordIn(text: string): string | null {
  const hasStates = STATES.test(text);
  for (const { 0: word, index } of text.matchAll(WORD)) {
    // So much as the words beside it take: a line may be long.
    const before = text.slice(Math.max(0, index - 40), index);
    const after = text.slice(index + word.length, index + word.length + 40);
    const isState =
      word === 'TODO' &&
      !after.startsWith(':') &&
      (hasStates || STATE_LABEL.test(/([^:|]*):\s*$/.exec(before)?.[1] ?? ''));
    if (!isState && !SPOKEN_BEFORE.test(before) && !SPOKEN_AFTER.test(after)) return word;
  }
  return null;
}

/**
 * What a heading is called is no placeholder, and a TODO at its end is a state; what is open there behind a colon, a dash or
 * in brackets is one, and so is a heading of a template.
 */
function inHeading(title: string, defined: ReadonlySet<string>): string | null {
  const words = plain(title);
  if (words.startsWith('[')) return wholeIn(words, defined);
  const [, value = ''] = /(?::|\s[–—-]|\s(?=\([^()]*\)$))\s*([^:]*)$/.exec(words) ?? [];
  const found = wholeIn(value, defined);
  return found === 'TODO' ? null : found;
}

function inLine(line: string, header: readonly string[] | null, defined: ReadonlySet<string>): string | null {
  const text = removeCode(line)
    .replace(/\]\([^)]{0,500}\)/g, '')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  const mark = MARKS.exec(text)?.[0];
  if (mark !== undefined) return mark;
  const heading = readHeading(text);
  if (heading !== null) return inHeading(heading.title, defined);
  const cells = cellsOf(text);
  if (cells !== null) {
    const open = cells.flatMap((cell, at) => {
      const isState = cell.toUpperCase() === 'TODO' && STATE_LABEL.test(header?.[at] ?? '');
      return isState ? [] : (wholeIn(cell, defined) ?? wordIn(cell) ?? []);
    });
    if (open[0] !== undefined) return open[0];
  } else {
    const words = plain(text);
    const [, label = '', value = ''] = /^([^:]{1,60}):\s+(.*)$/.exec(words) ?? [];
    const isState = STATE_LABEL.test(label) && value.toUpperCase() === 'TODO';
    const found = wholeIn(words, defined) ?? (isState ? null : wholeIn(value, defined)) ?? wordIn(words);
    if (found !== null) return found;
  }
  for (const [whole, inner = ''] of text.matchAll(ANGLE)) if (!HTML.test(inner)) return whole;
  return null;
}

/** The first placeholder of each line that has one. Code is left out. */
export function findPlaceholders(lines: readonly TextLine[]): { found: string; line: number }[] {
  // `[Name]: https://…` makes a link of every `[Name]`.
  const defined = new Set(
    lines.flatMap(({ text }) => /^ {0,3}(\[[^\]]+\]):\s*\S/.exec(text)?.[1]?.toLowerCase() ?? []),
  );
  let header: string[] | null = null;
  return lines.flatMap(({ text, line }) => {
    const cells = cellsOf(text);
    header = cells === null ? null : (header ?? cells);
    const found = MAY_HOLD.test(text) ? inLine(text, header, defined) : null;
    return found === null ? [] : [{ found, line }];
  });
}

/** Whether a value says nothing yet, or that there is nothing. */
export const isUnsaid = (value: string): boolean =>
  findPlaceholders([{ text: value, line: 1, from: 0 }]).length > 0 ||
  /^(?:none|nothing|no|n\/?a|-+|–|—)\.?$/i.test(value.trim());

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
