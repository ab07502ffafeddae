// Finds the sentences of a request that constrain the work: rules, corrections, wishes for how.
import { normalizeSpace } from './same-command.ts';

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
