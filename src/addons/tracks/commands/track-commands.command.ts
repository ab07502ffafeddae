// Registers `plimsoll track …`, `plimsoll note KIND …` and `plimsoll init --tracks`, with their options and help.

import { type Command, Option } from 'commander';
import { type CliContext, collect, formatExamples, type JsonOption } from '../../../cli/context.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { type Kind, RISK_STATES, SEVERITIES, TASK_STATES } from '../entries/entry.ts';
import type { InitTracksOptions } from './init-tracks.command.ts';
import type { NoteOptions } from './note-entry.command.ts';
import type { ActivateOptions, CloseOptions, NewOptions, SyncOptions } from './track-change.command.ts';

const ABOUT = `A track is one line of work: docs/tracks/ID with SPEC.md, PLAN.md, RISKS.md and DECISIONS.md. The one that is worked
on: PLIMSOLL_TRACK, else the one that is pinned to the session, else the one in docs/tracks/ACTIVE_TRACK.`;

const ABOUT_SYNC = `What was noted becomes one file per entry in docs/tracks/ID/entries/, with where it comes from, and the blocks of PLAN.md
(tasks), RISKS.md, DECISIONS.md and docs/context/INVARIANTS.md (proposals) are generated from them. No byte around a block is
changed; what somebody wrote into one is moved below it. An entry that is not as it should be refuses everything: exit
code 1, every place with what was found and what is expected.`;

const ABOUT_VERIFY = `Four gates; the project is not changed:
  evaluator    SPEC.md and PLAN.md pass, so that work may begin
  determinism  compacted twice from the same inputs, in another order of files, the track comes to the same bytes
  recovery     the plan is rebuilt from its entries to the hash in latest.json, and a later edit is seen
  guardrails   the real hook denies and notes a write that the settings forbid; not run unless guardrails.mode is "enforce"`;

const FAILS = '\nExit code 1: something was found.';

/** Adds `--tracks` and what belongs to it to `plimsoll init`. */
function addInitTracks(root: Command, cli: CliContext): void {
  const { ask, askText, dist, initActions, output, place } = cli;
  root.commands
    .find((each) => each.name() === 'init')
    ?.option(
      '--tracks',
      'work by tracks: three documents in docs/context/ (on a terminal you are asked which), guardrails',
    )
    .option('--all', 'with --tracks: all eight documents, and entry points in automation/hooks/')
    .option(
      '--strict',
      'with --tracks: refuse writes outside docs/ and artifacts/, instead of warning, and ask about tools that are not listed',
    )
    .option(
      '--source <glob...>',
      'with --tracks: extra paths the agent may write (default: detected source folders)',
    )
    .addHelpText('after', '  plimsoll init --tracks --source "src/**" "test/**"');
  initActions.push(async (options: InitTracksOptions) => {
    if (options.tracks) {
      const { initTracks } = await import('./init-tracks.command.ts');
      await initTracks(await place(), options, output, { ask, askText }, dist);
      return true;
    }
    if (options.strict || options.source || options.all)
      throw new PlimsollError('usage', '--all, --strict and --source belong to --tracks', {
        hint: 'plimsoll init --tracks --strict',
      });
    return false;
  });
}

