// The functions of hooks that read a text which others may have written, each with one call that reads all of it.
// Not here: the grammars of shells, whose judge is stopped after 2 s (test/hooks/guardrails-in-time.test.ts), and the parsers of
// TOML and YAML, which only commands run, on files of a bounded size.

import { readUnparsed } from '../../src/addons/guardrails/find-changes.ts';
import { findCommandChanges } from '../../src/addons/guardrails/hook/parse-command.ts';
import { readImports } from '../../src/addons/guardrails/imports/read-imports.ts';
import { checkGuardedCall } from '../../src/addons/guardrails/judge.ts';
import { withoutMatch, withReplaced } from '../../src/addons/guardrails/shell/expand.ts';
import { findWritten, listQuotedTexts } from '../../src/addons/guardrails/shell/interpreters.ts';
import { listPatchedFiles } from '../../src/addons/guardrails/shell/output-programs.ts';
import { shouldParse } from '../../src/addons/guardrails/should-parse.ts';
import { linkSpans } from '../../src/addons/orchestration/commands/state-link.command.ts';
import { buildOrchestration } from '../../src/addons/orchestration/resumption.ts';
import { formatAgentsDone } from '../../src/addons/orchestration/watch-workflow.io.ts';
import { readMarks, readSectionMarks, readWorkflowId } from '../../src/addons/orchestration/yaml-fields.ts';
import { readOutline } from '../../src/addons/orchestration/yaml-lite.ts';
import {
  foldLines,
  parseKeyLine,
  readBrackets,
  readQuotedText,
  readScalar,
  withoutComment,
} from '../../src/addons/orchestration/yaml-lite-values.ts';
import { buildQualityContext, buildReinforcement } from '../../src/addons/rules/read-rules.io.ts';
import { readMarkers } from '../../src/addons/rules/reinforcement.ts';
import { evaluate, listViolations } from '../../src/addons/tracks/checks/evaluate.ts';
import { findPlaceholders, isUnsaid } from '../../src/addons/tracks/checks/sections.ts';
import { addIgnored } from '../../src/addons/tracks/commands/entry-points.ts';
import { parseTimeOption } from '../../src/addons/tracks/commands/note-entry.command.ts';
import * as block from '../../src/addons/tracks/entries/block.ts';
import { collectEntries, findNearEntries, readTaskFile } from '../../src/addons/tracks/entries/collect.ts';
import { joinLines } from '../../src/addons/tracks/entries/entry.ts';
import { parseEntryFile } from '../../src/addons/tracks/entries/entry-file.ts';
import {
  listCodeSpans,
  listTextLines,
  readHeading,
  removeCode,
  scanLines,
  splitSections,
} from '../../src/addons/tracks/entries/markdown.ts';
import { parseEntries } from '../../src/addons/tracks/entries/read-entries.ts';
import { readEntryFiles } from '../../src/addons/tracks/entries/stored-entries.ts';
import { readLatest } from '../../src/addons/tracks/last-compaction.ts';
import { isTrackId } from '../../src/addons/tracks/layout.ts';
import * as summary from '../../src/addons/tracks/summary.ts';
import { readTitle } from '../../src/addons/tracks/templates.ts';
import { findCarriedPlan } from '../../src/addons/tracks/track-context.ts';
import { boundLog } from '../../src/addons/tracks/work-log/session-artifacts.io.ts';
import * as testRun from '../../src/addons/tracks/work-log/test-run.ts';
import { describeTarget, isPlainText } from '../../src/addons/tracks/work-log/tool-run-effects.io.ts';
import { findNewestLine, readMarkedTrack, readWorkLog } from '../../src/addons/tracks/work-log/work-log.ts';
import { escapeControls, stripControls } from '../../src/cli/output.io.ts';
import { findChecks, findKern, hidesExitCode, readNote } from '../../src/compaction/ledger/commands.ts';
import { splitSentences } from '../../src/compaction/ledger/constraints.ts';
import { findEmptyKind } from '../../src/compaction/ledger/request-kind.ts';
import { findFailingTests, saysFailed } from '../../src/compaction/ledger/test-names.ts';
import { findUsefulLine, shorten, shortenAnswer } from '../../src/compaction/work.ts';
import { findTime, readUpdatedAt } from '../../src/compaction/workflow/staleness.ts';
import { findLineProgram, isOurLine, parseWrapped } from '../../src/hosts/claude-code/statusline.ts';
import { applyEditText, readNotebookCode } from '../../src/hosts/claude-code/tools/after-edit.ts';
import { readToolCalls, runsInBackground } from '../../src/hosts/claude-code/tools/kinds.ts';
import { splitTagged } from '../../src/hosts/entry.ts';
import { isReadOnlyCommand } from '../../src/hosts/read-only-commands.ts';
import { anonymize, withoutText } from '../../src/sessions/commands/anonymize.ts';
import { redactOneLine } from '../../src/sessions/log-event.ts';
import { buildOptions } from '../../src/settings/guardrail-options.ts';
import { formatPart } from '../../src/statusline/status-parts.ts';
import { cutToTokens, estimateTokens, fitLines } from '../../src/text/budget.ts';
import { countColumns, cutToColumns, readable } from '../../src/text/columns.ts';
import { escapeInline, isSafeInMessage, quoteShellWord, quoteText } from '../../src/text/escape.ts';
import { expandBraces, findHeldPlace, findMatch, matchesGlob, matchesName } from '../../src/text/globs.ts';
import { fitInline, formatLabelLine, listLines } from '../../src/text/lines.ts';
import {
  displayText,
  isOdd,
  looksLike,
  makeSafeName,
  normalize,
  stripFolder,
  toAbsolute,
} from '../../src/text/path-text.ts';
import { redact, redactAll, redactDeep } from '../../src/text/redact.ts';
import { LEDGER_READERS } from './ledger-readers.ts';
import { fold } from './ledgers.ts';

