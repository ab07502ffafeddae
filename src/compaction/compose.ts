// Composes every message about the work from one ledger: the same facts in the same words, ranked, within a budget.
import { BUDGETS, estimateTokens, fitLines, type RankedLine } from '../text/budget.ts';
import { escapeInline } from '../text/escape.ts';
import { fitInline } from '../text/lines.ts';
import { type FactGroup, type FactKey, rankFacts, type ToldFact } from './facts.ts';
import type { Ledger } from './ledger/ledger.ts';

/** How much room a message gives: a factor for the length of each fact, and for how many of a kind. */
interface Room {
  length: number;
  count: number;
}

/** Of many requirements the first set the frame and the last put it right: those in the middle go first. */
const FIRST = 4;
const LAST = 6;

/** The facts that there is room for, each with its place; of requirements both ends, of all else the beginning. */
function pickFacts({ key, facts }: FactGroup, most: number): (ToldFact & { index: number })[] {
  const all = facts.map((each, index) => ({ ...each, index }));
  if (key !== 'required' || all.length <= most) return all.slice(0, most);
  const tail = Math.ceil(most / 2);
  return [...all.slice(0, most - tail), ...all.slice(-tail)];
}

function linesOf(given: FactGroup, { length, count }: Room): RankedLine[] {
  const facts = given.facts.filter(({ isExtra }) => !isExtra || count > 1);
  if (facts.length === 0) return [];
  const group = { ...given, facts };
  const { key, label, called, rank } = group;
  const shown = pickFacts(group, Math.max(1, Math.round(group.most * count)));
  const left = facts.length - shown.length;
  const texts = shown.map(
    ({ voice = '', text, short, tokens }) =>
      `${voice}${fitInline(short ?? text, Math.round(tokens * length))}`,
  );
  if (group.isInline) {
    const more = left > 0 ? `, and ${left} more` : '';
    return [{ text: `${label}: ${texts.join(', ')}${more}`, rank, called }];
  }
  const rankOf = (index: number): number => {
    if (key === 'required') return index < FIRST || facts.length - index <= LAST ? rank : rank + 2;
    return index < 2 ? rank : rank + 1;
  };
  return [
    { text: `${label}:`, rank, isTitle: true },
    ...shown.map(({ index }, at) => ({ text: `- ${texts[at]}`, rank: rankOf(index), called })),
    ...(left > 0 ? [{ text: `- and ${left} more`, rank: rank + 1, called }] : []),
  ];
}

/** The facts of a ledger as lines of a message. */
export const formatFacts = (
  ledger: Ledger,
  root: string | null,
  room: Room = { length: 1, count: 1 },
): RankedLine[] => rankFacts(ledger, root).flatMap((group) => linesOf(group, room));

/** So much of the usual budget is for what the person requires; what it needs beyond that makes the message longer. */
const REQUIRED_TOKENS = 110;

const SAID_BY_PERSON: ReadonlySet<FactKey> = new Set<FactKey>([
  'goal',
  'required',
  'task',
  'refused',
  'decided',
]);

/** The budget of a message: the usual one, and more where requirements need it, up to a limit. */
export function findBudget(ledger: Ledger, root: string | null, most: number): number {
  const needed = rankFacts(ledger, root)
    .filter(({ key }) => SAID_BY_PERSON.has(key))
    .flatMap((group) => linesOf(group, { length: 1, count: 1 }))
    .reduce((sum, { text }) => sum + estimateTokens(text) + 1, 0);
  return Math.min(Math.max(most, BUDGETS.alert), BUDGETS.alert + Math.max(0, needed - REQUIRED_TOKENS));
}

/** The last line of a message: the commands that show what was cut, keep it with the workflow, and show what was said. */
export function formatWholeLine(checkpoint: string | null, isToMerge = false): RankedLine {
  if (checkpoint === null) return { text: 'To search what was said before: plimsoll recall WORDS', rank: 0 };
  const id = escapeInline(checkpoint);
  const rest = isToMerge
    ? `into the workflow file: plimsoll state merge ${id}; search: plimsoll recall WORDS`
    : 'search what was said before: plimsoll recall WORDS';
  return { text: `Whole: plimsoll checkpoint show ${id}; ${rest}`, rank: 0 };
}

