// Types for planning an edit of a YAML text, and the error for an edit that the text does not allow.
import type { Node, YAMLMap, YAMLSeq } from 'yaml';
import type { Path } from '../../../text/data-diff.ts';
import { rangeOf, type YamlEntry } from './yaml-nodes.ts';
import type { Remarks } from './yaml-render.ts';
import type { YamlStyle } from './yaml-style.ts';

/** Thrown for an edit that a text does not allow without harm. */
export class YamlEditRefused extends Error {
  readonly offset: number;
  readonly hint: string;
  constructor(message: string, offset: number, hint: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}

/** The collection that a node is part of, and its position there. */
export interface Holder {
  node: YAMLMap | YAMLSeq;
  entry: YamlEntry | null;
  index: number;
}

/** The context for planning an edit. */
export interface EditContext {
  text: string;
  style: YamlStyle;
  /** The customary order of the keys of a map. */
  order: (path: Path) => readonly string[];
  remarks: Remarks;
}

export interface FoundNode {
  node: Node | null;
  holder: Holder | null;
  inBrackets: boolean;
}

export const named = (path: Path): string => (path.length === 0 ? 'the document' : `"${path.join('.')}"`);

/** Throws with the reason why a path cannot be edited. */
export function refuse(path: Path, node: unknown, because: string): never {
  throw new YamlEditRefused(
    `${named(path)} ${because}`,
    rangeOf(node)[0],
    'change it by hand, or write it line by line',
  );
}
