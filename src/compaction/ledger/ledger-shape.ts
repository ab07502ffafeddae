// Tells whether what was read from a file is a ledger: one of other types would silence everything that is told of the work.
import type { Shape } from '../../text/json.ts';
import { isFlag, isNumber, isText, listOf, mapOf, mayBe, oneOf, withFields } from '../../text/json.ts';
import type { Ledger } from './ledger.ts';

const maybeText = mayBe(isText);
const EVIDENCE = { session: isNumber, segment: isNumber, entry: maybeText, offset: isNumber, at: maybeText };
const EXCERPT = { text: isText, cut: isNumber };
const TASK = {
  ...{ id: maybeText, subject: isText, active: maybeText },
  status: oneOf('pending', 'in_progress', 'completed'),
};

const fact = (fields: Record<string, Shape>): Shape => withFields({ ...EVIDENCE, ...fields });

const isCommand = fact({
  ...{ command: isText, asRun: isText, runs: isNumber, result: oneOf('passed', 'failed', 'unknown') },
  ...{ failingTests: listOf(isText), error: maybeText },
  lastFailure: mayBe(fact({ asRun: isText, error: maybeText })),
});

/** What a call does, by its kind; the kinds that are not named have nothing else that must be there. */
const ACTIONS: Record<string, Record<string, Shape>> = {
  read: { path: isText },
  write: { path: isText, isWhole: isFlag },
  run: { command: isText, description: maybeText },
  search: { pattern: isText, path: maybeText },
  plan: { text: isText, file: maybeText },
  'set-tasks': { tasks: listOf(withFields(TASK)) },
  'add-task': { task: withFields(TASK) },
  'change-task': { id: isText, change: mapOf(mayBe(isText)), isDeleted: isFlag },
  delegate: { description: isText },
  other: { subject: maybeText },
};
const isAction: Shape = (value) =>
  withFields({ type: isText })(value) && withFields(ACTIONS[(value as { type: string }).type] ?? {})(value);

const FIELDS: Record<keyof Ledger, Shape> = {
  schema_version: isText,
  thread: isText,
  sessions: listOf(withFields({ session_id: maybeText, transcript: maybeText, first: maybeText })),
  position: mayBe(
    withFields({
      ...{ session: isNumber, offset: isNumber, tail: listOf(isText), time: maybeText },
      ...{ mark: isNumber, lastEntry: isNumber, lastCall: isNumber },
    }),
  ),
  segment: isNumber,
  requests: listOf(
    fact({
      ...EXCERPT,
      kind: oneOf('goal', 'topic', 'addition', 'question', 'push', 'courtesy'),
      by: oneOf('person', 'queued', 'command', 'peer', 'notice', 'hook', 'unknown'),
      ...{ command: maybeText, answered: isFlag },
    }),
  ),
  requirements: listOf(fact({ ...EXCERPT, kind: oneOf('rule', 'correction') })),
  answers: listOf(fact({ question: isText, answer: isText })),
  plan: mayBe(fact({ ...EXCERPT, title: isText, file: maybeText })),
  refusals: listOf(fact({ tool: isText, tried: isText, reason: maybeText })),
  notes: listOf(
    fact({ ...EXCERPT, kind: oneOf('note', 'decision'), by: oneOf('person', 'agent', 'workflow') }),
  ),
  tasks: listOf(fact(TASK)),
  files: listOf(
    fact({
      ...{ path: isText, reads: isNumber, writes: isNumber, made: isFlag, deleted: isFlag },
      changed: mayBe(withFields({ session: isNumber, offset: isNumber })),
    }),
  ),
  checks: listOf(isCommand),
  commands: listOf(isCommand),
  underway: mayBe(fact({ tool: isText, action: isText, what: isText })),
  openCalls: listOf(fact({ call: isText, tool: isText, action: isAction })),
  lastAnswer: mayBe(fact({ ...EXCERPT, isFinal: isFlag })),
  isTurnOpen: isFlag,
  dropped: mapOf(isNumber),
};

export const isLedger = withFields(FIELDS) as (value: unknown) => value is Ledger;
