// Detects how the author of a YAML text writes (indentation, quotes, lists), so that new text looks the same.
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  visit,
  type YAMLSeq,
} from 'yaml';
import { detectEol } from '../../../text/text-edits.ts';
import { columnOf, dashOf, isNothing, rangeOf } from './yaml-nodes.ts';

export type Quote = 'double' | 'single' | 'plain';

export interface YamlStyle {
  eol: '\n' | '\r\n';
  /** Columns that a map below a key is indented by. */
  step: number;
  /** Columns that a dash below a key is indented by. */
  dash: number;
  /** Columns from a dash to its value. */
  gap: number;
  quote: Quote;
  /** Whether lists of plain values are written in brackets. */
  brackets: boolean;
}

/** Longer lists are written in lines because of their length, which tells nothing about short ones. */
const SHORT = 60;

const QUOTES: Record<string, Quote> = {
  [Scalar.QUOTE_DOUBLE]: 'double',
  [Scalar.QUOTE_SINGLE]: 'single',
  [Scalar.PLAIN]: 'plain',
};

/** The value with the most votes; the first one wins a tie. */
function most<T>(votes: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const vote of votes) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

interface Votes {
  step: number[];
  dash: number[];
  gap: number[];
  quote: Quote[];
  brackets: boolean[];
}

function votesIn(text: string, root: Document.Parsed | Node | null): Votes {
  const votes: Votes = { step: [], dash: [], gap: [], quote: [], brackets: [] };
  if (root === null) return votes;
  const voteForQuote = (node: unknown): void => {
    const quote = isScalar(node) && typeof node.value === 'string' ? QUOTES[node.type ?? ''] : undefined;
    if (quote !== undefined) votes.quote.push(quote);
  };
  visit(root as Node, {
    Map: (_, map) => {
      const own = columnOf(map);
      for (const { value } of map.items as Pair[]) {
        voteForQuote(value);
        const inner = columnOf(value);
        if (own === null || inner === null) continue;
        if (isMap(value)) votes.step.push(inner - own);
        else votes.dash.push(inner - own);
      }
    },
    Seq: (_, list) => {
      const own = columnOf(list);
      list.items.forEach((item, index) => {
        voteForQuote(item);
        const dash = dashOf(list as YAMLSeq, index)?.dash;
        const from = rangeOf(item)[0];
        if (dash !== undefined && !isNothing(item) && !text.slice(dash, from).includes('\n'))
          votes.gap.push(from - dash);
      });
      const isShort = rangeOf(list)[1] - rangeOf(list)[0] <= SHORT;
      if (list.items.length > 0 && isShort && list.items.every((each) => isScalar(each)))
        votes.brackets.push(own === null);
    },
  });
  return votes;
}

/** The style of a section, or of the document where the section does not show it. */
export function detectStyle(text: string, document: Document.Parsed | null, section: unknown): YamlStyle {
  const near = votesIn(text, isMap(section) || isSeq(section) ? section : null);
  const far = votesIn(text, document);
  const step = most(near.step) ?? most(far.step) ?? 2;
  return {
    eol: detectEol(text),
    step,
    dash: most(near.dash) ?? most(far.dash) ?? step,
    gap: most(near.gap) ?? most(far.gap) ?? 2,
    quote: most(near.quote) ?? most(far.quote) ?? 'double',
    brackets: most(near.brackets) ?? most(far.brackets) ?? true,
  };
}
