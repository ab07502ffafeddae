// Tests that people, GitHub Actions and SARIF tools can read every finding, whatever text it holds.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../test/unit/all-checks.ts';
import { finding } from '../../../test/unit/finding.ts';
import { type CheckFinding, FAILED, sortFindings, tally } from '../../cli/check-finding.ts';
import { asGitHub, asSarif, asText, settingsCheck } from './run-check.command.ts';

const report = (findings: CheckFinding[], prefix = '') => ({
  findings: sortFindings(findings),
  passes: tally(findings).error === 0,
  files: 2,
  which: 'staged',
  prefix,
});
const sarifOf = (findings: CheckFinding[], prefix = '') => asSarif(report(findings, prefix), CHECKS);

describe('asText()', () => {
  const text = (findings: CheckFinding[]) => asText(report(findings), (file) => file);

  test('groups by file, says the same advice once, and counts', () => {
    const findings = [
      finding(),
      finding({ line: 5, message: 'imports y' }),
      finding({ file: 'b', line: null, level: 'warning', next: null }),
      finding({ file: null, line: null, level: 'note', message: 'off', next: 'switch it on' }),
    ];
    expect(text(findings)).toBe(`b: warning: imports x [guardrails/architecture]

src/a.ts:3: error: imports x [guardrails/architecture]
src/a.ts:5: error: imports y [guardrails/architecture]
  Next: pass it in

plimsoll: note: off [guardrails/architecture]
  Next: switch it on

2 errors, 1 warning, 1 note (2 files checked: staged).`);
  });

  test('says when there is nothing', () => {
    expect(text([])).toBe('Nothing found (2 files checked: staged).');
  });

  test('keeps a finding on its line, whatever its name and words hold', () => {
    const odd = 'a\n::error::b\u001b[31m\r\u202e';
    const [first, second] = text([finding({ file: odd, message: odd })]).split('\n');
    expect(first).toBe(
      'a ::error::b\\u{1b}[31m\\u{d}\\u{202e}:3: error: a ::error::b\\u{1b}[31m\\u{d}\\u{202e} [guardrails/architecture]',
    );
    expect(second).toBe('  Next: pass it in');
  });
});

describe('asGitHub()', () => {
  const lines = (given: Partial<CheckFinding>, prefix = '') =>
    asGitHub(report([finding({ next: null, ...given })], prefix)).split('\n');

  // [finding, command]
  test.each<[Partial<CheckFinding>, string]>([
    [{}, '::error file=src/a.ts,line=3,title=plimsoll guardrails/architecture::imports x'],
    [
      { level: 'warning' },
      '::warning file=src/a.ts,line=3,title=plimsoll guardrails/architecture::imports x',
    ],
    [{ level: 'note' }, '::notice file=src/a.ts,line=3,title=plimsoll guardrails/architecture::imports x'],
    [{ line: null }, '::error file=src/a.ts,title=plimsoll guardrails/architecture::imports x'],
    [{ file: null, line: null }, '::error title=plimsoll guardrails/architecture::imports x'],
    [
      { next: 'do y' },
      '::error file=src/a.ts,line=3,title=plimsoll guardrails/architecture::imports x%0ANext: do y',
    ],
    // In a message %, CR and LF; in a property also : and ,
    [
      { message: '100% a:b, c\r\nd %0A' },
      '::error file=src/a.ts,line=3,title=plimsoll guardrails/architecture::100%25 a:b, c%0D%0Ad %250A',
    ],
    [
      { file: 'a:b, 100%\r\nc.ts', rule: 'x:y' },
      '::error file=a%3Ab%2C 100%25%0D%0Ac.ts,line=3,title=plimsoll guardrails/x%3Ay::imports x',
    ],
  ])('writes %j', (given, expected) => {
    expect(lines(given)).toEqual([expected, expect.stringMatching(/ \(2 files checked: staged\)\.$/)]);
  });

  test('begins paths at the top of the repository', () => {
    expect(lines({}, 'packages/a/')[0]).toContain('file=packages/a/src/a.ts,');
  });

  test('is one command a finding, whatever it holds, and gives it back', () => {
    const back = (text: string): string =>
      text
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%');
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        (file, message) => {
          const [command = '', , ...more] = lines({ file, message });
          expect(more).toEqual([]);
          const [, name, said] = /^::error file=([^,:]*),line=3,title=[^,:]*::(.*)$/s.exec(command) ?? [];
          expect([back(name ?? ''), back(said ?? '')]).toEqual([file, message]);
        },
      ),
    );
  });
});

describe('asSarif()', () => {
  test('is a log of version 2.1.0 with one run, a driver with rules, and results that name them', () => {
    const known = { check: 'settings', rule: Object.keys(settingsCheck.rules)[0] ?? '' };
    const sarif = sarifOf([finding(known), finding({ ...known, level: 'note', line: null, next: null })]);
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.$schema).toContain('sarif-schema-2.1.0.json');
    expect(sarif.runs).toHaveLength(1);
    const [run] = sarif.runs;
    const { driver } = run?.tool ?? { driver: null };
    expect(driver?.name).toBe('plimsoll');
    expect(new Set(driver?.rules.map(({ id }) => id)).size).toBe(driver?.rules.length);
    for (const rule of driver?.rules ?? []) expect(rule.shortDescription.text).not.toBe('');
    for (const result of run?.results ?? []) {
      expect(driver?.rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
      expect(['none', 'note', 'warning', 'error']).toContain(result.level);
      expect(result.message.text).not.toBe('');
    }
    expect(
      run?.results.map(({ message, locations }) => [message.text, locations[0]?.physicalLocation.region]),
    ).toEqual([
      ['imports x', { startLine: 1 }],
      ['imports x\nNext: pass it in', { startLine: 3 }],
    ]);
    expect(run?.originalUriBaseIds['%SRCROOT%']).toBeDefined();
  });

  // [file, URI]
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['with space/ü#?.ts', 'with%20space/%C3%BC%23%3F.ts'],
    ['a:b/100%.ts', 'a%3Ab/100%25.ts'],
    ['line\nend', 'line%0Aend'],
    ['back\\slash', 'back%5Cslash'],
    ['half \ud800', 'half%20%EF%BF%BD'],
  ])('writes the path %j as a relative URI below %%SRCROOT%%', (file, uri) => {
    const [result] = sarifOf([finding({ file })], 'p/')?.runs[0]?.results ?? [];
    expect(result?.locations[0]?.physicalLocation.artifactLocation).toEqual({
      uri: `p/${uri}`,
      uriBaseId: '%SRCROOT%',
    });
  });

  test('says of the run what is about no file, and that it failed where a check did', () => {
    const [run] = sarifOf([finding({ file: null, line: null, level: 'note' })]).runs;
    expect(run?.results).toEqual([]);
    expect(run?.invocations).toEqual([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          {
            descriptor: { id: 'guardrails/architecture' },
            level: 'note',
            message: { text: 'imports x\nNext: pass it in' },
          },
        ],
      },
    ]);
    const [failed] = sarifOf([finding({ rule: FAILED, file: null, line: null })]).runs;
    expect(failed?.invocations[0]?.executionSuccessful).toBe(false);
  });
});
