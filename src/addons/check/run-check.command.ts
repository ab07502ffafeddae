// Runs `plimsoll check`: whether the changed files, or all, keep the project's rules; for commit hooks and CI.

import { relative } from 'node:path';
import type { CheckFinding, Level } from '../../cli/check-finding.ts';
import { FAILED, formatRuleId, sortFindings, tally } from '../../cli/check-finding.ts';
import type { Check, CheckContext } from '../../cli/check-port.io.ts';
import { formatCount, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext, readProjectContext } from '../../cli/project.io.ts';
import { type GitScope, listGitFiles } from '../../platform/git/git-files.ts';
import { type Git, openGit } from '../../platform/git/git-run.ts';
import { readNamed } from '../../platform/in-project.ts';
import { listProjectPaths, makeRelative } from '../../platform/project/paths.ts';
import { tryStepAsync } from '../../platform/project/try-step.ts';
import { findSettingsFaults } from '../../settings/find-faults.io.ts';
import { loadSettings, ownJudge } from '../../settings/load.io.ts';
import { displayText } from '../../text/path-text.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { redact } from '../../text/redact.ts';
import { VERSION } from '../../version.ts';
import type { Format, Report } from './report.ts';

// Check "settings": the settings are valid. Faults in the project's file are errors, those of this machine warnings.
export const settingsCheck: Check = {
  name: 'settings',
  rules: {
    project: 'The settings file of the project holds what cannot be used.',
    own: 'Settings of this machine (variables, your own files) cannot be used.',
  },
  look: ({ place, root, readSettings }) =>
    findSettingsFaults(root, place.env, readSettings).map((fault): CheckFinding => {
      const { origin, where, line, message, next } = fault;
      const common = { check: 'settings', next };
      return origin === 'project'
        ? { ...common, rule: 'project', level: 'error', file: makeRelative(where, root), line, message }
        : {
            ...common,
            rule: 'own',
            level: 'warning',
            file: null,
            line: null,
            message: `${[displayPath(where, place), line].filter((part) => part !== null).join(':')}: ${message}`,
          };
    }),
};

// Formats findings as SARIF 2.1.0: one run with its rules and results, paths relative to the top of the repository.
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

/** Puts text on one line, without anything that a terminal or a log takes for a command. */
const plain = (text: string): string => stripControls(displayText(text.replace(/\s*\n\s*/g, ' '), 600));

/** `1 error, 2 warnings, 1 note (14 files checked: staged).` */
function summaryOf({ findings, files, which }: Report): string {
  const { error, warning, note } = tally(findings);
  const parts = [
    ...(error > 0 ? [formatCount(error, 'error')] : []),
    ...(warning > 0 ? [formatCount(warning, 'warning')] : []),
    ...(note > 0 ? [formatCount(note, 'note')] : []),
  ];
  const found = parts.length === 0 ? 'Nothing found' : parts.join(', ');
  return `${found} (${formatCount(files, 'file')} checked: ${which}).`;
}

/** @param pathOf a file of the project as it is typed from where the command runs */
export function asText(report: Report, pathOf: (file: string) => string): string {
  const lines: string[] = [];
  let last: CheckFinding | null = null;
  for (const finding of report.findings) {
    const { file, line, level, message, next } = finding;
    const where = file === null ? 'plimsoll' : [pathOf(file), ...(line === null ? [] : [line])].join(':');
    if (last !== null && last.file !== file) lines.push('');
    // The same advice for several lines of a file is given once, after the last of them.
    if (last?.file === file && last.next === next && next !== null) lines.pop();
    lines.push(plain(`${where}: ${level}: ${message} [${formatRuleId(finding)}]`));
    if (next !== null) lines.push(plain(`  Next: ${next}`));
    last = finding;
  }
  return [...lines, ...(lines.length > 0 ? [''] : []), summaryOf(report)].join('\n');
}

const COMMANDS: Record<Level, string> = { error: 'error', warning: 'warning', note: 'notice' };

