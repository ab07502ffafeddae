import { expect, test } from 'vitest';
import { findFailingTests, listStillFailing, saysFailed } from './test-names.ts';

test.each<[string, string, string[]]>([
  [
    'vitest',
    ' ✓ src/a.test.ts (2 tests) 4ms\n ❯ src/b.test.ts (2 tests | 1 failed)\n   × parse() > reads a number 5ms\n FAIL  src/b.test.ts > parse() > reads a number\nAssertionError: expected 1',
    ['src/b.test.ts > parse() > reads a number'],
  ],
  ['jest', 'FAIL src/a.test.js\n  ● parse › reads a number\n\n    expect(1)', ['parse › reads a number']],
  [
    'pytest',
    'tests/test_a.py F.\nFAILED tests/test_a.py::test_reads - AssertionError: 1\n1 failed, 1 passed',
    ['tests/test_a.py::test_reads'],
  ],
  [
    'go',
    '=== RUN TestX\n--- FAIL: TestX (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\texample.com/p\t0.1s',
    ['TestX'],
  ],
  ['cargo', 'test m::reads ... FAILED\ntest m::ok ... ok\ntest result: FAILED. 1 passed', ['m::reads']],
  ['mocha', '  1 passing\n  1 failing\n\n  1) parse\n       reads:\n     Error', ['parse']],
  [
    'rspec',
    'rspec ./spec/a_spec.rb:12 # Parser reads a number',
    ['./spec/a_spec.rb:12 # Parser reads a number'],
  ],
  ['dotnet', '  Failed Ns.Parser.Reads [12 ms]\n  Error', ['Ns.Parser.Reads']],
  ['gradle', 'ParserTest > reads() FAILED\n  java.lang', ['ParserTest > reads()']],
  ['surefire', '[ERROR]   ParserTest.reads:12 expected', ['ParserTest.reads']],
  ['node:test', 'not ok 3 - reads a number\n  ---', ['reads a number']],
  ['unittest', 'FAIL: test_reads (tests.test_a.Case)\n---', ['test_reads (tests.test_a.Case)']],
  ['a banner', '> p@1.0.0 test\n121 tests, 2 failed', []],
  ['a run that passed', ' ✓ a\n Tests 3 passed', []],
])('failingTestsIn() knows %s', (_, output, expected) => {
  expect(findFailingTests(output)).toEqual(expected);
});

test('a failing test counts until it is seen to pass', () => {
  const failing = ['src/b.test.ts > parse() > reads a number', 'TestX'];
  expect(listStillFailing(failing, 'npx vitest', ' ✓ something else 1ms', true)).toEqual(failing);
  expect(listStillFailing(failing, 'npx vitest', ' ✓ parse() > reads a number 1ms', true)).toEqual(['TestX']);
  expect(listStillFailing(failing, 'go test -run TestX', '--- PASS: TestX (0.0s)', true)).toEqual([
    failing[0],
  ]);
  expect(listStillFailing(failing, 'npx vitest -t "reads a number"', '', true)).toEqual(['TestX']);
  expect(listStillFailing(failing, 'npx vitest -t "reads a number"', '', false)).toEqual(failing);
});

test.each<[string, boolean]>([
  ['2 failed, 3 passed', true],
  ['Tests  1 failed | 2 passed', true],
  ['0 failed', false],
  ['Found 3 errors.', true],
  ['12 passing', false],
])('saysFailed(%j) is %s', (output, expected) => {
  expect(saysFailed(output)).toBe(expected);
});
