// Registers the commands `plimsoll track …` and `plimsoll evaluate` with their options and help.
import type { Command } from 'commander';
import { type Door, examplesOf, type Json } from './door.ts';
import type { EvaluateOptions } from './evaluate.ts';
import type { ActivateOptions, CloseOptions, NewOptions } from './track-change.ts';

const ABOUT = `A track is one line of work: docs/tracks/ID with SPEC.md, PLAN.md, RISKS.md and DECISIONS.md. The one that is worked
on: PLIMSOLL_TRACK, else the one that is pinned to the conversation, else the one in docs/tracks/ACTIVE_TRACK.`;

export function addTrackCommands(root: Command, { place, json, output, failed }: Door): void {
  const track = root
    .command('track')
    .description('lines of work, each with its own specification, plan, risks and decisions')
    .addHelpText(
      'after',
      `\n${ABOUT}\n${examplesOf(['track new cache --title "A cache for answers"', 'track list', 'track status'])}`,
    );
  const describe = (name: string, description: string, lines: string[]): Command =>
    track.command(name).description(description).addOption(json()).addHelpText('after', examplesOf(lines));
  const change = () => import('./track-change.ts');
  const list = () => import('./track-list.ts');

  describe('new <id>', 'begin a track: its four files, with what belongs there', [
    'track new cache',
    'track new cache --title "A cache for answers"',
  ])
    .option('--title <text>', 'its title; else its id')
    .action(async (id: string, options: NewOptions) =>
      (await change()).trackNew(place(), id, options, output),
    );
  describe('activate <id>', 'the project works on this track, or one conversation does', [
    'track activate cache',
    'track activate cache --conversation 0f6e3a52-1111-4222-8333-444455556666',
  ])
    .option('--conversation <session>', 'pin it to this conversation only')
    .option('--reopen', 'also when it is closed')
    .action(async (id: string, options: ActivateOptions) =>
      (await change()).trackActivate(place(), id, options, output),
    );
  describe('list', 'all tracks, and how far each is by the boxes of its plan', [
    'track list',
    'track list --json',
  ]).action(async (options: Json) => (await list()).trackList(place(), options, output));
  describe('status [id]', 'one track; without id the one that is worked on', [
    'track status',
    'track status cache --json',
  ]).action(async (id: string | undefined, options: Json) =>
    (await list()).trackStatus(place(), id, options, output),
  );
  describe('close <id>', 'a track is finished or given up; its files stay', [
    'track close cache --reason "released with 2.0"',
  ])
    .option('--reason <text>', 'what came of it')
    .action(async (id: string, options: CloseOptions) =>
      (await change()).trackClose(place(), id, options, output),
    );

  root
    .command('evaluate')
    .description(
      'what keeps a track from being worked on: sections, tasks, placeholders, risks, names, decisions',
    )
    .option('--track <id>', 'a track; without it the one that is worked on')
    .addOption(json())
    .addHelpText(
      'after',
      `${examplesOf(['evaluate', 'evaluate --track cache --json'])}\n\nExit code 1: something was found.`,
    )
    .action(async (options: EvaluateOptions) => {
      if (!(await import('./evaluate.ts')).evaluateCommand(place(), options, output)) failed();
    });
}
