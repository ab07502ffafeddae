// The functions of hooks that read a text which others may have written, each with one call that reads all of it.
// Not here: the grammars of shells, whose judge is stopped after 2 s (test/hooks/guardrails-in-time.test.ts), and the parsers of
// TOML and YAML, which only commands run, on files of a bounded size.

import { printable, seen } from '../../src/cli/output.ts';
import { checksOf, hidesExitCode, kernOf, noteIn } from '../../src/compaction/commands.ts';
import { sentencesOf } from '../../src/compaction/constraints.ts';
import { emptyKindOf } from '../../src/compaction/push-words.ts';
import { failingTestsIn, saysFailed } from '../../src/compaction/test-names.ts';
import { isOurLine, lineProgram, wrappedIn } from '../../src/hosts/claude-code/statusline.ts';
import { afterEdit, codeOfNotebook } from '../../src/hosts/claude-code/tools/after-edit.ts';
import { readToolCalls } from '../../src/hosts/claude-code/tools/calls.ts';
import { runsInBackground } from '../../src/hosts/claude-code/tools/kinds.ts';
import { taggedIn } from '../../src/hosts/claude-code/transcript/hook-trace.ts';
import { expandBraces } from '../../src/model/guardrails/braces.ts';
import { globMatches, heldPlace, matchIn, nameMatches } from '../../src/model/guardrails/globs.ts';
import { importsOf } from '../../src/model/guardrails/imports/read-imports.ts';
import { judge } from '../../src/model/guardrails/index.ts';
import { optionsOf } from '../../src/model/guardrails/options.ts';
import {
  absolute,
  below,
  isOdd,
  looksLike,
  normalised,
  shown,
} from '../../src/model/guardrails/path-text.ts';
import { isReadOnlyCommand } from '../../src/model/guardrails/read-only-commands.ts';
import { withoutMatch, withReplaced } from '../../src/model/guardrails/shell/expand.ts';
import { textsIn, writtenIn } from '../../src/model/guardrails/shell/interpreters.ts';
import { patchedFiles } from '../../src/model/guardrails/shell/patch.ts';
import { shouldParse } from '../../src/model/guardrails/should-parse.ts';
import { readUnparsed } from '../../src/model/guardrails/unparsed.ts';
import { noted } from '../../src/model/log-event.ts';
import { marksIn } from '../../src/model/marks.ts';
import { outlineOf } from '../../src/model/outline.ts';
import {
  bracketsOf,
  folded,
  keyIn,
  quotedText,
  scalarOf,
  withoutComment,
} from '../../src/model/outline-values.ts';
import { redact, redactAll, redactDeep } from '../../src/model/redact.ts';
import { markersIn } from '../../src/model/reinforcement.ts';
import { orchestrationOf } from '../../src/model/resumption.ts';
import { safeName } from '../../src/model/safe-name.ts';
import { anonymous, withoutText } from '../../src/model/share.ts';
import { quoted, shellWord } from '../../src/model/shell-word.ts';
import { sectionMarks, timeIn, updatedAt, workflowId } from '../../src/model/staleness.ts';
import { wordsOf } from '../../src/model/status-line.ts';
import { readBlock } from '../../src/model/tracks/block-entries.ts';
import { findBlocks } from '../../src/model/tracks/blocks.ts';
import { oneLine } from '../../src/model/tracks/entry.ts';
import { evaluate, violationsIn } from '../../src/model/tracks/evaluate.ts';
import { fromTaskFile, gather } from '../../src/model/tracks/gather.ts';
import { withIgnored } from '../../src/model/tracks/ignored.ts';
import { readLatest } from '../../src/model/tracks/latest.ts';
import { isTrackId } from '../../src/model/tracks/layout.ts';
import { codeIn, headingOf, sectionsOf, withoutCode } from '../../src/model/tracks/markdown.ts';
import { nearNotes } from '../../src/model/tracks/near-entries.ts';
import { titleOf } from '../../src/model/tracks/new-track.ts';
import { timeOf } from '../../src/model/tracks/note.ts';
import { isUnsaid, placeholdersIn } from '../../src/model/tracks/placeholder.ts';
import { boxesIn } from '../../src/model/tracks/progress.ts';
import { readEntries } from '../../src/model/tracks/read-entries.ts';
import { decisionsIn, gravestRisks, planTasks } from '../../src/model/tracks/standing.ts';
import { evidenceOf } from '../../src/model/tracks/statement.ts';
import { withTestRun } from '../../src/model/tracks/test-output.ts';
import { failingPart, isTestCommand, summaryPart } from '../../src/model/tracks/test-run.ts';
import { scanLines, textLines } from '../../src/model/tracks/text-lines.ts';
import { isPlainText, targetOf } from '../../src/model/tracks/tool-run.ts';
import { markedTrack, newestLine, readWorkLog } from '../../src/model/tracks/work-log.ts';
import { shortAnswer, shorten, usefulLine } from '../../src/model/work.ts';
import { linkSpans } from '../../src/model/worktracker.ts';
import { changesOfCommand } from '../../src/store/command-changes.ts';
import { boundedLog } from '../../src/store/transient.ts';
import { agentsDone } from '../../src/tags/agent-done.ts';
import { cutToTokens, estimateTokens, fitLines } from '../../src/tags/budget.ts';
import { columns, cutTo, readable } from '../../src/tags/columns.ts';
import { inline, isHarmless } from '../../src/tags/escape.ts';
import { items, labelled, say } from '../../src/tags/lines.ts';
import { qualityContext } from '../../src/tags/quality-context.ts';
import { qualityReinforcement } from '../../src/tags/quality-reinforcement.ts';
import { planCarried } from '../../src/tags/track-context.ts';
import { LEDGER_READERS } from './ledger-readers.ts';
import { fold } from './ledgers.ts';

