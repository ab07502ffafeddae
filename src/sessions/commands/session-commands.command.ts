// Registers the commands `plimsoll session …` and `plimsoll events` with their options and help.
import type { Command } from 'commander';
import { type CliContext, collect, examplesOf, type JsonOption } from '../../cli/context.ts';
import { EVENT_TYPES } from '../log-event.ts';
import type { EventsOptions } from './events.command.ts';
import type { EndOptions, StartOptions } from './session-change.command.ts';

const ABOUT = `A thread of work begins with the first prompt of a session, and goes on over compactions, resumes, and later
sessions that take the work over. It is completed when its last session ends; work that goes on there opens it again.
An id is a thread's, a session's, or the beginning of one; without it the thread of this session is meant.`;

export function addSessionCommands(root: Command, { place, json, output }: CliContext): void {
  const session = root
    .command('session')
    .description('threads of work: active, completed or abandoned')
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
  const change = () => import('./session-change.command.ts');
  const show = () => import('./session-show.command.ts');

  describe('start', 'begin a thread in this session, where its last one has ended', [
    'start',
    'start --session 0f6e3a52-1111-4222-8333-444455556666',
  ])
    .option('--session <id>', 'a session; without it the present one')
    .action(async (options: StartOptions) => (await change()).startThread(await place(), options, output));
  describe('end [id]', 'a thread is completed; the next prompt begins another one', [
    'end',
    'end 0f6e3a52 --reason "released"',
  ])
    .option('--reason <text>', 'what came of it')
    .action(async (id: string | undefined, options: EndOptions) =>
      (await change()).completeThread(await place(), id, options, output),
    );
  describe('abandon [id]', 'a thread is given up', [
    'abandon --reason "the plan has changed"',
    'abandon 0f6e3a52 --reason "tried elsewhere"',
  ])
    .option('--reason <text>', 'why')
    .action(async (id: string | undefined, options: EndOptions) =>
      (await change()).abandonThread(await place(), id, options, output),
    );
  describe('status', 'the thread of this session, else the one written last', [
    'status',
    'status --json',
  ]).action(async (options: JsonOption) => (await show()).sessionStatus(await place(), options, output));
  describe('list', 'all threads of this project, the one written last first', ['list', 'list --json']).action(
    async (options: JsonOption) => (await show()).sessionList(await place(), options, output),
  );
  describe('show [id]', 'one thread, and everything that happened in it', [
    'show',
    'show 0f6e3a52 --json',
  ]).action(async (id: string | undefined, options: JsonOption) =>
    (await show()).sessionShow(await place(), id, options, output),
  );

  root
    .command('events')
    .description('what has happened: in the thread of this session, else in all of this project')
    .option('--type <type>', 'events of this kind; may be given several times', collect)
    .option('--session <id>', 'of the thread of this session; the beginning of an id will do')
    .option('--all', 'of all threads of this project')
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
