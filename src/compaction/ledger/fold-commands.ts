// Folds commands into the ledger: checks with their last result and failing tests, other commands, notes.
import type { ResultEntry } from '../../hosts/entry.ts';
import { redact } from '../../text/redact.ts';
import { usefulLine } from '../work.ts';
import { findChecks, findKern, hidesExitCode, noteIn, onlyLooksFor } from './commands.ts';
import { buildExcerpt } from './excerpt.ts';
import type { CommandFact, FactEvidence, Ledger, LedgerNote } from './ledger.ts';
import { findFailingTests, saysFailed, stillFailing, withoutNames } from './test-names.ts';

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
  if (status === 'failed' && !isCheck && onlyLooksFor(command)) {
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
  const line = usefulLine(failingTests.length > 0 ? withoutNames(shown) : shown);
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
    const failingTests = stillFailing(fact.failingTests, command, output, passed);
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

export function commandFacts(
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
      const kept = result.status === 'ok' ? noteIn(command) : null;
      if (kept !== null && !notes.some(({ text }) => text === kept.text)) {
        notes.push({ ...buildExcerpt(kept.text, 2_000), kind: kept.kind, by: 'agent', ...evidence });
      }
    },
    lists: () => ({ checks: [...checks.values()], commands: [...commands.values()] }),
  };
}
