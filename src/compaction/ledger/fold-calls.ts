// Folds tool calls into the ledger: files, tasks, checks with their last result and failing tests, other commands.

import type { EntryTask, OutputNeed, ResultEntry, ToolAction } from '../../hosts/entry.ts';
import { redact } from '../../text/redact.ts';
import { findUsefulLine } from '../work.ts';
import { findChecks, findFileChanges, findKern, hidesExitCode, onlyLooks, readNote } from './commands.ts';
import { buildExcerpt } from './excerpt.ts';
import type {
  CommandFact,
  FactEvidence,
  FileFact,
  Ledger,
  LedgerNote,
  LedgerTask,
  OpenCall,
} from './ledger.ts';
import { findFailingTests, listStillFailing, saysFailed, withoutNames } from './test-names.ts';

export interface FileFacts {
  read: (path: string, evidence: FactEvidence) => void;
  write: (path: string, isNew: boolean, evidence: FactEvidence) => void;
  addCommand: (command: string, evidence: FactEvidence) => void;
  list: () => FileFact[];
}

/** A path that a command names from the folder it runs in, as a tool named it whole. */
function knownAs(files: ReadonlyMap<string, FileFact>, path: string): string {
  if (path.startsWith('/') || files.has(path)) return path;
  const bare = path.replace(/^\.\//, '');
  const ending = `/${bare}`;
  const whole = [...files.keys()].filter((each) => each === bare || each.endsWith(ending));
  return whole.length === 1 ? (whole[0] ?? bare) : bare;
}

const changedAt = ({ session, offset }: FactEvidence): FileFact['changed'] => ({ session, offset });

export function foldFiles(known: readonly FileFact[]): FileFacts {
  const files = new Map(known.map((file) => [file.path, file]));
  const touch = (
    path: string,
    evidence: FactEvidence,
    change: (file: FileFact) => Partial<FileFact>,
  ): void => {
    if (path === '') return;
    const file = files.get(path) ?? {
      path,
      reads: 0,
      writes: 0,
      made: false,
      deleted: false,
      changed: null,
      ...evidence,
    };
    files.delete(path);
    files.set(path, { ...file, ...evidence, ...change(file) });
  };
  return {
    read: (path, evidence) => touch(path, evidence, ({ reads }) => ({ reads: reads + 1 })),
    write: (path, isNew, evidence) =>
      touch(path, evidence, ({ writes, made }) => ({
        writes: writes + 1,
        made: made || isNew,
        deleted: false,
        changed: changedAt(evidence),
      })),
    addCommand: (command, evidence) => {
      for (const { path, how } of findFileChanges(command)) {
        const isDeleted = how === 'deleted';
        touch(knownAs(files, path), evidence, ({ writes }) => ({
          writes: writes + (isDeleted ? 0 : 1),
          deleted: isDeleted,
          changed: changedAt(evidence),
        }));
      }
    },
    list: () => [...files.values()],
  };
}

// A tool call in a few words: its path, its command, its pattern.
const CHARACTERS = 400;

function subjectOf(action: ToolAction): string {
  switch (action.type) {
    case 'read':
    case 'write':
      return action.path;
    case 'run':
      return findKern(action.command) || (action.description ?? '');
    case 'search':
      return action.pattern;
    case 'delegate':
      return action.description;
    case 'add-task':
      return action.task.subject;
    case 'other':
      return action.subject ?? '';
    default:
      return '';
  }
}

/** What a call is about, head and tail of it where it is long. */
export const cutCall = (action: ToolAction): string => buildExcerpt(subjectOf(action), CHARACTERS).text;

// Decides how much of a call's result is read; for most calls it matters only that they succeeded.
export function findNeed(call: OpenCall | undefined): OutputNeed {
  switch (call?.action.type) {
    case undefined:
    case 'read':
    case 'write':
    case 'search':
    case 'delegate':
    case 'other':
      return 'nothing';
    case 'run':
      return findChecks(call.action.command).length > 0 ? 'all' : 'end';
    default:
      return 'all';
  }
}

/** A whole list takes the place of the session's own tasks, and of earlier ones that it names. */
function setTasks(tasks: LedgerTask[], listed: readonly EntryTask[], evidence: FactEvidence): LedgerTask[] {
  const named = new Set(listed.map(({ subject }) => subject));
  const earlier = tasks.filter((task) => task.session !== evidence.session && !named.has(task.subject));
  return [
    ...earlier,
    ...listed.map((task) => {
      const before = tasks.find(({ subject }) => subject === task.subject);
      const isSame =
        before !== undefined && before.status === task.status && before.session === evidence.session;
      return { ...task, ...(isSame ? placeOf(before) : evidence) };
    }),
  ];
}

const placeOf = ({ session, segment, entry, offset, at }: FactEvidence): FactEvidence => ({
  session,
  segment,
  entry,
  offset,
  at,
});

/** The tasks after an action; `result` is what the host gave back, null for a list that it told by itself. */
export function changeTasks(
  tasks: LedgerTask[],
  action: ToolAction,
  result: ResultEntry | null,
  evidence: FactEvidence,
): LedgerTask[] {
  switch (action.type) {
    case 'set-tasks':
      return setTasks(tasks, action.tasks, evidence);
    case 'list-tasks':
      return result?.tasks == null ? tasks : setTasks(tasks, result.tasks, evidence);
    case 'add-task': {
      const id = result?.tasks?.[0]?.id ?? /#(\d+)/.exec(result?.output ?? '')?.[1] ?? null;
      const isOld = (task: LedgerTask): boolean =>
        task.session === evidence.session
          ? id !== null && task.id === id
          : task.subject === action.task.subject;
      const others = tasks.some(isOld) ? tasks.filter((task) => !isOld(task)) : tasks;
      const { subject, status, active } = action.task;
      return others.concat({ ...evidence, id, subject, status, active });
    }
    case 'change-task': {
      const isMeant = (task: LedgerTask): boolean =>
        task.id === action.id && task.session === evidence.session;
      if (action.isDeleted) return tasks.filter((task) => !isMeant(task));
      return tasks.map((task) => (isMeant(task) ? { ...task, ...action.change, ...evidence } : task));
    }
    default:
      return tasks;
  }
}

const COMMAND = 400;
const ERROR = 300;
const LOOKED_THROUGH = 40_000;

export interface CommandFacts {
  add: (command: string, result: ResultEntry, evidence: FactEvidence) => void;
  lists: () => Pick<Ledger, 'checks' | 'commands'>;
}

type Outcome = Pick<CommandFact, 'result' | 'failingTests' | 'error'>;

const byCommand = (facts: readonly CommandFact[]): Map<string, CommandFact> =>
  new Map(facts.map((fact) => [fact.command, fact]));

/** How a run ended, as far as exit code and output say. */
function outcomeOf(command: string, { status, output }: ResultEntry, isCheck: boolean): Outcome {
  if (status !== 'ok' && status !== 'failed') return { result: 'unknown', failingTests: [], error: null };
  if (status === 'failed' && !isCheck && onlyLooks(command)) {
    return { result: 'unknown', failingTests: [], error: null };
  }
  // Behind a pipe the exit code is that of the filter: the output has to tell.
  const failingTests =
    isCheck && (status === 'failed' || hidesExitCode(command)) ? findFailingTests(output) : [];
  const failed =
    status === 'failed' ||
    (isCheck && hidesExitCode(command) && (failingTests.length > 0 || saysFailed(output)));
  if (!failed) return { result: 'passed', failingTests: [], error: null };
  // A key has more lines than the one that is kept: secrets go before that is chosen.
  const shown = redact(output.slice(0, LOOKED_THROUGH));
  const line = findUsefulLine(failingTests.length > 0 ? withoutNames(shown) : shown);
  return { result: 'failed', failingTests, error: line === null ? null : buildExcerpt(line, ERROR).text };
}

function note(
  facts: Map<string, CommandFact>,
  command: string,
  asRun: string,
  outcome: Outcome,
  evidence: FactEvidence,
): void {
  const before = facts.get(command);
  facts.delete(command);
  // A run whose end is not known leaves what was known.
  const isUnknown = outcome.result === 'unknown' && before !== undefined;
  facts.set(command, {
    command,
    asRun,
    runs: (before?.runs ?? 0) + 1,
    ...(isUnknown
      ? { result: before.result, failingTests: before.failingTests, error: before.error }
      : outcome),
    lastFailure:
      outcome.result === 'failed'
        ? { asRun, error: outcome.error, ...evidence }
        : (before?.lastFailure ?? null),
    ...evidence,
  });
}

/** Takes what a run has shown to pass from the failures of all others. */
function clearPassed(
  facts: Map<string, CommandFact>,
  command: string,
  output: string,
  passed: boolean,
): void {
  for (const fact of facts.values()) {
    if (fact.failingTests.length === 0) continue;
    const failingTests = listStillFailing(fact.failingTests, command, output, passed);
    if (failingTests.length === fact.failingTests.length) continue;
    fact.failingTests = failingTests;
    if (failingTests.length === 0) Object.assign(fact, { result: 'unknown', error: null });
  }
}

/** A command of several checks that failed as a whole is over once each of them has passed by itself. */
function clearWholes(commands: Map<string, CommandFact>, checks: ReadonlyMap<string, CommandFact>): void {
  for (const fact of commands.values()) {
    if (fact.result !== 'failed') continue;
    const parts = findChecks(fact.asRun);
    const isOver =
      parts.length > 0 &&
      parts.every(
        (part) => checks.get(part)?.result === 'passed' && (checks.get(part)?.offset ?? 0) > fact.offset,
      );
    if (isOver) Object.assign(fact, { result: 'passed', failingTests: [], error: null });
  }
}

export function foldCommands(
  knownChecks: readonly CommandFact[],
  knownCommands: readonly CommandFact[],
  notes: LedgerNote[],
): CommandFacts {
  const checks = byCommand(knownChecks);
  const commands = byCommand(knownCommands);
  return {
    add: (command, result, evidence) => {
      const ofCheck = findChecks(command).map((check) => buildExcerpt(check, COMMAND).text);
      const kern = buildExcerpt(findKern(command), COMMAND).text;
      const outcome = outcomeOf(command, result, ofCheck.length > 0);
      const passed = outcome.result === 'passed';
      if (ofCheck.length === 1 && ofCheck[0] !== undefined) note(checks, ofCheck[0], kern, outcome, evidence);
      else {
        // Among several checks nobody knows which one failed, or which of them ran.
        const each: Outcome = passed ? outcome : { result: 'unknown', failingTests: [], error: null };
        for (const check of ofCheck) note(checks, check, kern, each, evidence);
        if (kern !== '' && (ofCheck.length === 0 || outcome.result === 'failed' || commands.has(kern))) {
          note(commands, kern, kern, outcome, evidence);
        }
      }
      clearPassed(checks, command, result.output, passed);
      clearPassed(commands, command, result.output, passed);
      if (passed && ofCheck.length > 0) clearWholes(commands, checks);
      const kept = result.status === 'ok' ? readNote(command) : null;
      if (kept !== null && !notes.some(({ text }) => text === kept.text)) {
        notes.push({ ...buildExcerpt(kept.text, 2_000), kind: kept.kind, by: 'agent', ...evidence });
      }
    },
    lists: () => ({ checks: [...checks.values()], commands: [...commands.values()] }),
  };
}
