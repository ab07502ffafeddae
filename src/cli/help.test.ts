// Every command of a group has help that shows a call of it as it is typed.
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { addStateCommands } from '../addons/orchestration/commands/state-commands.command.ts';
import { addTrackCommands } from '../addons/tracks/commands/track-commands.command.ts';
import { addCheckpointCommands } from '../compaction/checkpoint/checkpoint-commands.command.ts';
import { addConfigCommands } from '../settings/commands/config-commands.command.ts';
import type { CliContext } from './context.ts';

const door: CliContext = {
  place: () => {
    throw new Error('help asks for no place');
  },
  output: { print: () => undefined, warn: () => undefined, isInteractive: () => false },
  ask: async () => false,
  askText: async () => null,
  loadChecks: async () => [],
  loadStatusSections: async () => [],
  initActions: [],
  json: () => new Option('--json', 'as data'),
  self: '',
  dist: '',
  failed: () => undefined,
};

interface Leaf {
  call: string;
  help: string;
}

/** Lists the commands without subcommands: how each is called, and what its `--help` prints. */
function leavesOf(command: Command, called: string): Leaf[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => leavesOf(each, `${called} ${each.name()}`));
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return [{ call: called, help }];
}

describe.each([
  ['state', addStateCommands, ['--json', '--file']],
  ['checkpoint', addCheckpointCommands, ['--json']],
  ['config', addConfigCommands, []],
  ['track', addTrackCommands, ['--json']],
] as const)('every command of %s', (_name, add, options) => {
  const root = new Command('plimsoll');
  add(root, door);
  const leaves = leavesOf(root, 'plimsoll');

  test('is found', () => {
    expect(leaves.length).toBeGreaterThan(5);
  });

  test.each(leaves)('$call has help with an example', ({ call, help }) => {
    expect(help).toMatch(/^Usage: /);
    expect(help).toMatch(/\nExamples?:\n {2}plimsoll /);
    expect(help).toContain(`\n  ${call}`);
    for (const option of options) expect(help).toContain(option);
  });
});
