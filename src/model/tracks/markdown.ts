// Which sections does a Markdown text have, and which of its words are code?
import type { TextLine } from './text-lines.ts';

export interface Section {
  /** Words of its heading, without what marks it. */
  title: string;
  /** 1 to 6. */
  level: number;
  line: number;
  /** The lines below the heading, up to the next one of the same level or a higher one. */
  lines: TextLine[];
}

const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;

/** Sections by their headings (`## Title`), each with all that is below it. */
export function sectionsOf(lines: readonly TextLine[]): Section[] {
  const sections: Section[] = [];
  for (const each of lines) {
    const [, marks = '', title = ''] = HEADING.exec(each.text) ?? [];
    if (marks !== '') sections.push({ title, level: marks.length, line: each.line, lines: [] });
  }
  for (const [index, section] of sections.entries()) {
    const end =
      sections.slice(index + 1).find(({ level }) => level <= section.level)?.line ?? Number.POSITIVE_INFINITY;
    section.lines = lines.filter(({ line }) => line > section.line && line < end);
  }
  return sections;
}

export const isHeading = (text: string): boolean => HEADING.test(text);

/** A line without its code spans: each becomes one blank. */
export const withoutCode = (text: string): string => text.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, ' ');

/** What stands in code spans of a line. */
export const codeIn = (text: string): string[] =>
  [...text.matchAll(/(`+)(?!`)(.*?[^`])\1(?!`)/g)].map(([, , code = '']) => code.trim());
