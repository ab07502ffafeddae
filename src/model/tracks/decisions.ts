// Finds the decisions that the block does not have yet; those that stand there are never rewritten.
import { type BlockContent, isKept, keptText } from './block-entries.ts';
import type { Decision } from './entry.ts';
import { withId } from './ids.ts';
import { byTime, type Statement } from './statement.ts';

/** The same for a decision that got its id later. */
const contentOf = ({ at, text, reason, impact }: Decision): string =>
  JSON.stringify([at, text, reason, impact]);

/**
 * Decisions that were said and are not in the block, by time, each once; with ids.
 *
 * @param known the block as it stands; a decision is known by its evidence, however its text was edited there
 */
export function newDecisions(
  known: BlockContent<Decision>,
  statements: readonly Statement<Decision>[],
  next: () => string,
): Statement<Decision>[] {
  const kept = known.pieces.filter(isKept);
  const digests = new Set(kept.flatMap((each) => each.evidence.map(({ digest }) => digest)));
  const contents = new Set(kept.map((each) => contentOf(each.entry)));
  const added: Statement<Decision>[] = [];
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
export const decisionsText = (added: readonly Statement<Decision>[], eol: string): string =>
  added.map(({ entry, evidence }) => keptText({ entry, evidence: [evidence], indent: '' }, eol)).join('');
