// Facts of a ledger in words, ranked by what is needed after a compaction; every message tells them in these words.
import type { Speaker } from '../hosts/entry.ts';
import { cutToTokens } from '../text/budget.ts';
import { shortenPath } from '../text/lines.ts';
import {
  findTopic,
  ownRequests,
  pickChecks,
  pickFailing,
  pickLastFailure,
  pickOften,
  pickRead,
  shortenNames,
} from './choice.ts';
import { isForOneTask } from './ledger/constraints.ts';
import {
  type AnsweredQuestion,
  type CommandFact,
  comparePlaces,
  type Ledger,
  type LedgerRequest,
  type PastFailure,
  pickChanged,
  type RequestKind,
  type Underway,
} from './ledger/ledger.ts';
import { shorten } from './work.ts';

/** One fact in words, and how many tokens of it are told at the most where there is little room. */
export interface ToldFact {
  /** Says in our own words whose text it is; what follows is never taken for a label. */
  voice?: string;
  text: string;
  /** The same with its lesser part cut, where there is little room. */
  short?: string;
  tokens: number;
  /** Told only where there is more room than after a compaction. */
  isExtra?: boolean;
}

interface FactKind {
  /** Only labels that name the user hold words of the user. */
  label: string;
  /** What is left out is named by this. */
  called: string;
  /** The higher, the sooner it goes. 0 never goes. */
  rank: number;
  /** So many are told where there is little room. */
  most: number;
  /** Stands on the line of its label; a list has a line for each. */
  isInline: boolean;
}

const makeKind =
  (isInline: boolean) =>
  (label: string, called: string, rank: number, most = 1) => ({ label, called, rank, most, isInline });
const inLine = makeKind(true);
const inList = makeKind(false);

/** The kinds of facts, the most needed first. */
const KINDS = {
  goal: inLine("THE USER'S GOAL", 'goal', 0),
  required: inList('THE USER REQUIRES (later ones win)', 'requirements', 1, 30),
  task: inLine("THE USER'S LATEST TASK", 'latest task', 0),
  last: inLine("THE USER'S LAST WORDS", 'last words', 1),
  doing: inLine('YOU WERE DOING', 'what was under way', 1),
  refused: inList('THE USER REFUSED', 'refused calls', 1, 6),
  failing: inList('FAILING NOW', 'failing commands', 1, 4),
  failed: inLine('LAST FAILURE (fixed since, as far as seen)', 'last failure', 3),
  checks: inLine('CHECKS IN USE', 'check commands', 1, 5),
  open: inList('OPEN TASKS', 'open tasks', 0, 10),
  decided: inList('DECISIONS AND ANSWERS (newest first)', 'decisions', 2, 8),
  plan: inLine('PLAN ACCEPTED BY THE USER', 'accepted plan', 1),
  changed: inLine('FILES CHANGED (latest first)', 'files changed', 4, 2),
  read: inLine('FILES READ (latest first)', 'files read', 1, 6),
  often: inLine('ALSO RUN MORE THAN ONCE', 'other commands', 3),
  earlier: inList('THE USER ALSO ASKED', 'earlier requests', 5, 1),
  others: inList('SAID BY OTHERS, NOT BY THE USER', 'messages of others', 6, 2),
  answer: inLine('YOUR LAST ANSWER', 'last answer', 6),
} satisfies Record<string, FactKind>;

export type FactKey = keyof typeof KINDS;

/** Facts of one kind, the most important first. */
export interface FactGroup extends FactKind {
  key: FactKey;
  facts: ToldFact[];
}

const fact = (text: string, tokens: number): ToldFact => ({ text, tokens });
const extra = (text: string, tokens: number): ToldFact => ({ text, tokens, isExtra: true });

const wordsOf = ({ text, command }: LedgerRequest): string =>
  command === null ? text : `${command} ${text}`.trim();

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

const OTHERS: Partial<Record<Speaker, string>> = {
  peer: 'a teammate or another session',
  unknown: 'an unknown sender',
};

