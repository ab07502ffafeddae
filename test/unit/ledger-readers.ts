// Lists the functions of the ledger that read words of others: requests, commands and outputs.
import {
  checksOf,
  findFileChanges,
  kernOf,
  noteIn,
  onlyLooksFor,
  splitCommand,
} from '../../src/compaction/ledger/commands.ts';
import { constraintsIn, sentencesOf } from '../../src/compaction/ledger/constraints.ts';
import { beginsWithAgreement, emptyKindOf } from '../../src/compaction/ledger/push-words.ts';
import { isForOneTask } from '../../src/compaction/ledger/scope-words.ts';
import { failingTestsIn, saysFailed } from '../../src/compaction/ledger/test-names.ts';
import { commandIn, plainWords } from '../../src/hosts/claude-code/transcript/speakers.ts';

export const LEDGER_READERS: Record<string, (text: string) => unknown> = {
  beginsWithAgreement,
  changesOf: findFileChanges,
  checksOf,
  'commandIn a user line': (text) => commandIn(`<command-name>${text}`),
  constraintsIn: (text) => constraintsIn(text),
  failingTestsIn,
  emptyKindOf,
  isForOneTask,
  kernOf,
  noteIn: (text) => noteIn(`plimsoll note ${text}`),
  onlyLooksFor,
  partsOf: splitCommand,
  'plainWords of what was pasted': (text) => plainWords(`<pasted_content id="1">${text}`),
  saysFailed,
  sentencesOf,
};
