// The `work` section of a checkpoint, in the shape of the seeds, made from the ledger.

import { type CommandFact, comparePlaces, type Ledger, pickChanged } from './ledger/ledger.ts';
import { shortAnswer, type Work } from './work.ts';

const REQUESTS = 5;
const FILES = 500;
const COMMANDS = 5;

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
export const failingCommands = ({ checks, commands }: Ledger): CommandFact[] =>
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
    failing_commands: failingCommands(ledger)
      .slice(-COMMANDS)
      .map((fact) => ({ command: fact.asRun, output: outputOf(fact) })),
    last_answer: lastAnswer === null ? null : shortAnswer(lastAnswer.text),
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
