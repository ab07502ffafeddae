// The work as a checkpoint holds it, and the ways in which it is told in short.

import { redact } from '../text/redact.ts';
import { type CommandFact, comparePlaces, type Ledger, pickChanged } from './ledger/ledger.ts';
import type { OrchestrationState } from './workflow/workflow.ts';

// The `work` section of a checkpoint, in the shape of the seeds, made from the ledger.
const REQUESTS = 5;
const FILES = 500;

/** The last requests, never without the goal and the topic that they belong to. */
function requestsOf({ requests }: Ledger): string[] {
  const leading = [
    requests.findLast(({ kind }) => kind === 'goal'),
    requests.findLast(({ kind }) => kind === 'topic'),
  ].filter((each) => each !== undefined);
  const recent = requests.slice(-REQUESTS);
  const missing = leading.filter((each) => !recent.includes(each));
  const kept = [...missing, ...recent.slice(recent.length + missing.length > REQUESTS ? missing.length : 0)];
  return kept.map(({ text, command }) => (command === null ? text : `${command} ${text}`.trim()));
}

const outputOf = ({ failingTests, error }: CommandFact): string =>
  [
    ...(failingTests.length > 0 ? [`failed: ${failingTests.join(', ')}`] : []),
    ...(error === null ? [] : [error]),
  ].join('\n');

/** Commands that failed and did not succeed since, the latest last. */
export const listFailingCommands = ({ checks, commands }: Ledger): CommandFact[] =>
  [...checks, ...commands].filter(({ result }) => result === 'failed').sort(comparePlaces);

export function buildWork(ledger: Ledger): Work {
  const { tasks, lastAnswer, segment } = ledger;
  return {
    requests: requestsOf(ledger),
    tasks: tasks
      .filter((task) => task.status !== 'completed' || task.segment === segment)
      .map(({ id, subject, status, active }) => ({ id, subject, status, active })),
    files_written: pickChanged(ledger)
      .filter(({ deleted }) => !deleted)
      .slice(0, FILES)
      .map(({ path }) => path)
      .reverse(),
    failing_commands: listFailingCommands(ledger)
      .slice(-COMMANDS)
      .map((fact) => ({ command: fact.asRun, output: outputOf(fact) })),
    last_answer: lastAnswer === null ? null : shortenAnswer(lastAnswer.text),
    truncated: false,
    turn_open: ledger.isTurnOpen,
  };
}

/** What the host said at the end of a turn, where the file does not show it yet (or never will: a killed client). */
export function withStop(ledger: Ledger, stopped: { at: string; answer: string | null } | null): Ledger {
  if (stopped === null || (ledger.position?.time ?? '') > stopped.at) return ledger;
  const { answer } = stopped;
  const place = {
    session: ledger.position?.session ?? 0,
    segment: ledger.segment,
    entry: null,
    offset: ledger.position?.offset ?? 0,
    at: stopped.at,
  };
  return {
    ...ledger,
    isTurnOpen: false,
    underway: null,
    requests: ledger.requests.map((request) => ({ ...request, answered: true })),
    lastAnswer: answer === null ? ledger.lastAnswer : { text: answer, cut: 0, isFinal: true, ...place },
  };
}

/** `qg-2-iteration-1`, `qg-2 iteration 1`, `qg-final-iteration-2-revision`. */
const ITERATION = /^(.+?)[- ]iteration[- ](\d+)([- ]revision)?$/i;

/**
 * What an iteration of a quality gate asks for after its context was lost (OQ-R3): half a scoring counts for nothing and
 * is begun anew; where all scores are in and the revision is pending, that comes first.
 *
 * @param current the gate in progress as the file has it, whatever it is called
 */
export function findGateAction(activity: string | null, current: string | null = null): string | null {
  const [, gate, iteration, revision] = ITERATION.exec(activity?.trim() ?? '') ?? [];
  if (gate === undefined) return null;
  // Other things have iterations, too: a gate is what is named like one, or stands as the current one.
  if (!/^qg[-\w]*$/i.test(gate) && gate.toLowerCase() !== current?.toLowerCase()) return null;
  const name = gate
    .replace(/^[a-z]+/i, (word) => word.toUpperCase())
    .replace(/-[a-z]/g, (at) => at.toUpperCase());
  return revision === undefined
    ? `Restart ${name} iteration ${iteration}. Re-read the deliverables and run all required strategies.`
    : `Apply the revision from the findings of ${name} iteration ${iteration}, then run iteration ${Number(iteration) + 1}.`;
}

/** Whether a step is about an iteration of a gate that is passed since: nobody has noted a new one. */
function isOutdated(step: string, state: OrchestrationState): boolean {
  const current = state.current_gate?.toLowerCase();
  const words = step.toLowerCase().replace(/[- ]iteration[- ]/g, ' iteration ');
  const passed = state.quality?.gates_completed.map((gate) => gate.toLowerCase()) ?? [];
  return passed.some((gate) => gate !== current && words.includes(`${gate} iteration `));
}