/** Puts lines into a tag and fits them; what is left out is named above the last line. */
export function compose(tag: string, lines: readonly RankedLine[], last: RankedLine, budget: number): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const inner = fitLines([...lines, last], budget - estimateTokens(`${open}\n\n${close}`), null);
  return `${open}\n${inner}\n${close}`;
}

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Where the rest is, and of what there is more: so many facts of each kind that did not fit. */
function closingLine(left: readonly string[], checkpoint: string | null): string | null {
  const command = checkpoint === null ? null : `plimsoll checkpoint show ${escapeInline(checkpoint)}`;
  if (left.length === 0) return command === null ? null : `Checkpoint: ${command}`;
  return `Left out for length: ${left.join(', ')}${command === null ? '' : `; whole: ${command}`}`;
}

/** The lines of one kind of fact; `facts`: how many there are. */
interface FactList {
  group: FactGroup;
  title: RankedLine | null;
  facts: number;
  lines: RankedLine[];
}

function listOf(given: FactGroup): FactList {
  const group = { ...given, most: Math.min(given.most, 12) };
  const lines = linesOf(group, { length: 0.8, count: 1 });
  const facts = group.facts.filter(({ isExtra }) => !isExtra).length;
  const title = lines[0]?.isTitle === true ? lines[0] : null;
  // What a list has more than is told of it counts with what does not fit.
  return {
    group,
    title,
    facts,
    lines: title === null ? lines : lines.slice(1, 1 + Math.min(facts, group.most)),
  };
}

const HEAD = 'Facts to keep word for word in the summary:';

/** The lines that fit, the most needed first, in the order of an alert; and how many facts of each kind do not. */
function fillBytes(lists: readonly FactList[], room: number): { text: string; left: string[] } {
  const told = new Set<RankedLine>();
  let bytes = bytesIn(HEAD);
  const order = lists.flatMap(({ title, lines }) => lines.map((line) => ({ title, line })));
  for (const { title, line } of order.sort((a, b) => a.line.rank - b.line.rank)) {
    const isFirst = title !== null && !told.has(title);
    const added = (isFirst ? bytesIn(title.text) + 1 : 0) + bytesIn(line.text) + 1;
    if (bytes + added > room) continue;
    bytes += added;
    told.add(line);
    if (title !== null) told.add(title);
  }
  const all = lists.flatMap(({ title, lines }) => (title === null ? lines : [title, ...lines]));
  const shown = all.filter((line) => told.has(line));
  const left = lists.flatMap(({ group, title, facts, lines }) => {
    const shownOf = lines.filter((line) => told.has(line)).length;
    const missing = title === null ? (shownOf === 0 ? facts : 0) : facts - shownOf;
    if (missing === 0) return [];
    return title === null && group.most === 1 ? group.called : `${group.called} (${missing})`;
  });
  return { text: [HEAD, ...shown.map(({ text }) => text)].join('\n'), left };
}

/** What the summary tells by itself: it lists the user's messages, and what was said last. */
const OWN_TO_SUMMARY: ReadonlySet<FactKey> = new Set<FactKey>(['earlier', 'others', 'answer']);

/** Facts for the summariser as plain text: whole lines as far as they fit, the most needed first; null where nothing is known. */
export function composeSummariserFacts(
  ledger: Ledger,
  options: { root: string | null; checkpoint: string | null; bytes: number },
): string | null {
  const groups = rankFacts(ledger, options.root).filter(({ key }) => !OWN_TO_SUMMARY.has(key));
  if (groups.length === 0) return null;
  const lists = groups.map(listOf);
  // What is left out is named at the end, which takes room from the rest: again, until both fit.
  for (let reserved = 0; ; ) {
    const { text, left } = fillBytes(lists, options.bytes - reserved);
    const closing = closingLine(left, options.checkpoint);
    const whole = closing === null ? text : `${text}\n${closing}`;
    if (bytesIn(whole) <= options.bytes || reserved >= options.bytes) return whole;
    reserved = Math.max(reserved + 1, bytesIn(whole) - bytesIn(text));
  }
}
