// Checks that every decision referred to by its id (`D-001`) exists.
import { withoutCode } from '../markdown.ts';
import { type Check, filesOf } from './check.ts';

const REFERENCE = /(?<![\w-])D-\d{1,5}(?![\w-])/g;
/** Foreign lists of decisions: an id that begins a heading, an item or a row. */
const DEFINED = /^[\s#|>*+\-_[(]*(?:\d+[.)]\s+)?[*_`[(]*(D-\d{1,5})(?![\w-])/;

export const checkDecisions: Check = (texts) => {
  const known = new Set([
    ...filesOf(texts).flatMap(({ entries }) =>
      entries.entries.flatMap(({ kind, id }) => (kind === 'decision' && id !== null ? [id] : [])),
    ),
    // Only the beginning of a line: what comes later is no list of ours.
    ...texts.decisions.lines.flatMap(({ text }) => DEFINED.exec(text.trimStart().slice(0, 60))?.[1] ?? []),
  ]);
  return filesOf(texts).flatMap(({ path, lines }) =>
    lines.flatMap(({ text, line }) =>
      [...new Set(withoutCode(text).match(REFERENCE) ?? [])]
        .filter((id) => !known.has(id))
        .map((id) => ({
          file: path,
          line,
          message: `decision ${id} is referred to and nowhere noted`,
          next: `note it in ${texts.decisions.path}, or take the reference out`,
        })),
    ),
  );
};
