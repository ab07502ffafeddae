// Registers the commands about sessions and what is kept of them: list, abandon, explain, probe, delete, export and more.

import { type Command, Option } from 'commander';
import { type CliContext, collect, formatExamples, type JsonOption } from '../../cli/context.ts';
import type { RecallOptions } from '../../compaction/thread-commands.command.ts';
import type { ExplainOptions, ThresholdsOptions } from '../../context/explain.command.ts';
import type { CalibrateOptions } from '../../replay/calibrate.command.ts';
import type { ProbeOptions } from '../../replay/probe.command.ts';
import type { ReplayOptions } from '../../replay/replay.command.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { EVENT_TYPES } from '../log-event.ts';
import type { DeleteOptions } from '../retention/delete.command.ts';
import type { EventsOptions } from './events.command.ts';
import type { ExportOptions } from './export.command.ts';
import type { AbandonOptions } from './session.command.ts';

// Registers the commands `plimsoll session …` and `plimsoll events` with their options and help.
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
      .addHelpText('after', formatExamples(examples.map((each) => `session ${each}`)));
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

export function addStatusLineCommand(root: Command): void {
  root
    .command('statusline')
    .description("one line for Claude Code's status line, from the JSON that it gives on stdin")
    .option('--wrap <command>', 'another status line, run with the same input and shown above')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  plimsoll init --statusline                puts it into the settings, around the one that is there\n  plimsoll statusline --wrap 'my-line.sh'   for settings that you write yourself\n\nThe line is made of the parts that the setting statusline.format names.`,
    )
    .action(async (options: { wrap?: string; json?: boolean }) => {
      if (process.stdin.isTTY) {
        throw new PlimsollError('usage', 'Claude Code starts this, and gives it JSON on stdin', {
          hint: 'plimsoll init --statusline puts it there; plimsoll status shows the figures here',
        });
      }
      await (await import('../../statusline/statusline.io.ts')).runStatusLine(options, {
        env: process.env,
        now: Date.now,
      });
    });
}

export function addRecallCommand(root: Command, { place, json, output }: CliContext): void {
  root
    .command('recall <words...>')
    .description(
      'search what was said in this work: by the user, in commands, outputs and answers, compacted or not',
    )
    .option(
      '--session <id>',
      'the work that this session belongs to; without it the one that this command runs in, else the newest here',
    )
    .option('--limit <number>', 'so many findings at the most; 10 unless given')
    .addOption(json())
    .addHelpText(
      'after',
      `
Reads the transcripts of the session and of those that it carried on. What holds all the words comes before what holds some,
whole words before parts of words, the newest first. Secrets are redacted.
${formatExamples(['recall port', 'recall never commit --limit 3', 'recall 端口 --json'])}`,
    )
    .action(async (words: string[], options: RecallOptions) =>
      (await import('../../compaction/thread-commands.command.ts')).recall(
        await place(),
        words,
        options,
        output,
      ),
    );
}

export function addProbeCommand(root: Command, { place, json, output, dist }: CliContext): void {
  root
    .command('probe [path...]')
    .description('measure what was needed after each compaction, and how much of it the agent was told')
    .addOption(new Option('--csv', 'one line for each compaction and kind of fact').conflicts('json'))
    .option('--checks <number>', 'checks in the text that shows what is within reach; 5 unless given')
    .addOption(json())
    .addHelpText(
      'after',
      `
A path is a transcript (.jsonl, .jsonl.gz) or a folder of them; without one, the newest session of this folder.
The hooks run once more on each compaction, in a folder made for it; no model is asked, nothing of yours is changed.
The same input gives the same bytes.
${formatExamples(['probe', 'probe ~/transcripts', 'probe transcripts/ --json', 'probe a.jsonl --csv'])}`,
    )
    .action(async (paths: string[], options: ProbeOptions) =>
      (await import('../../replay/probe.command.ts')).probe(await place(), paths, options, output, dist),
    );
}

export function addReplayCommand(root: Command, { place, json, output, dist }: CliContext): void {
  root
    .command('replay [path...]')
    .description('what would have been announced in past sessions, and how early before each compaction')
    .option('--all', 'the sessions of all projects')
    .option(
      '--retention',
      'also what was needed after each compaction and how much was told (runs the hooks: slow)',
    )
    .option('--threads <n>', 'how many files are read at a time; without it one per processor')
    .addOption(new Option('--csv', 'one line for each compaction').conflicts('json'))
    .addOption(json())
    .addHelpText(
      'after',
      `
A path is a transcript (.jsonl) or a folder of them; without one, all sessions of this project that the client still has.
At every prompt and after every batch of tools it asks what the hooks ask, with your present settings; nothing is written.
${formatExamples(['replay', 'replay --all', 'replay ~/transcripts --json', 'replay a.jsonl --csv'])}`,
    )
    .action(async (paths: string[], options: ReplayOptions) =>
      (await import('../../replay/replay.command.ts')).replay(await place(), paths, options, output, dist),
    );
}

export function addCalibrateCommand(root: Command, { place, json, output, ask, dist }: CliContext): void {
  root
    .command('calibrate [path...]')
    .description(
      'measure on past sessions where your client compacts and what it leaves, and propose thresholds',
    )
    .option('--all', 'the sessions of all projects')
    .option('--threads <n>', 'how many files are read at a time; without it one per processor')
    .option('--apply', 'set what is proposed; shows it, and asks')
    .addOption(
      new Option(
        '--scope <scope>',
        'which settings file --apply changes: yours everywhere unless given',
      ).choices(['local', 'project', 'user']),
    )
    .option('--yes', 'do not ask')
    .addOption(json())
    .addHelpText(
      'after',
      `
A path is a transcript (.jsonl) or a folder of them; without one, all sessions of this project that the client still has.
Each set of thresholds is judged by replaying the sessions with it, as plimsoll replay does. Without --apply nothing is written.
${formatExamples(['calibrate', 'calibrate --all', 'calibrate --all --apply', 'calibrate ~/transcripts --json'])}`,
    )
    .action(async (paths: string[], options: CalibrateOptions) =>
      (await import('../../replay/calibrate.command.ts')).calibrate(await place(), paths, options, output, {
        ask,
        dist,
      }),
    );
}

export function addInspectCommands(
  root: Command,
  { place, json, output, ask, dist, loadStatusSections }: CliContext,
): void {
  root
    .command('explain')
    .description('what was announced last in a session and why, or why nothing was')
    .option('--session <id>', 'a session; without it the one that this command runs in, else the newest')
    .addOption(json())
    .addHelpText(
      'after',
      `\nThe last 20 decisions are kept; equal ones in a row share a line.\n${formatExamples(['explain', 'explain --json'])}`,
    )
    .action(async (options: ExplainOptions) =>
      (await import('../../context/explain.command.ts')).explain(await place(), options, output),
    );
  root
    .command('thresholds')
    .description('at how many tokens each tier begins, who says so, and how far away it is')
    .option('--session <id>', 'a session; without it the newest of this folder')
    .option('--transcript <file>', 'a transcript file')
    .option('--window <tokens>', 'try another window')
    .option('--sensitivity <level>', 'try another preset: C1, C2, C3 or C4')
    .addOption(json())
    .addHelpText(
      'after',
      '\nExamples:\n  plimsoll thresholds\n  plimsoll thresholds --window 1000000 --sensitivity C3',
    )
    .action(async (options: ThresholdsOptions) =>
      (await import('../../context/explain.command.ts')).thresholds(await place(), options, output),
    );
  root
    .command('delete')
    .description('remove for good what is kept of sessions: one, old ones, or all')
    .option('--session <id>', 'one session')
    .option('--before <time>', 'those that were silent since: a date, or an age such as 30d or 12h')
    .option('--all', 'all of this project, and the log of failures')
    .option('--force', 'also one that is running; only with --session')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show what would go')
    .addOption(json())
    .addHelpText(
      'after',
      "\nCheckpoints, states, events and usage samples go; settings, rules and the client's own transcripts stay. A session\nthat is running stays, unless it is named and --force is given.\n\nExamples:\n  plimsoll delete --before 30d --dry-run\n  plimsoll delete --session 0f6e3a52-1111-4222-8333-444455556666\n  plimsoll delete --all --yes",
    )
    .action(async (options: DeleteOptions) =>
      (await import('../retention/delete.command.ts')).deleteKept(await place(), options, output, ask),
    );
  root
    .command('export')
    .description(
      'one file for a report of a fault: versions, settings, what happened; without what people wrote',
    )
    .option('--session <id>', 'a session; without it the one that this command runs in, else the newest')
    .option('--output <file>', 'where to write it; - prints it')
    .option('--with-text', 'with the words of requests, answers, tasks and commands')
    .addOption(json())
    .addHelpText(
      'after',
      '\nSecrets are redacted, the home folder and your name become ~. Read the file before you send it.\n\nExamples:\n  plimsoll export\n  plimsoll export --output report.json\n  plimsoll export --output - | less',
    )
    .action(async (options: ExportOptions) =>
      (await import('./export.command.ts')).exportCommand(
        await place(),
        options,
        output,
        dist,
        await loadStatusSections(),
      ),
    );
}