const sight = {
  resolve: (path: string) => ({
    path: normalised(path),
    kind: 'missing' as const,
    folds: false,
    worktree: null,
  }),
  read: () => null,
  expand: () => null,
  commands: changesOfCommand,
  imports: importsOf,
};
const call = (tool: string, input: Record<string, unknown>) => ({
  tool,
  input,
  cwd: '/p',
  root: '/p',
  home: '/h',
});
const layers = { layers: [{ name: 'a', files: ['**'], forbid: ['b'] }] };
const options = optionsOf({ mode: 'enforce', preset: 'tracks', architecture: layers });
const file = (text: string) => ({ path: 'docs/tracks/t-001-x/PLAN.md', text });

export const FOREIGN: Record<string, (text: string) => unknown> = {
  checksOf,
  failingTestsIn,
  hidesExitCode,
  emptyKindOf,
  kernOf,
  noteIn,
  saysFailed,
  sentencesOf,
  absolute: (text) => absolute(text, '/p', '/h'),
  afterEdit: (text) => afterEdit('Edit', { old_string: 'a', new_string: 'b', replace_all: true }, text),
  agentsDone: (text) => agentsDone([{ type: text, answer: text }]),
  anonymous: (text) => anonymous({ a: text }, ['/home/u'], 'u'),
  below: (text) => below(text, '/p', true),
  boundedLog: (text) => boundedLog(text),
  boxesIn: (text) => boxesIn(textLines(text)),
  bracketsOf,
  readToolCalls: (text) => readToolCalls({ tool_name: text, tool_input: { command: text } }),
  codeIn,
  codeOfNotebook,
  columns,
  cutTo: (text) => cutTo(text, 80),
  cutToTokens: (text) => cutToTokens(text, 100),
  decisionsIn,
  estimateTokens,
  evaluate: (text) =>
    evaluate('t-001-x', {
      'SPEC.md': text,
      'PLAN.md': text,
      'RISKS.md': text,
      'DECISIONS.md': text,
    } as never),
  evidenceOf,
  expandBraces,
  failingPart: (text) => failingPart(text, 4000),
  findBlocks: (text) => findBlocks('PLAN.md', text),
  fitLines: (text) =>
    fitLines(
      text.split('\n').map((each, i) => ({ text: each, rank: i % 3, called: 'x' })),
      100,
      'f',
    ),
  folded,
  fromTaskFile: (text) => fromTaskFile('t-001-x', file(text)),
  gather: (text) => gather('t-001-x', [file(text)], (each) => String(each.length)),
  'globMatches, its path': (text) => globMatches('**/a*/*b*', text),
  'globMatches, its pattern': (text) => globMatches(text, 'docs/a/b.md'),
  runsInBackground: (text) => runsInBackground({ tool: 'Bash', input: { command: text } }),
  gravestRisks,
  headingOf,
  'heldPlace, its path': (text) => heldPlace(text, 'docs/**', true, true),
  'importsOf TypeScript': (text) => importsOf('a.tsx', text),
  'importsOf Python': (text) => importsOf('a.py', text),
  'importsOf Go': (text) => importsOf('a.go', text),
  inline,
  isHarmless,
  isOdd,
  isOurLine,
  isPlainText,
  isTestCommand,
  isTrackId,
  isUnsaid,
  items: (text) => items('t', text.split('\n'), { rank: 1, called: 'x', most: 3 }),
  'judge of Edit': (text) =>
    judge(call('Edit', { file_path: 'a.ts', old_string: text, new_string: text }), options, sight),
  'judge of Write': (text) => judge(call('Write', { file_path: 'a.ts', content: text }), options, sight),
  keyIn,
  labelled: (text) => labelled('x', text, 3, 1),
  lineProgram,
  linkSpans: (text) => linkSpans(text, 'docs/a.md'),
  looksLike,
  markedTrack,
  markersIn: (text) => markersIn(text, 'f.md'),
  'markersIn, with a marker': (text) => markersIn(`<!-- L2-REINJECT: rank=1, content="${text}`, 'f.md'),
  marksIn: (text) => marksIn(text, 'resumption', ['a', 'b']),
  'matchIn, its paths': (text) => matchIn(['**/*.pem', 'docs/**', '!docs/a*'], [text]),
  'nameMatches, its name': (text) => nameMatches('*a*b', text),
  nearNotes: (text) => nearNotes('t-001-x', [file(text)]),
  shouldParse,
  newestLine: (text) => newestLine(text, 't-001-x'),
  normalised,
  noted,
  oneLine,
  isReadOnlyCommand,
  orchestrationOf: (text) => orchestrationOf(text, 'f.yaml'),
  'orchestrationOf, a value': (text) =>
    orchestrationOf(`resumption:\n  recovery_state:\n    next_step: ${text}\n`, 'f.yaml'),
  outlineOf: (text) => outlineOf(text, ['resumption', 'workflow']),
  'outlineOf, below its section': (text) => outlineOf(`resumption:\n  a: ${text}`, ['resumption']),
  'outlineOf, a block': (text) =>
    outlineOf(`resumption:\n  a: |\n${text.replace(/^/gm, '    ')}`, ['resumption']),
  patchedFiles: (text) => patchedFiles(text, 1),
  placeholdersIn: (text) => placeholdersIn(textLines(text)),
  planCarried,
  planTasks,
  printable,
  qualityContext: (text) => qualityContext(text, 'f.md'),
  qualityReinforcement: (text) =>
    qualityReinforcement(text.split('\n').map((content) => ({ rank: 1, content, where: 'f' }))),
  quoted,
  quotedText,
  readBlock: (text) => {
    const name = '<!-- plimsoll:progress -->';
    const { blocks } = findBlocks(
      'PLAN.md',
      `${name}\n${text}\n${name.replace('plimsoll', '/plimsoll')}\n`,
    ) as never as { blocks: never[] };
    return (blocks ?? []).map((each) => readBlock('PLAN.md', each));
  },
  readEntries: (text) => readEntries('f.md', text),
  readLatest,
  readWorkLog: (text) => readWorkLog('f.md', text),
  readable,
  redact,
  redactAll: (text) => redactAll(text.split('\n')),
  redactDeep: (text) => redactDeep({ a: [text], b: text.split('\n') }),
  safeName,
  say: (text) => say(text, 50),
  scalarOf,
  scanLines,
  sectionMarks,
  sectionsOf: (text) => sectionsOf(textLines(text)),
  seen,
  shellWord,
  shortAnswer,
  shorten: (text) => shorten(text, 100),
  shown: (text) => shown(text),
  readUnparsed: (text) => readUnparsed(text, 'PowerShell'),
  summaryPart,
  taggedIn,
  targetOf: (text) => targetOf({ tool: 'Bash', input: { command: text } }, '/p'),
  textLines,
  'textsIn code': (text) => textsIn(text, true),
  timeIn,
  timeOf,
  titleOf,
  updatedAt: (text) => updatedAt(text, 1),
  usefulLine,
  violationsIn: (text) => violationsIn('t-001-x', file(text)),
  withIgnored,
  withReplaced: (text) => withReplaced(text, '//', 'a*b', 'c'),
  withTestRun: (text) => withTestRun(text, { command: text, output: text, ok: false, at: 'x' } as never),
  withoutCode,
  withoutComment,
  withoutMatch: (text) => withoutMatch(text, '##', '*a'),
  withoutText: (text) => withoutText({ a: text }),
  wordsOf,
  'a ledger of a text': (text) =>
    fold([
      { type: 'user', message: { role: 'user', content: text } },
      {
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text },
            { type: 'tool_use', id: 'a', name: 'Bash', input: { command: text } },
          ],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: text, is_error: true }],
        },
      },
    ]),
  ...LEDGER_READERS,
  workflowId,
  wrappedIn,
  'writtenIn code of Python': (text) => writtenIn(text, 'python'),
  'writtenIn code of JavaScript': (text) => writtenIn(text, 'node'),
};
