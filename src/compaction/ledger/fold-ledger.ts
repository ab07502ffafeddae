// Folds the entries of a transcript into the ledger, one by one, in bounded memory.
import {
  type AnswerEntry,
  type EntryPlace,
  type RequestEntry,
  type ResultEntry,
  type TranscriptEntry,
  withoutSecrets,
} from '../../hosts/entry.ts';
import { findConstraintsIn } from './constraints.ts';
import { buildExcerpt } from './excerpt.ts';
import type { CommandFacts, FileFacts } from './fold-calls.ts';
import { changeTasks, cutCall, findNeed, foldCommands, foldFiles } from './fold-calls.ts';
import type { FactEvidence, Ledger, LedgerAnswer, LedgerRequest, OpenCall } from './ledger.ts';
import { boundLedger } from './ledger.ts';
import { findRequestKind, isAnsweredBy } from './request-kind.ts';

/** Characters kept of what a person said. */
export const WORDS = 2_000;
const ANSWER = 1_200;
const PLAN = 4_000;

/** A ledger that is being added to. */
export interface LedgerFold {
  add: (entry: TranscriptEntry) => void;
  /** How much is asked of a call's result. */
  needOf: (call: string) => ReturnType<typeof findNeed>;
  /** The ledger with all that was added, bounded. */
  finish: () => Ledger;
}

interface Fold {
  ledger: Ledger;
  /** Place of the session in the ledger. */
  session: number;
  files: FileFacts;
  commands: CommandFacts;
  calls: Map<string, OpenCall>;
  /** The last answer; its words are read when they are needed. */
  answer: { entry: AnswerEntry; evidence: FactEvidence } | null;
  /** Requests before this one are answered. */
  answered: number;
  /** The message that was put into the queue last, as long as nothing else has been read. */
  queued: LedgerRequest | null;
  /** Ids of requests and boundaries that are in the ledger. */
  seen: Set<string>;
}

const evidenceOf = ({ ledger, session }: Fold, place: EntryPlace): FactEvidence => ({
  session,
  segment: ledger.segment,
  entry: place.id,
  offset: place.offset,
  at: place.time,
});

function addRequirements(
  fold: Fold,
  sentences: string[],
  kind: 'rule' | 'correction',
  place: EntryPlace,
): void {
  const { requirements } = fold.ledger;
  for (const sentence of sentences) {
    const excerpt = buildExcerpt(sentence, WORDS);
    if (requirements.some(({ text }) => text.toLowerCase() === excerpt.text.toLowerCase())) continue;
    requirements.push({ ...excerpt, kind, ...evidenceOf(fold, place) });
  }
}

