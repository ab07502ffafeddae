// A fact that a text may have to tell, and how calls name files and commands.

import { type ProbedCall, TOOL } from '../hosts/claude-code/replay/read-talk.ts';
import { normalizeSpace } from './same-command.ts';

// Finds the sentences of a request that constrain the work: rules, corrections, wishes for how.
const CHARACTERS = 600;
const ANYWHERE =
  /\b(?:don['’]t|do not|never|always|instead|rather than|must|mustn['’]t|avoid|prefer|make sure|no need)\b/i;
const PASTED = /[{};]|[\u2500-\u257f]|^[|*]|:=|=>|^at |\/\//;

/** Whether more than three quarters of a text are letters, blanks and commas. */
const isProse = (text: string): boolean => (text.match(/[\p{L}\s,]/gu)?.length ?? 0) > text.length * 0.75;

function constrains(sentence: string): boolean {
  if (ANYWHERE.test(sentence)) return true;
  if (/^no\b/i.test(sentence)) return true;
  if (sentence.endsWith('?')) return false;
  const words = sentence
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
  const among = (names: readonly string[], first: number, list: readonly string[] = words): boolean =>
    list.slice(0, first).some((word) => names.includes(word));
  if (among(['should', "shouldn't"], 4)) return true;
  if (among(['use', 'keep', 'stop', 'revert'], 3)) return true;
  return sentence
    .split(/[,;:] /)
    .some((part) => among(['only', 'not', 'without'], 2, part.toLowerCase().split(/\s+/)));
}

/** The sentences of a request that say how the work is to be done. */
export function findConstraints(request: string): string[] {
  if (request.startsWith('/') || request.startsWith('Implement the following plan:')) return [];
  return request
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .slice(0, CHARACTERS)
    .split(/(?<=[.!?])\s+|\n/)
    .map((part) => normalizeSpace(part.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '')))
    .filter(
      (sentence) =>
        sentence.length >= 12 &&
        sentence.length <= 400 &&
        isProse(sentence) &&
        !PASTED.test(sentence) &&
        constrains(sentence),
    );
}

export const FACT_KINDS = [
  'files written',
  'files read',
  'failing commands',
  'their errors',
  'check commands',
  'other commands',
  'ids, ports, URLs',
  'last request',
  'open tasks',
  'call under way',
  'answers',
  'accepted plan',
  'standing rules',
  'corrections',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface ProbeFact {
  kind: FactKind;
  /** What it is: a path, a command, a sentence. */
  value: string;
  /** Any of these in a text tells the fact; as words where they are names. */
  told: { text: string; isWord: boolean }[];
  /** What else says when it is needed: the id of a task, the command of an error, the file of a plan. */
  of?: string;
}

const BEGINNING = 60;

/** The beginning of a text tells it; a name or a command only as a whole word. */
export const toldByBeginning = (value: string, isWord = false): ProbeFact['told'] => {
  const text = normalizeSpace(value);
  return [{ text: text.slice(0, BEGINNING).trim(), isWord: isWord && text.length < BEGINNING }];
};

export const findPath = ({ input }: ProbedCall): string =>
  typeof input.file_path === 'string'
    ? input.file_path
    : typeof input.notebook_path === 'string'
      ? input.notebook_path
      : '';
export const findCommand = ({ tool, input }: ProbedCall): string =>
  tool === TOOL.shell && typeof input.command === 'string' ? input.command : '';