/** Escapes the text of a command: characters that would end it or mean something else. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** Escapes the value of a property, which a comma or colon ends too. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function commandOf(finding: CheckFinding, prefix: string): string {
  const { level, file, line, message, next } = finding;
  const properties = [
    ...(file === null ? [] : [`file=${property(prefix + file)}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${property(`plimsoll ${formatRuleId(finding)}`)}`,
  ];
  return `::${COMMANDS[level]} ${properties.join(',')}::${data(next === null ? message : `${message}\nNext: ${next}`)}`;
}

export const asGitHub = (report: Report): string =>
  [...report.findings.map((each) => commandOf(each, report.prefix)), summaryOf(report)].join('\n');

export interface CheckOptions {
  staged?: boolean;
  since?: string;
  all?: boolean;
  strict?: boolean;
  format?: Format;
  json?: boolean;
}

function scopeOf({ staged, since, all }: CheckOptions): GitScope {
  if (since !== undefined) return { kind: 'since', revision: since };
  return { kind: staged ? 'staged' : all ? 'all' : 'changed' };
}

function whichOf(scope: GitScope): string {
  if (scope.kind === 'since') return `changed since ${scope.revision}`;
  return scope.kind === 'staged' || scope.kind === 'all' ? scope.kind : 'not committed';
}

/**
 * Collects the files to check, and the settings as these files hold them: a commit is checked by what it commits.
 * @throws PlimsollError `git-refused`
 */
function lookAt(git: Git, scope: GitScope, from: ProjectContext, self: string): CheckContext {
  const { root } = git;
  const files = listGitFiles(git, scope);
  const readSettings = (path: string): string | null =>
    (path === from.paths.config ? files.read(makeRelative(path, root)) : null) ?? readNamed(root, path);
  const resolved = loadSettings(root, from.env, readSettings, ownJudge);
  const paths = listProjectPaths(root, from.env);
  return { ...files, git, root, scope: scope.kind, readSettings, self, place: { ...from, paths, resolved } };
}

/** Runs every check on its own; a check that fails becomes an error among the findings. */
async function findingsOf(look: CheckContext, checks: readonly Check[]): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const onFailure = (check: string, error: unknown): void => {
    const message = `the check "${check}" failed: ${error instanceof Error ? error.message : String(error)}`;
    const next = 'check the file that it names, and its permissions';
    findings.push({ check, rule: FAILED, level: 'error', file: null, line: null, message, next });
  };
  for (const check of checks)
    findings.push(...((await tryStepAsync({ onFailure }, check.name, async () => check.look(look))) ?? []));
  // Messages quote the text of files, which may be anything; logs of CI are often public.
  return sortFindings(
    findings.map((each) => ({
      ...each,
      message: redact(each.message),
      next: each.next === null ? null : redact(each.next),
    })),
  );
}

function print(
  report: Report,
  look: CheckContext,
  checks: readonly Check[],
  format: Format | undefined,
  output: Output,
): void {
  const { root, place, scope } = look;
  if (format === 'sarif') output.print(toJson(asSarif(report, checks)));
  else if (format === 'github') output.print(asGitHub(report));
  else if (format === 'json') {
    const { findings, files, passes } = report;
    const { error: errors, warning: warnings, note: notes } = tally(findings);
    output.print(toJson({ ok: passes, root, scope, files, errors, warnings, notes, findings }));
  } else output.print(asText(report, (file) => relative(place.cwd, `${root}/${file}`)));
}

/**
 * Checks the files and prints what was found.
 * @param self path of the command line itself, which a gate runs anew
 * @param checks of all add-ons
 * @returns whether the check passes: no error, and with `strict` no warning
 * @throws PlimsollError where it is unclear which files are meant
 */
export async function runCheck(
  { cwd, env, now }: Pick<ProjectContext, 'cwd' | 'env' | 'now'>,
  options: CheckOptions,
  output: Output,
  self: string,
  checks: readonly Check[],
): Promise<boolean> {
  if (options.json && options.format !== undefined && options.format !== 'json')
    throw new PlimsollError('usage', `--json and --format ${options.format} are two formats`, {
      hint: 'give one',
    });
  // A commit belongs to the folder in which it is made, whichever project the client was started for.
  const from = readProjectContext(cwd, { ...env, HOST_PROJECT: undefined }, now);
  if (from.root === null)
    throw new PlimsollError('usage', 'This folder is no project', {
      hint: 'run it in the folder of a project',
    });
  const scope = scopeOf(options);
  const look = lookAt(openGit(from.root, cwd, env), scope, from, self);
  const findings = await findingsOf(look, checks);
  const { error, warning } = tally(findings);
  const passes = error === 0 && !(options.strict === true && warning > 0);
  const { files, git } = look;
  const report = { findings, passes, files: files.length, which: whichOf(scope), prefix: git.prefix };
  print(report, look, checks, options.json ? 'json' : options.format, output);
  return passes;
}