/** The workflow's own next step, and what a gate under way asks for; null where it knows none. */
export function findWorkflowStep(state: OrchestrationState): string | null {
  const noted = state.next_step ?? '';
  const step = noted === '' || isOutdated(noted, state) ? null : noted;
  const gate = findGateAction(state.current_activity, state.current_gate);
  return gate === null ? step : step === null ? gate : `${gate} Noted as next step: ${step}`;
}

/** The next action as far as something names one, and what that is: the workflow, or the task list; never guessed. */
export function findNextAction(work: Work, state: OrchestrationState | null): string | null {
  const step = state === null ? null : findWorkflowStep(state);
  if (step !== null) return step;
  const open = openTasks(work);
  const running = open.find(({ status }) => status === 'in_progress');
  if (running !== undefined) return `Task in progress: ${running.subject}`;
  return open[0] === undefined ? null : `First pending task: ${open[0].subject}`;
}

export interface WorkTask {
  id: string | null;
  subject: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** How the agent words the task while it is at it, or null. */
  active: string | null;
}

export interface Work {
  /** Last requests of the user, oldest first; with the one that they lean on (`lastRequests`). */
  requests: string[];
  tasks: WorkTask[];
  /** Paths of files written or edited, the latest last. */
  files_written: string[];
  /** Commands that failed and did not succeed since, the latest last. */
  failing_commands: { command: string; output: string }[];
  /** First lines of the last answer, or null. */
  last_answer: string | null;
  /** True when the epoch was longer than what was read. */
  truncated: boolean;
  /** True when the last turn has no end: a request, or the calls of an answer, that nothing final followed. */
  turn_open: boolean;
}

export const EMPTY_WORK: Work = {
  requests: [],
  tasks: [],
  files_written: [],
  failing_commands: [],
  last_answer: null,
  truncated: false,
  turn_open: false,
};

/** So many failing commands are kept; an older one may fail still. */
export const COMMANDS = 5;

/** Cuts text to a number of characters, at a word where there is one, and says so with an ellipsis. */
export function shorten(value: string, characters: number): string {
  const plain = value.trim();
  if (plain.length <= characters) return plain;
  const cut = plain.slice(0, Math.max(characters - 1, 1));
  const space = cut.lastIndexOf(' ');
  const end = space > characters * 0.6 ? space : cut.length;
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** What is looked through behind a cut: half of a secret no longer looks like one. */
const BEHIND_CHARACTERS = 2_048;
/** So much of a word that what is looked through breaks off in is left out: it can be half of a secret. */
const HALF_CHARACTERS = 1_024;

function beginning(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = characters;
  while (end > characters - HALF_CHARACTERS && !/\s/.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

const ECHO =
  /^(?:Exit code \d+$|> |\$ |=== (?:RUN|PAUSE|CONT|NAME)\b|--- PASS|ok\s+\S+\s|PASS\b|[✓✔√] |npm (?:ERR!|error) (?:code|path|command|syscall|errno|A complete log))/;
const FAULT =
  /(?<!\b(?:0|no) )\b(?:\w{0,40}error|fail(?:ed|ure|s)?|\w{0,40}exception|panic(?:ked)?|fatal|cannot|expected|not found|denied|undefined)\b|[✗✘×]/i;

/** How a line ends that is told by the next one: `error: |-` in YAML, or a colon. */
const GOES_ON = /:(?:\s[|>][-+]?)?$/;
/** No more than this is told of a line. */
const LONGEST_LINE = 500;

/** The line of a failing command's output that says most: the first that names a fault, else the first, with what it announces. */
export function findUsefulLine(output: string): string | null {
  const lines = output
    .replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ECHO.test(line));
  let told = lines.find((line) => FAULT.test(line)) ?? lines[0] ?? null;
  for (const next of lines.slice(lines.indexOf(told ?? '') + 1)) {
    if (told === null || told.length > LONGEST_LINE || !GOES_ON.test(told)) break;
    told = told.replace(GOES_ON, () => `: ${next}`);
  }
  return told;
}

/** A private key has more lines than are kept: secrets are taken out of more than these. */
const ANSWER_CHARACTERS = 4_096;
const firstLines = (text: string): string => shorten(text.split('\n').slice(0, 6).join('\n'), 700);

/** First lines of an answer, without secrets. */
export const shortenAnswer = (answer: string): string =>
  firstLines(redact(beginning(answer, ANSWER_CHARACTERS + BEHIND_CHARACTERS)).slice(0, ANSWER_CHARACTERS));

export const openTasks = (work: Work): WorkTask[] => work.tasks.filter((task) => task.status !== 'completed');
