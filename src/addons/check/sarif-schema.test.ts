// Tests that the SARIF output is valid by the schema of SARIF 2.1.0, whatever the findings hold.
import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import Ajv from 'ajv';
import meta from 'ajv/lib/refs/json-schema-draft-04.json' with { type: 'json' };
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../test/unit/all-checks.ts';
import { finding } from '../../../test/unit/finding.ts';
import { type CheckFinding, FAILED, type Level, sortFindings } from '../../cli/check-finding.ts';
import { escapeControls, toJson } from '../../cli/output.io.ts';
import { asSarif } from './run-check.command.ts';

// The schema is of draft 4; the validator names its own, newer ones in a remark.
const ajv = new Ajv({ schemaId: 'id', meta, format: 'full', allErrors: true, logger: false });
const isSarif = ajv.compile(schema);

/** The schema errors of a log. */
function faults(log: unknown): string[] {
  isSarif(log);
  return (isSarif.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
}
const logOf = (findings: CheckFinding[], prefix = ''): ReturnType<typeof asSarif> => {
  const report = { findings: sortFindings(findings), passes: true, files: 1, which: 'staged', prefix };
  return JSON.parse(escapeControls(toJson(asSarif(report, CHECKS))));
};
const faultsOf = (...given: Parameters<typeof logOf>): string[] => faults(logOf(...given));

const LEVELS: Level[] = ['note', 'warning', 'error'];
const ODD = [
  'a b.ts',
  'ü/日本.ts',
  'a#b?c.ts',
  '100%.ts',
  '%2e.ts',
  'a:b.ts',
  'quo\'te"<>.ts',
  '[x]{y}|^`.ts',
];
const HIDDEN = ['back\\slash', 'line\nend', '\u001b[31m.ts', 'half \ud800', '\u202e.ts', '-', '.', '//a'];

test('a log without findings', () => {
  expect(faultsOf([])).toEqual([]);
});

test('every rule of every check, at each level, of a line, of a file and of none', () => {
  const all = CHECKS.flatMap(({ name, rules }) =>
    [...Object.keys(rules), FAILED].flatMap((rule) =>
      LEVELS.flatMap((level) => [
        finding({ check: name, rule, level }),
        finding({ check: name, rule, level, line: null, next: null }),
        finding({ check: name, rule, level, line: null, file: null }),
      ]),
    ),
  );
  expect(all.length).toBeGreaterThan(100);
  expect(faultsOf(all)).toEqual([]);
});

test.each([...ODD, ...HIDDEN])('a file that is called %j', (file) => {
  expect(faultsOf([finding({ file, message: file, next: file })], 'packages/ü #1/')).toEqual([]);
});

test('any names and any words', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 });
  fc.assert(
    fc.property(text, text, text, (file, message, next) => {
      expect(faultsOf([finding({ file, message, next }), finding({ file: null, message })])).toEqual([]);
    }),
  );
});

// [what is wrong, how]
test.each<[string, (log: ReturnType<typeof asSarif>) => unknown]>([
  ['a level of another kind', ({ runs }) => Object.assign(runs[0]?.results[0] ?? {}, { level: 'notice' })],
  ['a line 0', ({ runs }) => Object.assign(regionIn(runs) ?? {}, { startLine: 0 })],
  ['a name that is no URI', ({ runs }) => Object.assign(placeIn(runs) ?? {}, { uri: 'a b.ts' })],
  ['a field that nobody knows', ({ runs }) => Object.assign(runs[0] ?? {}, { color: 'red' })],
])('the schema refuses %s', (_, spoil) => {
  const log = logOf([finding()]);
  expect(faults(log)).toEqual([]);
  spoil(log);
  expect(faults(log)).not.toEqual([]);
});

type Runs = ReturnType<typeof asSarif>['runs'];
const placeIn = (runs: Runs) => runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation;
const regionIn = (runs: Runs) => runs[0]?.results[0]?.locations[0]?.physicalLocation.region;