export function addTrackCommands(root: Command, cli: CliContext): void {
  const { place, json, output, dist, failed } = cli;
  addInitTracks(root, cli);
  addNoteEntryCommands(root, cli);
  const track = root
    .command('track')
    .description('lines of work, each with its own specification, plan, risks and decisions')
    .addHelpText(
      'after',
      `\n${ABOUT}\n${formatExamples(['track new cache --title "A cache for answers"', 'track list', 'track show'])}`,
    );
  const describe = (name: string, description: string, lines: string[]): Command =>
    track
      .command(name)
      .description(description)
      .addOption(json())
      .addHelpText('after', formatExamples(lines));
  const change = () => import('./track-change.command.ts');
  const list = () => import('./track-list.command.ts');

  describe('new <id>', 'begin a track: its four files, with what belongs there', [
    'track new cache',
    'track new cache --title "A cache for answers"',
  ])
    .option('--title <text>', 'its title; else its id')
    .action(async (id: string, options: NewOptions) =>
      (await change()).createTrack(await place(), id, options, output),
    );
  describe('activate <id>', 'the project works on this track, or one session does', [
    'track activate cache',
    'track activate cache --session 0f6e3a52-1111-4222-8333-444455556666',
  ])
    .option('--session <id>', 'pin it to this session only')
    .option('--reopen', 'also when it is closed')
    .action(async (id: string, options: ActivateOptions) =>
      (await change()).activateTrack(await place(), id, options, output),
    );
  describe('list', 'all tracks, and how far each is by the boxes of its plan', [
    'track list',
    'track list --json',
  ]).action(async (options: JsonOption) => (await list()).listTracksCommand(await place(), options, output));
  describe('show [id]', 'one track; without id the one that is worked on', [
    'track show',
    'track show cache --json',
    'track show --full',
  ])
    .option(
      '--full',
      'its state rebuilt in five steps, core, track, checkpoint, transient files, state, with every file',
    )
    .addHelpText('after', '\nExit code 1 with --full: something that is needed is missing or damaged.')
    .action(async (id: string | undefined, options: JsonOption & { full?: boolean }) => {
      if (!options.full) return (await list()).showTrack(await place(), id, options, output);
      if (!(await import('./track-list.command.ts')).showWholeTrack(await place(), id, options, output))
        failed();
    });
  describe('close <id>', 'a track is finished or given up; its files stay', [
    'track close cache --reason "released with 2.0"',
  ])
    .option('--reason <text>', 'what came of it')
    .action(async (id: string, options: CloseOptions) =>
      (await change()).closeTrack(await place(), id, options, output),
    );
  describe(
    'lint [id]',
    'what keeps a track from being worked on: sections, tasks, placeholders, risks, names',
    ['track lint', 'track lint cache --json'],
  )
    .addHelpText('after', FAILS)
    .action(async (id: string | undefined, options: JsonOption) => {
      if (!(await import('./track-lint.command.ts')).lintTrack(await place(), id, options, output)) failed();
    });
  describe('sync [id]', "bring a track's plan, risks and decisions up to date with what was noted", [
    'track sync --dry-run',
    'track sync',
    'track sync cache --json',
  ])
    .option('--session <id>', 'the session whose transient files are referred to')
    .option('--dry-run', 'show the change only')
    .addHelpText('after', `\n${ABOUT_SYNC}`)
    .action(async (id: string | undefined, options: SyncOptions) =>
      (await import('./track-change.command.ts')).syncTrack(await place(), id, options, output),
    );
  describe('verify [id]', 'what must hold of a track and the guardrails, proven by doing it', [
    'track verify',
    'track verify cache --json',
  ])
    .addHelpText('after', `\n${ABOUT_VERIFY}`)
    .addHelpText('after', '\nExit code 1: something does not hold.')
    .action(async (id: string | undefined, options: JsonOption) => {
      const { verifyTrack } = await import('./track-verify.command.ts');
      if (!(await verifyTrack(await place(), id, options, output, dist))) failed();
    });
}

const ABOUT_NOTE = `Without --track the track that is worked on is meant. The entry goes into artifacts/sessions/SESSION/work_log.md: of
--session, else of the session in whose shell this runs, else of "notes". Secrets are redacted.`;

function addNoteEntryCommands(root: Command, { place, json, output }: CliContext): void {
  const notes = root.commands.find((each) => each.name() === 'note');
  if (notes === undefined) return;
  notes
    .description('note what must not be forgotten; or a decision, a risk, a task or an invariant of a track')
    .addHelpText(
      'after',
      `\n${ABOUT_NOTE}\n\nExample:\n  plimsoll note decision "One file holds the cache" --reason "no server" --impact "a migration"`,
    );
  const describeNote = (
    kind: Kind,
    description: string,
    example: string,
    options: readonly Option[],
  ): void => {
    const command = notes.command(`${kind} <text>`).description(description);
    for (const option of options) command.addOption(option);
    command
      .option('--id <id>', 'its id, to say something new of an entry that is there')
      .option('--at <time>', 'when, with its zone; else now')
      .option('--track <id>', 'a track; else the one that is worked on')
      .option('--session <id>', 'the session whose work log it goes to')
      .addOption(json())
      .addHelpText('after', `\n${ABOUT_NOTE}\n\nExample:\n  plimsoll note ${example}`)
      // The command above has two of these options as well: there they mean the same.
      .action(async (text: string, _given: NoteOptions, called: Command) =>
        (await import('./note-entry.command.ts')).noteEntry(
          await place(),
          kind,
          text,
          called.optsWithGlobals<NoteOptions>(),
          output,
        ),
      );
  };
  describeNote(
    'decision',
    'what was decided, why, and what follows from it',
    'decision "One file" --reason "no server" --impact "a migration"',
    [
      new Option('--reason <text>', 'why (needed)'),
      new Option('--impact <text>', 'what follows from it (needed)'),
    ],
  );
  describeNote('risk', 'what may go wrong', 'risk "The disk is full" --severity high --mitigation "say so"', [
    new Option('--severity <word>', `${SEVERITIES.join(', ')} (needed)`),
    new Option('--mitigation <text>', 'what is done about it'),
    new Option('--status <word>', RISK_STATES.join(', ')),
  ]);
  describeNote(
    'task',
    'what is to be done',
    'task "Write the reader" --acceptance "reads a BOM" --state doing',
    [
      new Option('--state <word>', TASK_STATES.join(', ')),
      new Option('--acceptance <text>', 'what shows that it is done; may be given several times').argParser(
        collect,
      ),
    ],
  );
  describeNote('invariant', 'what must hold in all tracks', 'invariant "Hooks never block"', []);
}
