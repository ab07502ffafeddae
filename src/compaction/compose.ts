// Composes every message about the work from one ledger: the same facts in the same words, ranked, within a budget.
import { BUDGETS, estimateTokens, fitLines, type Line } from '../tags/budget.ts';
import { inline } from '../tags/escape.ts';
import { say } from '../tags/lines.ts';
import { type FactGroup, type FactKey, rankFacts, type ToldFact } from './facts.ts';
import type { Ledger } from './ledger.ts';

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

function linesOf(given: FactGroup, { length, count }: Room): Line[] {
  const facts = given.facts.filter(({ isExtra }) => !isExtra || count > 1);
  if (facts.length === 0) return [];
  const group = { ...given, facts };
  const { key, label, called, rank } = group;
  const shown = pickFacts(group, Math.max(1, Math.round(group.most * count)));
  const left = facts.length - shown.length;
  const texts = shown.map(
    ({ voice = '', text, short, tokens }) => `${voice}${say(short ?? text, Math.round(tokens * length))}`,
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
export const factLines = (
  ledger: Ledger,
  root: string | null,
  room: Room = { length: 1, count: 1 },
): Line[] => rankFacts(ledger, root).flatMap((group) => linesOf(group, room));

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
export function budgetFor(ledger: Ledger, root: string | null, most: number): number {
  const needed = rankFacts(ledger, root)
    .filter(({ key }) => SAID_BY_PERSON.has(key))
    .flatMap((group) => linesOf(group, { length: 1, count: 1 }))
    .reduce((sum, { text }) => sum + estimateTokens(text) + 1, 0);
  return Math.min(Math.max(most, BUDGETS.alert), BUDGETS.alert + Math.max(0, needed - REQUIRED_TOKENS));
}

/** The last line of a message: the commands that show what was cut, and what was said. */
export const wholeLine = (checkpoint: string | null): Line => ({
  text:
    checkpoint === null
      ? 'To search what was said before: plimsoll recall WORDS'
      : `Whole: plimsoll checkpoint show ${inline(checkpoint)}; search what was said before: plimsoll recall WORDS`,
  rank: 0,
});

/** Puts lines into a tag and fits them; what is left out is named above the last line. */
export function compose(tag: string, lines: readonly Line[], last: Line, budget: number): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const inner = fitLines([...lines, last], budget - estimateTokens(`${open}\n\n${close}`), null);
  return `${open}\n${inner}\n${close}`;
}

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Where the rest is, and of what there is more: so many facts of each kind that did not fit. */
function closingLine(left: readonly string[], checkpoint: string | null): string | null {
  const command = checkpoint === null ? null : `plimsoll checkpoint show ${inline(checkpoint)}`;
  if (left.length === 0) return command === null ? null : `Checkpoint: ${command}`;
  return `Left out for length: ${left.join(', ')}${command === null ? '' : `; whole: ${command}`}`;
}

/** The lines that fit, in the order of worth, and how many facts of each kind do not. */
function fillBytes(groups: readonly FactGroup[], room: number): { text: string; left: string[] } {
  let text = 'Facts to keep word for word in the summary:';
  const left: string[] = [];
  for (const group of groups) {
    const most = Math.min(group.most, 12);
    const lines = linesOf({ ...group, most }, { length: 0.8, count: 1 });
    const told = group.facts.filter(({ isExtra }) => !isExtra).length;
    const isList = lines[0]?.isTitle === true;
    // What a list has more than is told of it counts with what does not fit.
    const facts = isList ? lines.slice(1, 1 + Math.min(told, most)) : lines;
    let shown = 0;
    for (const line of facts) {
      const title = isList && shown === 0 ? `\n${lines[0]?.text}` : '';
      const added = `${title}\n${line.text}`;
      if (bytesIn(text + added) > room) continue;
      text += added;
      shown += 1;
    }
    const missing = isList ? told - shown : shown === 0 ? told : 0;
    if (missing > 0) left.push(!isList && group.most === 1 ? group.called : `${group.called} (${missing})`);
  }
  return { text, left };
}

/** Facts for the summariser as plain text: whole lines as far as they fit, the most needed first; null where nothing is known. */
export function composeSummariserFacts(
  ledger: Ledger,
  options: { root: string | null; checkpoint: string | null; bytes: number },
): string | null {
  const groups = rankFacts(ledger, options.root).filter(({ key }) => key !== 'others' && key !== 'answer');
  if (groups.length === 0) return null;
  // What is left out is named at the end, which takes room from the rest: again, until both fit.
  for (let reserved = 0; ; ) {
    const { text, left } = fillBytes(groups, options.bytes - reserved);
    const closing = closingLine(left, options.checkpoint);
    const whole = closing === null ? text : `${text}\n${closing}`;
    if (bytesIn(whole) <= options.bytes || reserved >= options.bytes) return whole;
    reserved = Math.max(reserved + 1, bytesIn(whole) - bytesIn(text));
  }
}
