// Registers the commands about settings (`plimsoll config …`, `plimsoll trust`) with their options and help.
import { type Command, Option } from 'commander';
import { type CliContext, formatExamples, type JsonOption } from '../../cli/context.ts';
import type { ConfigSetOptions } from './config-set.command.ts';
import type { ConfigShowOptions } from './config-show.command.ts';
import type { TrustOptions } from './trust-settings.command.ts';

const FILES = `Files, the strongest first: config.local.toml in the state folder (local: yours in this project), .plimsoll/config.toml
(project: the team's), ~/.config/plimsoll/config.toml (user: yours everywhere). A variable such as
PLIMSOLL_CONTEXT_MONITOR__THRESHOLD_BASE comes before all files.`;

export function addConfigCommands(root: Command, { place, json, output, ask, failed }: CliContext): void {
  root
    .command('trust')
    .description(
      "what this project's own settings ask for that only you may allow: to be less strict than you have set, to run a command, to read outside the project; shows it, and asks",
    )
    .option('--yes', 'do not ask: trust what is shown')
    .option('--list', 'show only what there is, and what is trusted')
    .option('--remove', 'trust nothing of this project any more')
    .addOption(json())
    .addHelpText('after', formatExamples(['trust', 'trust --list', 'trust --remove']))
    .action(async (options: TrustOptions) =>
      (await import('./trust-settings.command.ts')).trust(await place(), options, output, ask),
    );
  const config = root
    .command('config')
    .description('settings: show, change and check them; comments and order of the files stay')
    .addHelpText(
      'after',
      `\n${FILES}\n\nExamples:\n  plimsoll config show --origin\n  plimsoll config set context_monitor.sensitivity C3\n  plimsoll config validate`,
    );
  const describe = (name: string, description: string, examples: string[], notes = ''): Command =>
    config
      .command(name)
      .description(description)
      .addOption(json())
      .addHelpText(
        'after',
        `${notes === '' ? '' : `\n${notes}\n`}${formatExamples(examples.map((each) => `config ${each}`))}`,
      );
  const scope = (): Option =>
    new Option(
      '--scope <scope>',
      "which file: yours in this project (the default), the team's, or yours everywhere",
    ).choices(['local', 'project', 'user']);

  describe('get <key>', 'the value in force', [
    'get context_monitor.threshold_base',
    'get checkpoint.keep --json',
  ]).action(async (key: string, options: JsonOption) =>
    (await import('./config-show.command.ts')).configGet(await place(), key, options, output),
  );
  describe(
    'set <key> <value>',
    'set a value; says which file was written and what is in force then',
    [
      'set context_monitor.warning_threshold 0.65',
      'set context_monitor.window_tokens 1_000_000 --scope user',
      'set context_monitor.model_windows."glm-5.1" 128000 --scope project',
      `set context_monitor.model_windows '{ "glm-5.1" = 128_000 }'`,
    ],
    FILES,
  )
    .addOption(scope())
    .action(async (key: string, value: string, options: ConfigSetOptions) =>
      (await import('./config-set.command.ts')).configSet(await place(), key, value, options, output),
    );
  describe('unset <key>', 'take a value out of a file: the next layer or the default counts', [
    'unset context_monitor.warning_threshold',
    'unset checkpoint.keep --scope project',
  ])
    .addOption(scope())
    .action(async (key: string, options: ConfigSetOptions) =>
      (await import('./config-set.command.ts')).configUnset(await place(), key, options, output),
    );
  describe('show', 'every key with the value in force', ['show', 'show --origin', 'show --json'])
    .option('--origin', 'where each value comes from: file and line, variable, preset or default')
    .action(async (options: ConfigShowOptions) =>
      (await import('./config-show.command.ts')).configShow(await place(), options, output),
    );
  describe('path', 'the files that settings are kept in, and whether they are there', [
    'path',
    'path --json',
  ]).action(async (options: JsonOption) =>
    (await import('./config-show.command.ts')).configPath(await place(), options, output),
  );
  describe(
    'validate',
    'check all files and the environment: where, what is wrong, what to do; exit code 1 when there is a problem',
    ['validate', 'validate --json'],
  ).action(async (options: JsonOption) => {
    if (!(await import('./config-show.command.ts')).configValidate(await place(), options, output)) failed();
  });
  describe(
    'schema',
    'a JSON Schema (draft 7) of the settings, for editors',
    ['schema > .plimsoll/config.schema.json'],
    'Editors with taplo (Even Better TOML) check and complete a file whose first line names the schema:\n  #:schema ./config.schema.json',
  ).action(async () => (await import('./config-show.command.ts')).configSchema(output));
}
