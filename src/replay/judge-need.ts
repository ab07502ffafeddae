// Judges whether a fact was needed after the compaction, by what the agent did next.

import type { ProbedCall, ProbedTalk } from '../hosts/claude-code/replay/read-talk.ts';
import { FILE_TOOLS, TOOL } from '../hosts/claude-code/replay/tool-names.ts';
import { isObject } from '../model/json.ts';
import { describeCall } from './collect-facts.ts';
import { findCommand, findPath, type ProbeFact } from './probe-fact.ts';
import { extractChecks, extractKern, normalizeSpace } from './same-command.ts';

const WORDS =
  'aborted accept accepted across actually against agreed allowed almost already although always ' +
  'analysis another answer answered answers anthropic anyone anything anyway applicable approve ' +
  'approved around asking assert assertion assets authored background became because become before ' +
  'behind beneath beside besides better between beyond bisect branch cached cancel cannot caveat ' +
  'certain change changed changelog characters checkout cherry choose chosen clarify claude coding ' +
  'command commands commit compacted compaction completed concepts config configs conflict conflicts ' +
  'consider content context continue continued conversation correct couldn coverage covers created ' +
  'current decide decided decision denied describe details differently directory docker dockerfile ' +
  'duplicate during earlier easier edited either encountered enough ensure entrypoint errored errors ' +
  'eslint everyone everything exactly example examples except exception exclude exists expected ' +
  'explicitly export failed failing failure failures finally finish folder following forbid forget ' +
  'format former further generated getting golangci gotest gotestsum having herself himself hookevent ' +
  'hookname however implement implementation import important include indeed inference inside install ' +
  'instead integration intent internal interrupted invalid itself killed kubectl latter license ' +
  'localhost makefile master matches message messages microcompacted missing modified module modules ' +
  'moreover mostly myself nearly needed neither nevertheless nobody nothing notification nowhere ' +
  'oneline operation option optional origin others otherwise ourselves output outside package parallel ' +
  'passed passes passing pending perhaps permission permissionmode persisted please podman poetry ' +
  'portion prefer preferred prettier previous primary printf problem proceed progress pytest python ' +
  'question questions rather readme really reason rebase recommended recursive reflog regarding reject ' +
  'rejected remember reminder remote remove rename replace request required respond response restore ' +
  'result resume retrieval return revert running script scripts second seconds sections sequence ' +
  'service session several shellcheck should shouldn sibling simply skipped snippet snippets solving ' +
  'somehow someone something sometimes somewhere specific staged started staticcheck status ' +
  'statuschange stderr stdout string subtype success successful successfully summarized summary switch ' +
  'syntax system technical terraform testing thanks theirs themselves therefore things thinkingmetadata ' +
  'though through throughout timeout todowrite together toolname toward towards traceback transcript ' +
  'trigger typecheck undefined unexpected uninstall unknown unless updated updatedfields updating ' +
  'usertype vendor verbose version vitest warning webpack whatever whenever whereas wherever whether ' +
  'whichever whoever within without worktree wouldn writing written yourself yourselves';

const KEPT = new Set(WORDS.split(' '));

/** Whether a word (of six letters and more) is too common to show that a sentence was used. */
const isKeptWord = (word: string): boolean => KEPT.has(word);

/** So many calls behind the boundary count as near. */
const NEAR = 40;
const SAME_CALL = 10;

/** What would make a longer word of it: `test` does not stand in `test:ci` nor in `test-data`, but in `test.go:12`. */
const GOES_ON = /^(?:[\p{L}\p{N}_-]|:\p{L})/u;
const COMES_FROM = /[\p{L}\p{N}_-]$/u;
const IS_WORD = /[\p{L}\p{N}_]/u;

/** Whether a text stands in another one as a word. */
export function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isBegin = !IS_WORD.test(word[0] ?? '') || !COMES_FROM.test(text.slice(Math.max(0, at - 1), at));
    const end = at + word.length;
    if (isBegin && (!IS_WORD.test(word.at(-1) ?? '') || !GOES_ON.test(text.slice(end, end + 2)))) return true;
  }
  return false;
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  return isObject(value) ? Object.values(value).flatMap(collectTexts) : [];
}

/** What happened near: calls, and all that stood in them. */
export interface NearCalls {
  calls: ProbedCall[];
  inputs: string;
  kerns: Set<string>;
  checks: Set<string>;
  paths: Set<string>;
  /** Whether a tool was called before the next request. */
  goesOn: boolean;
}

export function readNear({ calls, requests }: ProbedTalk): NearCalls {
  const near = calls.slice(0, NEAR);
  const commands = near.map(findCommand).filter((command) => command !== '');
  const [first] = near;
  const next = requests.find(({ isRefusal }) => !isRefusal);
  return {
    calls: near,
    inputs: near.map(({ input }) => normalizeSpace(collectTexts(input).join('\n'))).join('\n'),
    kerns: new Set(commands.map(extractKern)),
    checks: new Set(commands.flatMap(extractChecks)),
    paths: new Set(near.filter(({ tool }) => FILE_TOOLS.test(tool)).map(findPath)),
    goesOn: first !== undefined && (next === undefined || first.at < next.at),
  };
}

const CODE =
  /`([^`]+)`|(--[a-z][\w-]*)|([\w./-]*[\w](?:[._/][\w-]+)+\/?)|\b([a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b|\b(\d{3,})\b/g;

/** camelCase and snake_case taken apart. */
export const splitWords = (text: string): string[] =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** Whether a sentence left a trace in the inputs of tools. */
export function isUsed(sentence: string, { inputs }: Pick<NearCalls, 'inputs'>): boolean {
  const codes = [...sentence.matchAll(CODE)].map(
    (found) => found.slice(1).find((each) => each !== undefined) ?? '',
  );
  if (codes.some((code) => holdsWord(inputs, normalizeSpace(code)))) return true;
  const words = [...new Set(splitWords(sentence).filter((word) => word.length >= 6 && !isKeptWord(word)))];
  if (words.length === 0) return false;
  const there = new Set(splitWords(inputs));
  return words.filter((word) => there.has(word)).length >= Math.min(2, words.length);
}

const taskSubjects = ({ input }: ProbedCall): string[] =>
  Array.isArray(input.todos)
    ? input.todos.filter(isObject).map((each) => normalizeSpace(String(each.content ?? '')))
    : [];

function commandNeeded(kern: string, near: NearCalls): boolean {
  return near.kerns.has(kern) || extractChecks(kern).some((check) => near.checks.has(check));
}

export function isNeeded(fact: ProbeFact, near: NearCalls): boolean {
  const { kind, value, of } = fact;
  switch (kind) {
    case 'files written':
    case 'files read':
      return near.paths.has(value);
    case 'failing commands':
      return commandNeeded(value, near);
    case 'their errors':
      return commandNeeded(of ?? '', near);
    case 'check commands':
      return near.checks.has(value);
    case 'other commands':
      return near.kerns.has(value);
    case 'ids, ports, URLs':
      return holdsWord(near.inputs, normalizeSpace(value));
    case 'last request':
      return near.goesOn;
    case 'open tasks':
      return near.calls.some(
        (call) =>
          (call.tool === TOOL.changeTask && of !== '' && String(call.input.taskId) === of) ||
          (call.tool === TOOL.setTasks && taskSubjects(call).includes(normalizeSpace(value))),
      );
    case 'call under way':
      return near.calls.slice(0, SAME_CALL).some((call) => describeCall(call) === value);
    case 'accepted plan':
      return isUsed(value, near) || (of !== undefined && near.paths.has(of));
    default:
      return isUsed(value, near);
  }
}
