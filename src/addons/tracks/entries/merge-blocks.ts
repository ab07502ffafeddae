// Computes the new content of a block from all statements, by the rule of each kind.

import {
  type BlockContent,
  type BlockItem,
  formatContent,
  formatManaged,
  isManaged,
  type ManagedEntry,
} from './block-entries.ts';
import { BLOCKS, type BlockName } from './blocks.ts';
import type { DecisionEntry, InvariantEntry, RiskEntry, TaskEntry, TrackEntry } from './entry.ts';
import { idsAfter, withId } from './ids.ts';
import { mergeEntries } from './merge-entries.ts';
import { byTime, type Evidence, type Statement } from './statement.ts';
import { textLines } from './text-lines.ts';

/** Severity, status and text are the later ones; a mitigation stays, where nothing is said of it. */
const mergeRisk = (known: RiskEntry, said: RiskEntry): RiskEntry => ({
  ...said,
  mitigation: said.mitigation ?? known.mitigation,
});

/** State and text are the later ones; what it must do to be accepted stays, where nothing is said of that. */
const mergeTask = (known: TaskEntry, said: TaskEntry): TaskEntry => ({
  ...said,
  acceptance: said.acceptance.length > 0 ? said.acceptance : known.acceptance,
});

/** An invariant has nothing but its text. */
const mergeInvariant = (_: InvariantEntry, said: InvariantEntry): InvariantEntry => said;

const BULLET = /^\s*(?:[-*+]|\d+[.)]) +(?:Invariant: +)?(?:\[I-[A-Za-z0-9]{1,12}\] +)?/;

/**
 * Those of which no line of the texts is the very words.
 *
 * @param texts files of the core tier, without our blocks
 */
function notAccepted(
  statements: readonly Statement<InvariantEntry>[],
  texts: readonly string[],
): Statement<InvariantEntry>[] {
  if (statements.length === 0) return [];
  const accepted = new Set(
    texts.flatMap((text) => textLines(text).map((line) => line.text.replace(BULLET, '').trim())),
  );
  return statements.filter(({ entry }) => !accepted.has(entry.text));
}

/** The same for a decision that got its id later. */
const contentOf = ({ at, text, reason, impact }: DecisionEntry): string =>
  JSON.stringify([at, text, reason, impact]);

/**
 * Decisions that were said and are not in the block, by time, each once; with ids.
 *
 * @param known the block as it stands; a decision is known by its evidence, however its text was edited there
 */
function newDecisions(
  known: BlockContent<DecisionEntry>,
  statements: readonly Statement<DecisionEntry>[],
  next: () => string,
): Statement<DecisionEntry>[] {
  const kept = known.pieces.filter(isManaged);
  const digests = new Set(kept.flatMap((each) => each.evidence.map(({ digest }) => digest)));
  const contents = new Set(kept.map((each) => contentOf(each.entry)));
  const added: Statement<DecisionEntry>[] = [];
  for (const statement of [...statements].sort(byTime)) {
    const content = contentOf(statement.entry);
    if (digests.has(statement.evidence.digest) || contents.has(content)) continue;
    digests.add(statement.evidence.digest);
    contents.add(content);
    added.push({ ...statement, entry: withId(statement.entry, next) });
  }
  return added;
}

/** Decisions as they are appended to the block. */
const decisionsText = (added: readonly Statement<DecisionEntry>[], eol: string): string =>
  added
    .map(({ entry, evidence }) => formatManaged({ entry, evidence: [evidence], indent: '' }, eol))
    .join('');

/** A block as it is to be: how many entries it holds, and its text once it is known where the evidence stands. */
export interface MergedBlock {
  count: number;
  text: (lineNow: (evidence: Evidence) => number) => string;
}

/** A block as it was read. */
export interface ExistingBlock {
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
  { content, text, eol }: ExistingBlock,
  said: readonly Statement<DecisionEntry>[],
  next: () => string,
): MergedBlock {
  const added = newDecisions(content as BlockContent<DecisionEntry>, said, next);
  return {
    count: content.pieces.filter(isManaged).length + added.length,
    text: (lineNow) =>
      text +
      decisionsText(
        added.map((each) => ({ ...each, evidence: moved(each.evidence, lineNow) })),
        eol,
      ),
  };
}

function settleOthers<E extends TrackEntry>(
  { content, eol }: ExistingBlock,
  said: readonly Statement<E>[],
  by: Parameters<typeof mergeEntries<E>>[2],
): MergedBlock {
  const pieces = mergeEntries(content.pieces as BlockItem<E>[], said, by);
  return {
    count: pieces.filter(isManaged).length,
    text: (lineNow) => {
      const placed = pieces.map((piece) =>
        isManaged(piece)
          ? ({
              ...piece,
              evidence: piece.evidence.map((each) => moved(each, lineNow)),
            } satisfies ManagedEntry)
          : piece,
      );
      return formatContent(placed, eol);
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
export function mergeBlocks(
  standing: ExistingBlock,
  statements: readonly Statement[],
  accepted: readonly string[],
  taken: ReadonlySet<string>,
): MergedBlock {
  const kind = BLOCKS[standing.name];
  const said = statements.filter(({ entry }) => entry.kind === kind);
  const known = standing.content.pieces.filter(isManaged).map(({ entry }) => entry.id);
  const isTaken = ({ evidence }: Statement): boolean => taken.has(evidence.digest);
  const next = idsAfter(kind, [...known, ...said.map(({ entry }) => entry.id)]);
  switch (standing.name) {
    case 'plan':
      return settleOthers(standing, said as Statement<TaskEntry>[], { merge: mergeTask, next, isTaken });
    case 'risks':
      return settleOthers(standing, said as Statement<RiskEntry>[], { merge: mergeRisk, next, isTaken });
    case 'decisions':
      return settleDecisions(standing, said as Statement<DecisionEntry>[], next);
    case 'invariants': {
      // What the block has already stays in it: only new ones are looked for.
      const held = new Set(standing.content.pieces.filter(isManaged).map(({ entry }) => entry.text));
      const open = notAccepted(said as Statement<InvariantEntry>[], accepted);
      const all = (said as Statement<InvariantEntry>[]).filter(
        (each) => held.has(each.entry.text) || open.includes(each),
      );
      return settleOthers(standing, all, { merge: mergeInvariant, next, isTaken });
    }
  }
}