/** Gives the words of a request without what is told elsewhere: requirements, and answers beside their question. */
function readRest({ requirements, answers }: Ledger): (request: LedgerRequest) => string {
  const answered = new Set(answers.map(({ answer, session }) => `${session} ${answer}`));
  const rules = new Map<string, string[]>();
  for (const { text, session, offset } of requirements) {
    const place = `${session} ${offset}`;
    rules.set(place, [...(rules.get(place) ?? []), text]);
  }
  return (request) => {
    if (answered.has(`${request.session} ${request.text}`)) return '';
    const own = rules.get(`${request.session} ${request.offset}`) ?? [];
    const rest = own.reduce((text, rule) => text.replace(rule, ''), wordsOf(request));
    return /[\p{L}\p{N}]/u.test(rest) ? rest.trim() : '';
  };
}

/** Requests that give the work nothing by themselves. */
const GIVES_NOTHING: ReadonlySet<RequestKind> = new Set<RequestKind>(['push', 'courtesy', 'question']);

/** What the person said last, as far as it says something; what only pushes on is told with the question that it answers. */
function lastWords({ answers }: Ledger, last: LedgerRequest): ToldFact[] {
  const answered = answers.find((each) => comparePlaces(each, last) === 0);
  if (answered !== undefined) return [answerFact(answered, 60)];
  return last.kind === 'push' ? [] : [fact(wordsOf(last), 60)];
}

/** The requests: the first that gave work, the one that is worked on, what was said last, and the rest. */
function requestFacts(ledger: Ledger) {
  const own = ownRequests(ledger);
  const topic = findTopic(ledger);
  const goal = own.find(({ kind }) => kind === 'goal') ?? topic;
  const last = own.findLast(({ kind }) => kind !== 'courtesy') ?? null;
  const told = (request: LedgerRequest | null, tokens: number): ToldFact[] =>
    request === null ? [] : [fact(wordsOf(request), tokens)];
  return {
    goal: told(goal, 150),
    task: told(topic === goal ? null : topic, 110),
    last: last === null || topic === null || last === goal || last === topic ? [] : lastWords(ledger, last),
    earlier: own
      .filter(({ kind }) => !GIVES_NOTHING.has(kind))
      .filter((each) => each !== goal && each !== topic && each !== last)
      .reverse()
      .map(readRest(ledger))
      .filter((words) => words !== '')
      .map((words) => fact(words, 40)),
    others: ledger.requests
      .filter(({ by }) => OTHERS[by] !== undefined)
      .reverse()
      .map(({ by, text }) => fact(`${OTHERS[by]}: ${text}`, 40)),
  };
}

/** The text that any message tells of a fact at least; the summariser's message is the shortest. */
const toldOf = ({ text, short, tokens }: ToldFact): string =>
  cutToTokens(short ?? text, Math.round(tokens * 0.8));

/** Tokens of a question: what was answered is what counts. */
const QUESTION = 24;

const answerFact = ({ question, answer }: AnsweredQuestion, tokens: number): ToldFact => ({
  ...fact(`${question} → the user: ${answer}`, tokens),
  short: `${cutToTokens(question, QUESTION)} → the user: ${answer}`,
});

/** How a requirement is told that was for one task, in its own words, once another task was given. */
const PAST_SCOPE = 'said for an earlier task: ';

/** What the person requires, oldest first, without what is told whole elsewhere; an answer with its question. */
function requiredFacts(ledger: Ledger, requests: readonly ToldFact[]): ToldFact[] {
  const { requirements, refusals, answers } = ledger;
  const topic = findTopic(ledger);
  const told = plain([...requests.map(toldOf), ...refusals.map(({ reason }) => reason ?? '')].join('\n'));
  return requirements
    .filter(({ text }) => !told.includes(plain(text)))
    .map(({ text, ...place }) => {
      const answered = answers.find(({ answer }) => answer === text);
      const told = answered === undefined ? fact(text, 90) : answerFact(answered, 90);
      const isPast = topic !== null && comparePlaces(topic, place) > 0 && isForOneTask(text);
      return isPast ? { ...told, voice: PAST_SCOPE } : told;
    });
}

/** Calls that show where the work stands; a search or a question does not. */
const WORKS: ReadonlySet<Underway['action']> = new Set<Underway['action']>([
  'read',
  'write',
  'run',
  'delegate',
]);

function doingFacts(ledger: Ledger, nameOf: (path: string) => string): ToldFact[] {
  const { underway, isTurnOpen, lastAnswer } = ledger;
  if (findTopic(ledger) === null && underway === null) return [];
  if (!isTurnOpen) return lastAnswer === null ? [] : [fact('nothing; the last request was answered', 20)];
  if (underway === null || !WORKS.has(underway.action))
    return [fact('the last request, not answered yet', 20)];
  return [fact(`${underway.tool} ${nameOf(underway.what)} (last call)`, 70)];
}

