// Judges one compaction: which facts were needed after it, and which text told them.
import type { CompactionUnit, ProbedCall, ProbedTalk } from '../hosts/claude-code/replay/read-talk.ts';
import { FILE_TOOLS, readTalk, TOOL, WRITING_TOOLS } from '../hosts/claude-code/replay/read-talk.ts';
import { estimateTokens } from '../text/budget.ts';
import { isObject } from '../text/json.ts';
import { collectProbeFacts, describeCall } from './collect-facts.ts';
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
function holdsWord(text: string, word: string): boolean {
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
interface NearCalls {
  calls: ProbedCall[];
  inputs: string;
  kerns: Set<string>;
  checks: Set<string>;
  paths: Set<string>;
  /** Whether a tool was called before the next request. */
  goesOn: boolean;
}

function readNear({ calls, requests }: ProbedTalk): NearCalls {
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
const splitWords = (text: string): string[] =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** Whether a sentence left a trace in the inputs of tools. */
function isUsed(sentence: string, { inputs }: Pick<NearCalls, 'inputs'>): boolean {
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

function isNeeded(fact: ProbeFact, near: NearCalls): boolean {
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

/** The summary alone; with what our hooks said; that alone; and with what is within reach (`idealTextOf`). */
export const ARMS = ['summary', 'with', 'alone', 'ideal'] as const;
export type Arm = (typeof ARMS)[number];

export interface JudgedFact {
  kind: ProbeFact['kind'];
  value: string;
  needed: boolean;
  told: Record<Arm, boolean>;
}

export interface UnitScore {
  name: string;
  /** Which compaction of the file it is, from 0. */
  compaction: number;
  session: string;
  facts: JudgedFact[];
  /** What our hooks said, in tokens. */
  tokens: number;
  /** Reads, near, of files that were known before. */
  readAgain: number;
  /** Calls up to and with the first edit, or null where none came near. */
  callsToEdit: number | null;
}

/** Files that are said in an ideal text. */
const IDEAL_FILES = 4;

/** Whether a text (white space normalised) tells a fact. */
const isTold = (text: string, { told }: ProbeFact): boolean =>
  told.some(
    ({ text: part, isWord }) => part !== '' && (isWord ? holdsWord(text, part) : text.includes(part)),
  );

/** Keys of a map by how often they were seen, then by how late. */
function rankByUse(keys: readonly string[]): string[] {
  const uses = new Map<string, { times: number; last: number }>();
  keys.forEach((key, last) => {
    uses.set(key, { times: (uses.get(key)?.times ?? 0) + 1, last });
  });
  return [...uses].sort(([, a], [, b]) => b.times - a.times || b.last - a.last).map(([key]) => key);
}

/** The checks that ran most often and the files read last and not written: what a text could say without knowing more. */
function buildIdealText(calls: readonly ProbedCall[], checks: number): string {
  const run = calls
    .filter(({ outcome }) => outcome !== 'rejected')
    .flatMap((call) => extractChecks(findCommand(call)));
  const written = new Set(calls.filter(({ tool }) => WRITING_TOOLS.test(tool)).map(findPath));
  const read = calls
    .filter(({ tool }) => tool === TOOL.read)
    .map(findPath)
    .filter((path) => path !== '' && !written.has(path));
  const latest = [...new Set(read.reverse())].slice(0, IDEAL_FILES);
  return [...rankByUse(run).slice(0, checks), ...latest].join('\n');
}

function countWork(before: ProbedTalk, near: NearCalls): Pick<UnitScore, 'readAgain' | 'callsToEdit'> {
  const known = new Set(before.calls.filter(({ tool }) => FILE_TOOLS.test(tool)).map(findPath));
  const edit = near.calls.findIndex(({ tool }) => WRITING_TOOLS.test(tool));
  return {
    readAgain: near.calls.filter((call) => call.tool === TOOL.read && known.has(findPath(call))).length,
    callsToEdit: edit < 0 ? null : edit + 1,
  };
}

/** @param ours what our hooks said after the compaction */
export function scoreUnit(
  unit: CompactionUnit,
  ours: string,
  {
    name,
    session,
    compaction,
    checks,
  }: Pick<UnitScore, 'name' | 'session' | 'compaction'> & { checks: number },
): UnitScore {
  const before = readTalk(unit.before);
  const near = readNear(readTalk(unit.after));
  const alone = normalizeSpace(ours);
  const summary = normalizeSpace(unit.summary);
  const ideal = normalizeSpace(buildIdealText(before.calls, checks));
  const facts = collectProbeFacts(before).map((fact) => {
    const told = { summary: isTold(summary, fact), alone: isTold(alone, fact) };
    const isEither = told.summary || told.alone;
    return {
      kind: fact.kind,
      value: fact.value,
      needed: isNeeded(fact, near),
      told: { ...told, with: isEither, ideal: isEither || isTold(ideal, fact) },
    };
  });
  return { name, session, compaction, facts, tokens: estimateTokens(ours), ...countWork(before, near) };
}