const sight = {
  resolve: (path: string) => ({
    path: normalize(path),
    kind: 'missing' as const,
    folds: false,
    worktree: null,
  }),
  read: () => null,
  expand: () => null,
  commands: findCommandChanges,
  imports: readImports,
};
const call = (tool: string, input: Record<string, unknown>) => ({
  tool,
  input,
  cwd: '/p',
  root: '/p',
  home: '/h',
});
const layers = { layers: [{ name: 'a', files: ['**'], forbid: ['b'] }] };
const options = buildOptions({ mode: 'enforce', preset: 'tracks', architecture: layers });
const file = (text: string) => ({ path: 'docs/tracks/t-001-x/PLAN.md', text });

export const FOREIGN: Record<string, (text: string) => unknown> = {
  findChecks,
  findFailingTests,
  hidesExitCode,
  emptyKindOf: findEmptyKind,
  findKern,
  noteIn: readNote,
  saysFailed,
  splitSentences,
  absolute: (text) => toAbsolute(text, '/p', '/h'),
  afterEdit: (text) => applyEditText('Edit', { old_string: 'a', new_string: 'b', replace_all: true }, text),
  agentsDone: (text) => formatAgentsDone([{ type: text, answer: text }]),
  anonymous: (text) => anonymize({ a: text }, ['/home/u'], 'u'),
  below: (text) => stripFolder(text, '/p', true),
  boundLog: (text) => boundLog(text),
  boxesIn: (text) => summary.readBoxes(listTextLines(text)),
  bracketsOf: readBrackets,
  readToolCalls: (text) => readToolCalls({ tool_name: text, tool_input: { command: text } }),
  listCodeSpans,
  codeOfNotebook: readNotebookCode,
  columns: countColumns,
  cutTo: (text) => cutToColumns(text, 80),
  cutToTokens: (text) => cutToTokens(text, 100),
  listTrackDecisions: summary.listTrackDecisions,
  estimateTokens,
  evaluate: (text) =>
    evaluate('t-001-x', {
      'SPEC.md': text,
      'PLAN.md': text,
      'RISKS.md': text,
      'DECISIONS.md': text,
    } as never),
  expandBraces,
  extractFailures: (text) => testRun.extractFailures(text, 4000),
  findBlock: (text) => [block.findBlock('PLAN.md', text), block.buildBlankBlock('PLAN.md', text)],
  'findBlock, its mark': (text) => block.findBlock('PLAN.md', `<!-- plimsoll:entries: ${text}`),
  'withBlock, edited': (text) =>
    block.writeBlock(
      '',
      { path: 'PLAN.md', kind: 'task', title: 'Plan' },
      { items: [], moved: [text], hash: () => '' },
    ),
  findEdited: (text) =>
    block.findEdited({ from: 0, to: 0, start: 0, end: 0, line: 1, text, hash: null }, ['a']),
  findConflict: (text) => [block.findConflict('f.md', text), block.splitConflict(text)],
  fitLines: (text) =>
    fitLines(
      text.split('\n').map((each, i) => ({ text: each, rank: i % 3, called: 'x' })),
      100,
      'f',
    ),
  folded: foldLines,
  readTaskFile: (text) => readTaskFile('t-001-x', file(text)),
  gather: (text) => collectEntries('t-001-x', [file(text)], (each) => String(each.length)),
  'globMatches, its path': (text) => matchesGlob('**/a*/*b*', text),
  'globMatches, its pattern': (text) => matchesGlob(text, 'docs/a/b.md'),
  runsInBackground: (text) => runsInBackground({ tool: 'Bash', input: { command: text } }),
  listGravestRisks: summary.listGravestRisks,
  readHeading,
  'heldPlace, its path': (text) => findHeldPlace(text, 'docs/**', true, true),
  'importsOf TypeScript': (text) => readImports('a.tsx', text),
  'importsOf Python': (text) => readImports('a.py', text),
  'importsOf Go': (text) => readImports('a.go', text),
  inline: escapeInline,
  isHarmless: isSafeInMessage,
  isOdd,
  isOurLine,
  isPlainText,
  isTestCommand: testRun.isTestCommand,
  isTrackId,
  isUnsaid,
  items: (text) => listLines('t', text.split('\n'), { rank: 1, called: 'x', most: 3 }),
  'judge of Edit': (text) =>
    checkGuardedCall(call('Edit', { file_path: 'a.ts', old_string: text, new_string: text }), options, sight),
  'judge of Write': (text) =>
    checkGuardedCall(call('Write', { file_path: 'a.ts', content: text }), options, sight),
  keyIn: parseKeyLine,
  labelled: (text) => formatLabelLine('x', text, 3, 1),
  lineProgram: findLineProgram,
  linkSpans: (text) => linkSpans(text, 'docs/a.md'),
  looksLike,
  readMarkedTrack,
  markersIn: (text) => readMarkers(text, 'f.md'),
  'markersIn, with a marker': (text) => readMarkers(`<!-- L2-REINJECT: rank=1, content="${text}`, 'f.md'),
  marksIn: (text) => readMarks(text, 'resumption', ['a', 'b']),
  'matchIn, its paths': (text) => findMatch(['**/*.pem', 'docs/**', '!docs/a*'], [text]),
  'nameMatches, its name': (text) => matchesName('*a*b', text),
  findNearEntries: (text) => findNearEntries('t-001-x', [{ path: 'artifacts/sessions/s/work_log.md', text }]),
  parseEntryFile: (text) => [
    parseEntryFile('f.md', 'task', text),
    parseEntryFile('f.md', 'task', `---\nkind: task\n${text}\n---\n\n- Task: x\n`),
    parseEntryFile('f.md', 'task', `---\nkind: task\nid: T-1\n---\n${text}`),
  ],
  readEntryFiles: (text) =>
    readEntryFiles('t', [{ path: 'docs/tracks/t/entries/task-0123456789.md', text }], (each) => each),
  shouldParse,
  newestLine: (text) => findNewestLine(text, 't-001-x'),
  normalised: normalize,
  noted: redactOneLine,
  oneLine: joinLines,
  isReadOnlyCommand,
  orchestrationOf: (text) => buildOrchestration(text, 'f.yaml'),
  'orchestrationOf, a value': (text) =>
    buildOrchestration(`resumption:\n  recovery_state:\n    next_step: ${text}\n`, 'f.yaml'),
  outlineOf: (text) => readOutline(text, ['resumption', 'workflow']),
  'outlineOf, below its section': (text) => readOutline(`resumption:\n  a: ${text}`, ['resumption']),
  'outlineOf, a block': (text) =>
    readOutline(`resumption:\n  a: |\n${text.replace(/^/gm, '    ')}`, ['resumption']),
  patchedFiles: (text) => listPatchedFiles(text, 1),
  placeholdersIn: (text) => findPlaceholders(listTextLines(text)),
  findCarriedPlan,
  listPlanTasks: summary.listPlanTasks,
  printable: stripControls,
  qualityContext: (text) => buildQualityContext(text, 'f.md'),
  qualityReinforcement: (text) =>
    buildReinforcement(text.split('\n').map((content) => ({ rank: 1, content, where: 'f' }))),
  quoted: quoteText,
  quotedText: readQuotedText,
  readEntries: (text) => parseEntries('f.md', text),
  readLatest,
  readWorkLog: (text) => readWorkLog('f.md', text),
  readable,
  redact,
  redactAll: (text) => redactAll(text.split('\n')),
  redactDeep: (text) => redactDeep({ a: [text], b: text.split('\n') }),
  safeName: makeSafeName,
  say: (text) => fitInline(text, 50),
  scalarOf: readScalar,
  scanLines,
  sectionMarks: readSectionMarks,
  sectionsOf: (text) => splitSections(listTextLines(text)),
  seen: escapeControls,
  shellWord: quoteShellWord,
  shortAnswer: shortenAnswer,
  shorten: (text) => shorten(text, 100),
  shown: (text) => displayText(text),
  readUnparsed: (text) => readUnparsed(text, 'PowerShell'),
  extractSummary: testRun.extractSummary,
  taggedIn: splitTagged,
  targetOf: (text) => describeTarget({ tool: 'Bash', input: { command: text } }, '/p'),
  listTextLines,
  'textsIn code': (text) => listQuotedTexts(text, true),
  timeIn: findTime,
  timeOf: parseTimeOption,
  readTitle,
  updatedAt: (text) => readUpdatedAt(text, 1),
  usefulLine: findUsefulLine,
  violationsIn: (text) => listViolations('t-001-x', file(text)),
  addIgnored,
  withReplaced: (text) => withReplaced(text, '//', 'a*b', 'c'),
  addTestRun: (text) =>
    testRun.addTestRun(text, { command: text, output: text, ok: false, at: 'x' } as never),
  withoutCode: removeCode,
  withoutComment,
  withoutMatch: (text) => withoutMatch(text, '##', '*a'),
  withoutText: (text) => withoutText({ a: text }),
  wordsOf: formatPart,
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
  workflowId: readWorkflowId,
  wrappedIn: parseWrapped,
  'writtenIn code of Python': (text) => findWritten(text, 'python'),
  'writtenIn code of JavaScript': (text) => findWritten(text, 'node'),
};