function failingText({ asRun, command, failingTests, error }: CommandFact): string {
  const shown = failingTests.slice(0, 4);
  const more = failingTests.length - shown.length;
  const tests = shown.length === 0 ? '' : `: ${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
  const said = error === null ? '' : ` → ${error}`;
  return `${failingTests.length > 0 ? command : asRun}${tests}${said}`;
}

const failureText = ({ asRun, error }: PastFailure): string =>
  `${asRun}${error === null ? '' : ` → ${error}`}`;

function openFacts({ tasks }: Ledger): ToldFact[] {
  const running = tasks.filter(({ status }) => status === 'in_progress');
  const pending = tasks.filter(({ status }) => status === 'pending');
  const isNext = (index: number): boolean => index === 0 && running.length === 0;
  return [
    ...running.map(({ subject }) => fact(`${subject} (in progress)`, 40)),
    ...pending.map(({ subject }, index) =>
      fact(`${subject}${isNext(index) ? ' (next: the first pending task)' : ''}`, 40),
    ),
  ];
}

function decidedFacts({ answers, notes, requirements }: Ledger, last: readonly ToldFact[]): ToldFact[] {
  const all = [
    ...answers
      .filter(({ answer }) => !requirements.some(({ text }) => text === answer))
      .map((each) => ({ ...each, told: answerFact(each, 60) }))
      .filter(({ told }) => !last.some(({ text }) => text === told.text)),
    ...notes
      .filter(({ by }) => by !== 'workflow')
      .map((each) => ({
        ...each,
        told: { ...fact(each.text, 60), voice: each.by === 'person' ? 'the user noted: ' : 'noted: ' },
      })),
  ];
  return all.sort((a, b) => comparePlaces(b, a)).map(({ told }) => told);
}

/** Characters of what was refused: why is what counts. */
const TRIED = 48;

/** The accepted plan; one that was given as a request is told there. */
function planFacts({ plan }: Ledger, requests: readonly ToldFact[]): ToldFact[] {
  if (plan === null) return [];
  if (plan.file !== null) return [fact(`${plan.title} (${plan.file})`, 50)];
  const told = plain(requests.map(toldOf).join('\n'));
  return told.includes(plain(plan.title)) ? [] : [fact(plan.title, 50)];
}

/** Every group, the most needed first; those without a fact are left out. */
export function rankFacts(ledger: Ledger, root: string | null): FactGroup[] {
  const requests = requestFacts(ledger);
  const names = shortenNames(ledger.files.map(({ path }) => shortenPath(path, root)));
  const nameOf = (path: string): string => names.get(shortenPath(path, root)) ?? shortenPath(path, root);
  const { lastAnswer } = ledger;
  const failure = pickLastFailure(ledger);
  const facts: Record<FactKey, ToldFact[]> = {
    ...requests,
    required: requiredFacts(ledger, [...requests.goal, ...requests.task, ...requests.last]),
    doing: doingFacts(ledger, nameOf),
    refused: [...ledger.refusals]
      .reverse()
      .map(({ tool, tried, reason }) =>
        fact(`${tool} ${shorten(nameOf(tried), TRIED)}${reason === null ? '' : `: ${reason}`}`, 60),
      ),
    failing: pickFailing(ledger).map((each) => fact(failingText(each), 80)),
    failed: failure === null ? [] : [fact(failureText(failure), 60)],
    checks: pickChecks(ledger).map(({ command }) => fact(command, 30)),
    open: openFacts(ledger),
    decided: decidedFacts(ledger, requests.last),
    plan: planFacts(ledger, [...requests.goal, ...requests.task]),
    changed: pickChanged(ledger).map(({ path, deleted }) =>
      fact(`${nameOf(path)}${deleted ? ' (deleted)' : ''}`, 30),
    ),
    read: pickRead(ledger).map(({ file, serves }) => (serves ? fact : extra)(nameOf(file.path), 50)),
    often: pickOften(ledger).map(({ command }) => fact(command, 40)),
    // For a session that goes on, the host's summary tells it.
    answer: lastAnswer === null ? [] : [extra(lastAnswer.text, 60)],
  };
  return (Object.keys(KINDS) as FactKey[])
    .map((key) => ({ key, ...KINDS[key], facts: facts[key] }))
    .filter((group) => group.facts.length > 0);
}
