// Lists the functions of the ledger that read words of others: requests, commands and outputs.
import {
  findChecks,
  findFileChanges,
  findKern,
  onlyLooks,
  readNote,
  splitCommand,
} from '../../src/compaction/ledger/commands.ts';
import { findConstraintsIn, isForOneTask, splitSentences } from '../../src/compaction/ledger/constraints.ts';
import { beginsWithAgreement, findEmptyKind } from '../../src/compaction/ledger/request-kind.ts';
import { findFailingTests, saysFailed } from '../../src/compaction/ledger/test-names.ts';
import { readCommand, readPlainWords } from '../../src/hosts/claude-code/transcript/entries.ts';

export const LEDGER_READERS: Record<string, (text: string) => unknown> = {
  beginsWithAgreement,
  changesOf: findFileChanges,
  checksOf: findChecks,
  'commandIn a user line': (text) => readCommand(`<command-name>${text}`),
  constraintsIn: (text) => findConstraintsIn(text),
  failingTestsIn: findFailingTests,
  emptyKindOf: findEmptyKind,
  isForOneTask,
  kernOf: findKern,
  noteIn: (text) => readNote(`plimsoll note ${text}`),
  onlyLooksFor: onlyLooks,
  partsOf: splitCommand,
  'plainWords of what was pasted': (text) => readPlainWords(`<pasted_content id="1">${text}`),
  saysFailed,
  splitSentences,
};
