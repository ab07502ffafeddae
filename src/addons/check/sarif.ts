// Formats findings as SARIF 2.1.0: one run with its rules and results, paths relative to the top of the repository.

import { type CheckFinding, FAILED, formatRuleId } from '../../cli/check-finding.ts';
import { VERSION } from '../../version.ts';
import type { Report } from './report.ts';

const ROOT = '%SRCROOT%';
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A path as a relative URI reference: a colon in its first part would be a scheme. */
const uriOf = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');

const wordsOf = ({ message, next }: CheckFinding): { text: string } => ({
  text: next === null ? message : `${message}\nNext: ${next}`,
});

/** A finding without a file as a notification of the run: readers show no result without a location. */
const notificationOf = (finding: CheckFinding) => ({
  descriptor: { id: formatRuleId(finding) },
  level: finding.level,
  message: wordsOf(finding),
});

export function asSarif(
  { findings, prefix }: Report,
  checks: readonly { name: string; rules: Record<string, string> }[],
) {
  const rules = checks.flatMap((check) =>
    Object.entries(check.rules).map(([rule, text]) => ({
      id: formatRuleId({ check: check.name, rule }),
      shortDescription: { text },
    })),
  );
  const results = findings.flatMap((finding) => {
    const { file, line, level } = finding;
    if (file === null) return [];
    const ruleIndex = rules.findIndex(({ id }) => id === formatRuleId(finding));
    return [
      {
        ruleId: formatRuleId(finding),
        ...(ruleIndex < 0 ? {} : { ruleIndex }),
        level,
        message: wordsOf(finding),
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(prefix + file), uriBaseId: ROOT },
              // A finding about the whole file is put at its first line: some readers show none without a line.
              region: { startLine: line ?? 1 },
            },
          },
        ],
      },
    ];
  });
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'plimsoll', version: VERSION, rules } },
        originalUriBaseIds: { [ROOT]: { description: { text: 'The top of the repository.' } } },
        invocations: [
          {
            executionSuccessful: findings.every(({ rule }) => rule !== FAILED),
            toolExecutionNotifications: findings.filter(({ file }) => file === null).map(notificationOf),
          },
        ],
        results,
      },
    ],
  };
}