const PLAN_REQUEST = /^Implement the following plan:\s*/;
function acceptPlan(fold: Fold, plan: { text: string; file: string | null }, place: EntryPlace): void {
  const title = plan.text.split('\n').find((line) => line.trim() !== '') ?? '';
  const named = title.replace(/^#+\s*/, '').trim();
  if (named === '' && plan.file === null) return;
  fold.ledger.plan = {
    title: buildExcerpt(named, 300).text,
    ...buildExcerpt(plan.text, PLAN),
    file: plan.file,
    ...evidenceOf(fold, place),
  };
}

/** Whether the very same words stand in the ledger already, as a message that waited for the agent does. */
function isKnown(fold: Fold, entry: RequestEntry, text: string): boolean {
  if (entry.id !== null && fold.seen.has(entry.id)) return true;
  const { requests } = fold.ledger;
  const at = requests.findLastIndex(
    (each) => each.entry === null && each.session === fold.session && each.text === text,
  );
  const waiting = requests[at];
  if (waiting === undefined) return false;
  // Taken up at once, it did not wait: clients without a terminal put every prompt into the queue.
  if (waiting === fold.queued && entry.by === 'person' && waiting.by === 'queued') {
    requests.splice(at, 1);
    return false;
  }
  waiting.entry = entry.id;
  if (entry.id !== null) fold.seen.add(entry.id);
  return true;
}

const NOTE_COMMAND = /^\/(?:plimsoll:)?(?:checkpoint|note)$/;

function addRequest(fold: Fold, given: RequestEntry): void {
  const { ledger } = fold;
  // What is put into the queue while nothing is under way does not wait.
  const isPrompt = given.by === 'queued' && given.id === null && !ledger.isTurnOpen;
  const entry: RequestEntry = isPrompt ? { ...given, by: 'person' } : given;
  ledger.underway = null;
  ledger.isTurnOpen = true;
  // A peer's words may set the agent to work; they are not the person's.
  if (entry.by !== 'person' && entry.by !== 'queued' && entry.by !== 'command') return;
  const excerpt = buildExcerpt(entry.text, WORDS);
  if (isKnown(fold, entry, excerpt.text)) return;
  if (entry.id !== null) fold.seen.add(entry.id);
  const evidence = evidenceOf(fold, entry);
  if (entry.command !== null && NOTE_COMMAND.test(entry.command)) {
    if (excerpt.text !== '') ledger.notes.push({ ...excerpt, kind: 'note', by: 'person', ...evidence });
    return;
  }
  const known = ledger.requests.some(({ kind }) => kind === 'goal');
  const lastAnswer = (): string | null => lastAnswerOf(fold)?.text ?? null;
  const kind = findRequestKind(entry, known, lastAnswer);
  const { by, command } = entry;
  const request: LedgerRequest = { ...excerpt, kind, by, command, answered: false, ...evidence };
  ledger.requests.push(request);
  if (entry.id === null) fold.queued = request;
  const mayAnswer = by === 'person' && (kind === 'addition' || kind === 'push');
  if (mayAnswer) addAnswered(fold, isAnsweredBy(entry.text, lastAnswer), entry.text, entry);
  if (PLAN_REQUEST.test(entry.text)) {
    acceptPlan(fold, { text: entry.text.replace(PLAN_REQUEST, ''), file: null }, entry);
  } else if (kind !== 'push' && kind !== 'courtesy') {
    const sentences = findConstraintsIn(entry.text, entry.quotes);
    addRequirements(fold, sentences, kind === 'goal' ? 'rule' : 'correction', entry);
  }
}

function addAnswered(fold: Fold, question: string | null, answer: string, place: EntryPlace): void {
  if (question === null || answer.trim() === '') return;
  const asked = buildExcerpt(question, 500).text;
  // A question that was asked again holds with its new answer.
  fold.ledger.answers = fold.ledger.answers.filter((each) => each.question !== asked);
  fold.ledger.answers.push({
    question: asked,
    answer: buildExcerpt(answer, WORDS).text,
    ...evidenceOf(fold, place),
  });
}

function addResult(fold: Fold, result: ResultEntry): void {
  const call = fold.calls.get(result.call);
  fold.calls.delete(result.call);
  const evidence = evidenceOf(fold, result);
  if (result.status === 'refused') {
    const reason = result.reason === null ? null : buildExcerpt(result.reason, WORDS).text;
    if (call === undefined && fold.ledger.refusals.some((each) => each.reason === reason)) return;
    const tried = call === undefined ? '' : cutCall(call.action);
    fold.ledger.refusals.push({ tool: call?.tool ?? 'a call', tried, reason, ...evidence });
    if (result.reason !== null) addRequirements(fold, findConstraintsIn(result.reason), 'correction', result);
    return;
  }
  if (call === undefined) return;
  const { action } = call;
  if (action.type === 'run') fold.commands.add(action.command, result, evidence);
  if (action.type === 'run' && result.status === 'ok') fold.files.addCommand(action.command, evidence);
  if (result.status !== 'ok') return;
  if (action.type === 'read') fold.files.read(action.path, evidence);
  if (action.type === 'write') fold.files.write(action.path, result.isNewFile, evidence);
  if (action.type === 'ask') {
    for (const { question, answer } of result.answers) addAnswered(fold, question, answer, result);
  }
  if (action.type === 'plan' || result.plan !== null) {
    const own = action.type === 'plan' ? action : { text: '', file: null };
    acceptPlan(fold, { text: result.plan?.text || own.text, file: result.plan?.file ?? own.file }, result);
  }
  fold.ledger.tasks = changeTasks(fold.ledger.tasks, action, result, evidence);
}

function addCall(fold: Fold, entry: Extract<TranscriptEntry, { kind: 'call' }>): void {
  const { ledger, calls } = fold;
  const evidence = evidenceOf(fold, entry);
  const open: OpenCall = { ...evidence, call: entry.call, tool: entry.tool, action: entry.action };
  calls.set(entry.call, open);
  ledger.underway = {
    ...evidence,
    tool: entry.tool,
    action: entry.action.type,
    what: cutCall(entry.action),
  };
  ledger.isTurnOpen = true;
  const last = ledger.requests.at(-1);
  if (last !== undefined) last.answered = false;
  fold.answered = Math.max(0, Math.min(fold.answered, ledger.requests.length - 1));
}

function lastAnswerOf(fold: Fold): LedgerAnswer | null {
  if (fold.answer !== null) {
    const { entry, evidence } = fold.answer;
    fold.ledger.lastAnswer = { ...buildExcerpt(entry.text, ANSWER), isFinal: entry.isFinal, ...evidence };
    fold.answer = null;
  }
  return fold.ledger.lastAnswer;
}

function addAnswer(fold: Fold, entry: AnswerEntry): void {
  const { ledger } = fold;
  ledger.underway = null;
  fold.answer = { entry, evidence: evidenceOf(fold, entry) };
  ledger.isTurnOpen = !entry.isFinal;
  if (!entry.isFinal) return;
  for (const request of ledger.requests.slice(fold.answered)) request.answered = true;
  fold.answered = ledger.requests.length;
}

function addEntry(fold: Fold, entry: TranscriptEntry): void {
  const { ledger, seen } = fold;
  if (entry.kind !== 'request') fold.queued = null;
  switch (entry.kind) {
    case 'request':
      addRequest(fold, entry);
      return;
    case 'withdrawal':
      fold.answered = 0;
      ledger.requests = ledger.requests.filter(
        (each) =>
          each.by !== 'queued' || each.entry !== null || each.text !== buildExcerpt(entry.text, WORDS).text,
      );
      return;
    case 'answer':
      addAnswer(fold, entry);
      return;
    case 'call':
      addCall(fold, entry);
      return;
    case 'result':
      addResult(fold, entry);
      return;
    case 'boundary':
      if (entry.id !== null && seen.has(entry.id)) return;
      if (entry.id !== null) seen.add(entry.id);
      ledger.segment += 1;
      return;
    case 'notice':
      if (entry.isInterruption) ledger.isTurnOpen = true;
      if (entry.tasks !== null) {
        const action = { type: 'set-tasks', tasks: entry.tasks } as const;
        ledger.tasks = changeTasks(ledger.tasks, action, null, evidenceOf(fold, entry));
      }
      return;
    default:
      return;
  }
}

/** Entries after which the lists are bounded: what each entry is compared with stays small. */
const BOUNDED_EACH = 250;

/** The ledger with every fact in its lists, bounded. */
function settle(fold: Fold): Ledger {
  const { ledger } = fold;
  ledger.files = fold.files.list();
  Object.assign(ledger, fold.commands.lists());
  boundLedger(ledger);
  fold.files = foldFiles(ledger.files);
  fold.commands = foldCommands(ledger.checks, ledger.commands, ledger.notes);
  fold.answered = 0;
  return ledger;
}

/** Opens a ledger to add entries of one of its sessions; the ledger that was given stays as it is. */
export function openLedger(given: Ledger, session: number): LedgerFold {
  const ledger: Ledger = structuredClone(given);
  const last = ledger.requests.at(-1);
  const isLast = ledger.position?.session === session && ledger.position.lastEntry === last?.offset;
  const fold: Fold = {
    ledger,
    session,
    files: foldFiles(ledger.files),
    commands: foldCommands(ledger.checks, ledger.commands, ledger.notes),
    calls: new Map(ledger.openCalls.map((call) => [call.call, call])),
    answer: null,
    answered: 0,
    queued: isLast && last?.entry === null ? last : null,
    seen: new Set(ledger.requests.flatMap(({ entry }) => entry ?? [])),
  };
  let added = 0;
  return {
    add: (entry) => {
      addEntry(fold, withoutSecrets(entry));
      if (++added % BOUNDED_EACH === 0) settle(fold);
    },
    needOf: (call) => findNeed(fold.calls.get(call)),
    finish: () => {
      lastAnswerOf(fold);
      ledger.openCalls = [...fold.calls.values()];
      return settle(fold);
    },
  };
}
