// Recognises commands that run tests, and keeps of their output what failed.

/** What stands before a program and changes nothing about which one it is. */
const BEFORE =
  /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|\S*)|npx|bunx|pnpx|time|sudo|env|cross-env|command|nice|xvfb-run|dotenv|--|-\w+|(?:pnpm|yarn|npm)\s+exec|yarn|pnpm|bun|(?:pnpm|yarn)\s+dlx|(?:uv|poetry|pdm|hatch|rye|pipenv)\s+run|bundle\s+exec|timeout\s+\S+)\s+/;

/** Programs that run tests and nothing else. */
const RUNNERS =
  /^(?:vitest|jest|mocha|ava|jasmine|pytest|py\.test|tox|nox|nose2?|rspec|phpunit|pest|ctest|gotestsum|ginkgo|bats)(?=\s|$)/;

/** Programs that run tests when they are asked to: options may stand between. */
const ASKED =
  /^(?:(?:npm|pnpm|yarn|bun|deno)(?:\s+(?:--?\S+|run|run-script|workspace\s+\S+|(?<=-w |--prefix |--workspace |--filter |-C )\S+))*\s+(?:t|tst|tests?(?:[:_-]\S+)?)|(?:go|cargo|dotnet|swift|mix|flutter|dart|zig|stack|cabal|lein|bazel|meson|composer|playwright|rails|sbt|clojure)(?:\s+[-+]\S+)*\s+(?:tests?|nextest)|cypress\s+run|node(?:\s+--?\S+)*\s+--test|(?:python[\d.]*|py)(?:\s+-[A-Za-z]+)*\s+-m\s+(?:pytest|unittest|nose2?|tox|nox)|(?:python[\d.]*\s+)?\S*manage\.py\s+test|(?:make|just|task|rake|ninja|earthly|nx|turbo|lerna)(?:\s+(?:-\S+|\S+=\S+|run|\d+))*\s+(?:\+?(?:unit-?|integration-?)?tests?(?:[:_-]\S+)?|check|spec)|(?:\.\/)?(?:mvnw?|mvnd)\b[^\n]*\s(?:test|verify|integration-test)|(?:\.\/)?gradlew?\b[^\n]*\s\S*(?:[tT]est|check))(?=\s|$)/;

/** The commands of a line, as far as words go: quotes are not looked into. */
const pieces = (command: string): string[] => command.split(/&&|\|\|?|;|\n/).map((each) => each.trim());

function isTestPiece(piece: string): boolean {
  let rest = piece.replace(/^[({]\s*|\s*[)}]+$/g, '');
  for (let times = 0; times < 8; times++) {
    if (RUNNERS.test(rest) || ASKED.test(rest)) return true;
    const shorter = rest.replace(BEFORE, '');
    if (shorter === rest) return false;
    rest = shorter;
  }
  return false;
}

/** What every run of tests has in it somewhere: a quick look, which nearly every command ends with. */
const MAY_BE =
  /test|spec|check|jest|mocha|ava|tox|nox|verify|pest|phpunit|cypress|jasmine|ginkgo|bats|nose|\st(?:st)?\b/i;

/** Whether a command of the shell runs tests, by its words. */
export function isTestCommand(command: string): boolean {
  const start = command.slice(0, 2_000);
  return MAY_BE.test(start) && pieces(start).some(isTestPiece);
}

const FAILING =
  /(?:^|[\s[(])(?:FAIL(?:ED|URE|URES)?|ERRORS?|not ok|panicked|Traceback|✗|✘|✖|✕|×|❌)(?=[\s:\])]|$)|^\s*(?:E {2,}|--- FAIL|# FAIL)|\w*(?:Error|Exception)\b[:(]|\b(?:[eE]xpected|[rR]eceived|[aA]ssert\w*)\b/;
/** Lines at the end that hold the summary. */
const SUMMARY = 24;
/** Lines that are kept around one that tells of a failure. */
const ROUND = { before: 2, after: 8 };

/** Lines that tell of failures, each with some around it, up to a number of characters; a gap is said. */
function excerpt(lines: readonly string[], most: number): string[] {
  const wanted = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (!FAILING.test(line.slice(0, 500))) continue;
    for (let near = at - ROUND.before; near <= at + ROUND.after; near++) wanted.add(near);
  }
  const kept: string[] = [];
  let room = most;
  let last = -1;
  for (const [at, line] of lines.entries()) {
    if (!wanted.has(at)) continue;
    const short = line.length > 500 ? `${line.slice(0, 500)}…` : line;
    room -= short.length + 3;
    if (room < 0) break;
    if (at !== last + 1) kept.push('…');
    kept.push(short);
    last = at;
  }
  return kept;
}

/** What a test run said of its failures, and its summary at the end; whole where that is short enough. */
export function extractFailures(output: string, most: number): string {
  if (output.length <= most) return output.trimEnd();
  const lines = output.trimEnd().split('\n');
  const end: string[] = [];
  let room = Math.floor(most / 2);
  for (const line of lines.slice(-SUMMARY).reverse()) {
    const short = line.length > 500 ? `${line.slice(0, 500)}…` : line;
    room -= short.length + 1;
    if (room < 0) break;
    end.unshift(short);
  }
  const before = lines.slice(0, lines.length - end.length);
  const used = end.reduce((sum, line) => sum + line.length + 1, 0);
  return [...excerpt(before, most - used - 8), '…', ...end].join('\n');
}

/** The end of a run that passed. */
export const extractSummary = (output: string): string =>
  output.trimEnd().split('\n').slice(-6).join('\n').slice(-1_000);

/** So many characters has the file at the most. */
const OUTPUT_CHARACTERS = 20 * 1024;

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
export function addTestRun(before: string, run: TestRun, most: number = OUTPUT_CHARACTERS): string {
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
