// Computes the new content of a block from all statements, by the rule of each kind.
import { type BlockContent, contentText, isKept, type Kept, type Piece } from './block-entries.ts';
import type { BlockName } from './blocks.ts';
import { BLOCKS } from './blocks.ts';
import { decisionsText, newDecisions } from './decisions.ts';
import type { Decision, Entry, Invariant, Risk, Task } from './entry.ts';
import { idsAfter } from './ids.ts';
import { mergeInvariant, notAccepted } from './invariants.ts';
import { mergeTask } from './plan.ts';
import { mergeRisk } from './risks.ts';
import type { Evidence, Statement } from './statement.ts';
import { upsert } from './upsert.ts';

/** A block as it is to be: how many entries it holds, and its text once it is known where the evidence stands. */
export interface Settled {
  count: number;
  text: (lineNow: (evidence: Evidence) => number) => string;
}

/** A block as it was read. */
export interface Standing {
  name: BlockName;
  content: BlockContent;
  /** The content as it stands in the file. */
  text: string;
  /** How lines end there. */
  eol: string;
}

const moved = (evidence: Evidence, lineNow: (evidence: Evidence) => number): Evidence => ({
  ...evidence,
  line: lineNow(evidence),
});

function settleDecisions(
  { content, text, eol }: Standing,
  said: readonly Statement<Decision>[],
  next: () => string,
): Settled {
  const added = newDecisions(content as BlockContent<Decision>, said, next);
  return {
    count: content.pieces.filter(isKept).length + added.length,
    text: (lineNow) =>
      text +
      decisionsText(
        added.map((each) => ({ ...each, evidence: moved(each.evidence, lineNow) })),
        eol,
      ),
  };
}

function settleOthers<E extends Entry>(
  { content, eol }: Standing,
  said: readonly Statement<E>[],
  by: Parameters<typeof upsert<E>>[2],
): Settled {
  const pieces = upsert(content.pieces as Piece<E>[], said, by);
  return {
    count: pieces.filter(isKept).length,
    text: (lineNow) => {
      const placed = pieces.map((piece) =>
        isKept(piece)
          ? ({ ...piece, evidence: piece.evidence.map((each) => moved(each, lineNow)) } satisfies Kept)
          : piece,
      );
      return contentText(placed, eol);
    },
  };
}

/**
 * Settles a block.
 *
 * @param statements of all kinds, by time
 * @param accepted texts in which an invariant may stand that needs no proposal any more
 * @param taken digests of what was taken before and, where it is not in the block, struck; a decision is never struck
 */
export function settle(
  standing: Standing,
  statements: readonly Statement[],
  accepted: readonly string[],
  taken: ReadonlySet<string>,
): Settled {
  const kind = BLOCKS[standing.name];
  const said = statements.filter(({ entry }) => entry.kind === kind);
  const known = standing.content.pieces.filter(isKept).map(({ entry }) => entry.id);
  const isTaken = ({ evidence }: Statement): boolean => taken.has(evidence.digest);
  const next = idsAfter(kind, [...known, ...said.map(({ entry }) => entry.id)]);
  switch (standing.name) {
    case 'plan':
      return settleOthers(standing, said as Statement<Task>[], { merge: mergeTask, next, isTaken });
    case 'risks':
      return settleOthers(standing, said as Statement<Risk>[], { merge: mergeRisk, next, isTaken });
    case 'decisions':
      return settleDecisions(standing, said as Statement<Decision>[], next);
    case 'invariants': {
      // What the block has already stays in it: only new ones are looked for.
      const held = new Set(standing.content.pieces.filter(isKept).map(({ entry }) => entry.text));
      const open = notAccepted(said as Statement<Invariant>[], accepted);
      const all = (said as Statement<Invariant>[]).filter(
        (each) => held.has(each.entry.text) || open.includes(each),
      );
      return settleOthers(standing, all, { merge: mergeInvariant, next, isTaken });
    }
  }
}
