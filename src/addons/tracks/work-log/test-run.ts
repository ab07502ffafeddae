// Recognises commands that run tests, and extracts from their output what failed.

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
export function failingPart(output: string, most: number): string {
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
export const summaryPart = (output: string): string =>
  output.trimEnd().split('\n').slice(-6).join('\n').slice(-1_000);
