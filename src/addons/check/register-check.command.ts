// Registers the command `plimsoll check`: its options and its help.
import { type Command, Option } from 'commander';
import type { CliContext } from '../../cli/context.ts';
import { FORMATS } from './report.ts';
import type { CheckOptions } from './run-check.command.ts';

const NOTES = `Which files: without an option those that differ from HEAD, new ones too; --staged as they are staged, not as they lie
there; --since from the commit at which the revision and HEAD parted; --all every file that git does not ignore.

What is checked: guardrails (imports of all these files; of a change also protected, secret and governing files), the
project's settings, ORCHESTRATION.yaml, the markers of rule files, whether an active workflow says where it stands, and
tracks: the files of those that are among the files, and whether the active one was ready before the work on it. With --all
also the gates (plimsoll track verify): the active track is compacted twice to the same bytes and its plan is rebuilt from the
checkpoint; where guardrails are enforced, the hook denies a write that they forbid.
With guardrails.mode = "enforce" a refusal is an error, with "warn" a warning; what a person would be asked is a warning.

Exit codes: 0 no error, 1 an error (with --strict: or a warning), 2 it could not be checked.`;

export function addCheckCommand(
  root: Command,
  { place, json, output, self, failed, loadChecks }: CliContext,
): void {
  root
    .command('check')
    .description('whether changed files, or all, keep the rules of the project: for commit hooks and CI')
    .addOption(new Option('--staged', 'what the next commit would hold').conflicts(['since', 'all']))
    .addOption(
      new Option('--since <revision>', 'what has changed since a branch, tag or commit').conflicts('all'),
    )
    .option('--all', 'every file')
    .option('--strict', 'a warning fails the check too')
    .addOption(
      new Option(
        '--format <format>',
        'text unless given; sarif is 2.1.0, github annotations of GitHub Actions',
      ).choices(FORMATS),
    )
    .addOption(json())
    .addHelpText(
      'after',
      `\n${NOTES}\n\nExamples:\n  plimsoll check\n  plimsoll check --staged                       in a pre-commit hook\n  plimsoll check --since origin/main --format github\n  plimsoll check --all --format sarif > plimsoll.sarif`,
    )
    .action(async (options: CheckOptions) => {
      const { runCheck } = await import('./run-check.command.ts');
      if (!(await runCheck(await place(), options, output, self, await loadChecks()))) failed();
    });
}
