// Lists the functions of the ledger that read words of others: requests, commands and outputs.
import {
  findChecks,
  findFileChanges,
  findKern,
  noteIn,
  onlyLooksFor,
  splitCommand,
} from '../../src/compaction/ledger/commands.ts';
import { findConstraintsIn, isForOneTask, splitSentences } from '../../src/compaction/ledger/constraints.ts';
import { beginsWithAgreement, emptyKindOf } from '../../src/compaction/ledger/request-kind.ts';
import { findFailingTests, saysFailed } from '../../src/compaction/ledger/test-names.ts';
import { plainWords, readCommand } from '../../src/hosts/claude-code/transcript/entries.ts';

export const LEDGER_READERS: Record<string, (text: string) => unknown> = {
  beginsWithAgreement,
  changesOf: findFileChanges,
  checksOf: findChecks,
  'commandIn a user line': (text) => readCommand(`<command-name>${text}`),
  constraintsIn: (text) => findConstraintsIn(text),
  failingTestsIn: findFailingTests,
  emptyKindOf,
  isForOneTask,
  kernOf: findKern,
  noteIn: (text) => noteIn(`plimsoll note ${text}`),
  onlyLooksFor,
  partsOf: splitCommand,
  'plainWords of what was pasted': (text) => plainWords(`<pasted_content id="1">${text}`),
  saysFailed,
  splitSentences,
};
