// Keeps the newest test runs in test_output.txt, one section for each command, the newest first.

/** So many characters has the file at the most. */
export const OUTPUT_CHARACTERS = 20 * 1024;

export interface TestRun {
  /** The command in backticks and how it ended, as a work log has them; both redacted. */
  target: string;
  outcome: string;
  /** ISO 8601 in UTC with seconds. */
  at: string;
  /** What is kept of the output, redacted. */
  text: string;
  /** Told of when others may have been made since: a run of the same command that is kept and is no older stays. */
  isLate?: boolean;
}

const HEAD = /^## .*$/m;

/** Sections of a file, each from its heading to the next; what else stands there is left out. */
const sectionsIn = (text: string): string[] =>
  text.split(/^(?=## )/m).filter((section) => HEAD.test(section));

const commandIn = (section: string): string | undefined => /^## (`[^`\n]*`)/.exec(section)?.[1];
const timeIn = (section: string): string => /^## `[^`\n]*` at (\S+Z): /.exec(section)?.[1] ?? '';

/** One line, whatever stands in it. */
const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ');

/**
 * The file with one more run: the section of the same command goes, and of the others the oldest where there is no room.
 * Lines of output are indented, so that none of them is a heading.
 */
export function withTestRun(before: string, run: TestRun, most: number = OUTPUT_CHARACTERS): string {
  const command = oneLine(run.target)
    .slice(0, 160)
    .replaceAll('`', "'")
    .replace(/^'?(.*?)'?$/, '`$1`');
  const sections = sectionsIn(before);
  if (run.isLate && sections.some((each) => commandIn(each) === command && timeIn(each) >= run.at))
    return before;
  const body = run.text.split(/\r?\n/).map((line) => (line === '' ? '' : `  ${line}`));
  const own = `## ${command} at ${run.at}: ${oneLine(run.outcome)}\n${body.join('\n')}\n\n`.slice(0, most);
  let text = own;
  for (const section of sections) {
    if (commandIn(section) === command) continue;
    if (text.length + section.length > most) break;
    text += section;
  }
  return text;
}
