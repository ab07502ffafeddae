// Reads from the output of the usual test runners which tests failed and which passed, by name.

/** Names kept of one run. */
const MOST = 30;
const LENGTH = 200;

interface Shape {
  /** The line, with the name as its first group. */
  line: RegExp;
  /** Only where the output has this: the line alone is not telling. */
  within?: RegExp;
}

const TIME = '(?:\\s+\\(?\\d[\\d.]*\\s?m?s\\)?)?';
const FAILED: readonly Shape[] = [
  // vitest, jest: " FAIL  src/a.test.ts > suite > name"
  { line: /^\s*FAIL\s+(?:\|\S+\|\s+)?(\S+\s+>\s+.+?)\s*$/ },
  // vitest, jest, node:test, mocha (spec): "× name 12ms"
  { line: new RegExp(`^\\s*[✗✘×✕✖]\\s+(?:\\d+\\)\\s+)?(.+?)${TIME}\\s*$`) },
  // jest: "● suite › name"
  { line: /^\s*●\s+(.+\s›\s.+?)\s*$/ },
  // a whole file: "FAIL src/a.test.ts", "FAIL example.com/pkg 0.1s"
  { line: /^\s*FAIL:?\s+(?!\d)(\S*[/.]\S+)(?:\s+\[.+\])?(?:\s+\(?[\d.]+\s?m?s\)?)?\s*$/ },
  // pytest: "FAILED tests/test_a.py::test_x - AssertionError"
  { line: /^(?:FAILED|ERROR)\s+(\S+\.py(?:::.+?)?)(?:\s+-\s.*)?$/ },
  // pytest -v: "tests/test_a.py::test_x FAILED [ 50%]"
  { line: /^(\S+\.py::.+?)\s+(?:FAILED|ERROR)\b/ },
  // unittest: "FAIL: test_x (tests.test_a.Case)"
  { line: /^(?:FAIL|ERROR):\s+(\w+\s+\([\w.]+\))/ },
  // go: "--- FAIL: TestX (0.00s)"
  { line: /^\s*--- FAIL:\s+(\S+)/ },
  // cargo: "test mod::x ... FAILED"; nextest: "FAIL [ 0.1s] crate mod::x"
  { line: /^test\s+(\S.*?)\s+\.\.\.\s+FAILED/ },
  { line: /^\s*FAIL\s+\[\s*[\d.]+s\]\s+(\S.*?)\s*$/ },
  // rspec: "rspec ./spec/a_spec.rb:12 # Suite name"
  { line: /^rspec\s+(\S+\s+#\s+.+?)\s*$/ },
  // mocha, phpunit, ExUnit: "1) Suite name"
  {
    line: /^\s*\d+\)\s+(?:test\s+)?(.+?):?\s*$/,
    within: /\b\d+ failing\b|There (?:was|were) \d+ (?:failure|error)|\b\d+ tests?, [1-9]\d* failures?/,
  },
  // dotnet: "  Failed Namespace.Test [12 ms]"
  { line: /^\s+Failed\s+([\w.<>`,()\s"]+?)\s+\[[\d< .]+\s?m?s\]/ },
  // gradle: "SuiteTest > name() FAILED"
  { line: /^(\S+\s+>\s+.+?)\s+FAILED\s*$/ },
  // surefire: "[ERROR]   SuiteTest.name:12 …", "name(Suite)  Time elapsed: 0.1 s  <<< FAILURE!"
  { line: /^\[ERROR\]\s+([\w$.]+\.\w+):\d+/ },
  { line: /^(?:\[ERROR\]\s+)?(\S+(?:\([\w.$]+\))?)\s+.*<<< (?:FAILURE|ERROR)!/ },
  // TAP, node:test: "not ok 3 - name"
  { line: /^\s*not ok\s+\d+\s+(?:-\s+)?(.+?)(?:\s+#\s.*)?$/ },
  // ctest: "  3 - name (Failed)"; swift: "Test Case '-[Suite name]' failed"
  { line: /^\s*\d+\s+-\s+(\S+)\s+\((?:Failed|Timeout|SEGFAULT)/ },
  { line: /^Test Case '(.+?)' failed/ },
];
const PASSED: readonly Shape[] = [
  { line: new RegExp(`^\\s*[✓✔√]\\s+(.+?)${TIME}\\s*$`) },
  { line: /^(\S+\.py::.+?)\s+PASSED\b/ },
  { line: /^\s*--- PASS:\s+(\S+)/ },
  { line: /^test\s+(\S.*?)\s+\.\.\.\s+ok/ },
  { line: /^\s+Passed\s+([\w.<>`,()\s"]+?)\s+\[/ },
  { line: /^(\S+\s+>\s+.+?)\s+PASSED\s*$/ },
  { line: /^\s*ok\s+\d+\s+(?:-\s+)?(.+?)(?:\s+#\s.*)?$/ },
  { line: /^Test Case '(.+?)' passed/ },
];

const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
/** A cheap look: most outputs name no test. */
const ANY = /FAIL|ERROR|[✗✘×✕✖●]|not ok|\d\)\s|^rspec |[Ff]ailed/m;
const ANY_PASS = /[✓✔√]|PASS|\.\.\. ok|\bok \d|passed/m;

function namesIn(output: string, shapes: readonly Shape[]): string[] {
  const usable = shapes.filter(({ within }) => within === undefined || within.test(output));
  const names = new Set<string>();
  for (const raw of output.split('\n')) {
    if (raw.length > 1_000) continue;
    const line = raw.replace(ESCAPES, '').replace(/\r$/, '');
    for (const { line: shape } of usable) {
      const name = shape.exec(line)?.[1]?.trim();
      if (name === undefined || name.length < 2) continue;
      names.add(name.length > LENGTH ? name.slice(0, LENGTH) : name);
      break;
    }
    if (names.size >= MOST) break;
  }
  return [...names];
}

/** A file of tests says less than the tests in it, and is left out where these are named. */
function withoutFiles(names: string[]): string[] {
  const named = names.filter((name) => /\s|::|^Test|#|\(/.test(name) || !/[/.]/.test(name));
  return named.length > 0 ? named : names;
}

/** Whether two names mean the same test: one runner writes the path to it, another its own name alone. */
const isSame = (a: string, b: string): boolean =>
  a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`) || a.endsWith(`::${b}`) || b.endsWith(`::${a}`);

/** Names of the tests that failed in a run, as its output writes them, each once. */
export function findFailingTests(output: string): string[] {
  if (!ANY.test(output)) return [];
  const names = withoutFiles(namesIn(output, FAILED));
  // The longest name of a test says where it stands.
  return names.filter((name) => !names.some((other) => other.length > name.length && isSame(name, other)));
}

const COUNT = /\b\d+ (?:tests?|specs?|examples?|failed|failing|failures?|errors?|passed|passing)\b/i;
/** An output without the lines that name a failing test or count tests: what is left may say why. */
export const withoutNames = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !COUNT.test(line) && namesIn(line, FAILED).length === 0)
    .join('\n');

/** The failing tests that a later run has not shown to pass; `command` may name the test that it ran alone. */
export function listStillFailing(
  failing: readonly string[],
  command: string,
  output: string,
  passed: boolean,
): string[] {
  if (failing.length === 0) return [];
  const passing = ANY_PASS.test(output) ? namesIn(output, PASSED) : [];
  return failing.filter((name) => {
    if (passing.some((each) => isSame(each, name))) return false;
    const own = name.split(/::|\s[>›]\s|\s#\s/).at(-1) ?? name;
    return !(passed && own.length > 3 && command.includes(own));
  });
}

const SUMMARY =
  /(?:^|[^\d.])([1-9]\d*)\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|\bFAILED \(|^FAIL\b|test result: FAILED|BUILD FAILED|BUILD FAILURE|npm ERR!|error: could not compile|ELIFECYCLE|Found [1-9]\d* errors?/im;
/** Whether an output says of itself that the check failed, where the exit code cannot tell. */
export const saysFailed = (output: string): boolean => SUMMARY.test(output.replace(ESCAPES, ''));
