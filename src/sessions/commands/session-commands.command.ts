// Registers the commands `plimsoll session …` and `plimsoll events` with their options and help.
import type { Command } from 'commander';
import { type CliContext, collect, examplesOf, type JsonOption } from '../../cli/context.ts';
import { EVENT_TYPES } from '../log-event.ts';
import type { EventsOptions } from './events.command.ts';
import type { AbandonOptions } from './session.command.ts';

const ABOUT = `A session is the host's. It is running, has ended, or its work was dropped; it may go on in a later one that was handed
its work. An id may be cut to its beginning; without it the present session is meant.`;

export function addSessionCommands(root: Command, { place, json, output }: CliContext): void {
  const session = root
    .command('session')
    .description('sessions of this project: running, ended or dropped')
    .addHelpText(
      'after',
      `\n${ABOUT}\n\nExamples:\n  plimsoll session status\n  plimsoll session show\n  plimsoll session abandon --reason "the plan has changed"`,
    );
  const describe = (name: string, description: string, examples: string[]): Command =>
    session
      .command(name)
      .description(description)
      .addOption(json())
      .addHelpText('after', examplesOf(examples.map((each) => `session ${each}`)));
  const load = () => import('./session.command.ts');

  describe('abandon [id]', 'drop the work of a session: nobody is told of it again', [
    'abandon --reason "the plan has changed"',
    'abandon 0f6e3a52',
  ])
    .option('--reason <text>', 'why')
    .action(async (id: string | undefined, options: AbandonOptions) =>
      (await load()).abandonSession(await place(), id, options, output),
    );
  describe('status', 'the present session, else the one written last', ['status', 'status --json']).action(
    async (options: JsonOption) => (await load()).sessionStatus(await place(), options, output),
  );
  describe('list', 'all sessions of this project, the one written last first', [
    'list',
    'list --json',
  ]).action(async (options: JsonOption) => (await load()).sessionList(await place(), options, output));
  describe('show [id]', 'one session, and everything that happened in it', [
    'show',
    'show 0f6e3a52 --json',
  ]).action(async (id: string | undefined, options: JsonOption) =>
    (await load()).sessionShow(await place(), id, options, output),
  );

  root
    .command('events')
    .description('what has happened: in this session, else in all of this project')
    .option('--type <type>', 'events of this kind; may be given several times', collect)
    .option('--session <id>', 'of a session; the beginning of an id will do')
    .option('--all', 'of all sessions of this project')
    .option('--since <time>', 'since an ISO time, or for so long: 30m, 2h, 3d')
    .option('--count', 'their number only')
    .addOption(json())
    .addHelpText(
      'after',
      `\nTypes: ${EVENT_TYPES.join(', ')}\n\nExamples:\n  plimsoll events\n  plimsoll events --type CompactionDetected --count\n  plimsoll events --type CheckpointCreated --session 0f6e3a52 --since 2h\n  plimsoll events --all --since 3d --json`,
    )
    .action(async (options: EventsOptions) =>
      (await import('./events.command.ts')).eventsCommand(await place(), options, output),
    );
}
