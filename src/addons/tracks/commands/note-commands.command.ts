// Registers the subcommands of `plimsoll note` for tracks, with their options and help.
import { type Command, Option } from 'commander';
import { type CliContext, collect } from '../../../cli/context.ts';
import { type Kind, RISK_STATES, SEVERITIES, TASK_STATES } from '../entries/entry.ts';
import type { NoteOptions } from './note-entry.command.ts';

const ABOUT = `Without --track the track that is worked on is meant. The entry goes into artifacts/sessions/SESSION/work_log.md: of
--session, else of the session in whose shell this runs, else of "notes". Secrets are redacted.`;

export function addNoteEntryCommands(root: Command, { place, json, output }: CliContext): void {
  const notes = root.commands.find((each) => each.name() === 'note');
  if (notes === undefined) return;
  notes
    .description('note what must not be forgotten; or a decision, a risk, a task or an invariant of a track')
    .addHelpText(
      'after',
      `\n${ABOUT}\n\nExample:\n  plimsoll note decision "One file holds the cache" --reason "no server" --impact "a migration"`,
    );
  const describe = (kind: Kind, description: string, example: string, options: readonly Option[]): void => {
    const command = notes.command(`${kind} <text>`).description(description);
    for (const option of options) command.addOption(option);
    command
      .option('--id <id>', 'its id, to say something new of an entry that is there')
      .option('--at <time>', 'when, with its zone; else now')
      .option('--track <id>', 'a track; else the one that is worked on')
      .option('--session <id>', 'the session whose work log it goes to')
      .addOption(json())
      .addHelpText('after', `\n${ABOUT}\n\nExample:\n  plimsoll note ${example}`)
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
  describe(
    'decision',
    'what was decided, why, and what follows from it',
    'decision "One file" --reason "no server" --impact "a migration"',
    [
      new Option('--reason <text>', 'why (needed)'),
      new Option('--impact <text>', 'what follows from it (needed)'),
    ],
  );
  describe('risk', 'what may go wrong', 'risk "The disk is full" --severity high --mitigation "say so"', [
    new Option('--severity <word>', `${SEVERITIES.join(', ')} (needed)`),
    new Option('--mitigation <text>', 'what is done about it'),
    new Option('--status <word>', RISK_STATES.join(', ')),
  ]);
  describe('task', 'what is to be done', 'task "Write the reader" --acceptance "reads a BOM" --state doing', [
    new Option('--state <word>', TASK_STATES.join(', ')),
    new Option('--acceptance <text>', 'what shows that it is done; may be given several times').argParser(
      collect,
    ),
  ]);
  describe('invariant', 'what must hold in all tracks', 'invariant "Hooks never block"', []);
}
