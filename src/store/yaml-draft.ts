// What does planning an edit of a YAML text need to know, and how is one refused?
import type { Node, YAMLMap, YAMLSeq } from 'yaml';
import type { Path } from '../model/edits.ts';
import { type Entry, rangeOf } from './yaml-nodes.ts';
import type { Remarks } from './yaml-render.ts';
import type { YamlStyle } from './yaml-style.ts';

/** An edit that a text does not allow without harm. */
export class EditRefused extends Error {
  readonly offset: number;
  readonly hint: string;
  constructor(message: string, offset: number, hint: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}

/** What a place is part of. */
export interface Holder {
  node: YAMLMap | YAMLSeq;
  entry: Entry | null;
  index: number;
}

/** All that planning an edit needs to know. */
export interface Draft {
  text: string;
  style: YamlStyle;
  /** Order of the keys of a map, where there is a customary one. */
  order: (path: Path) => readonly string[];
  remarks: Remarks;
}

export interface Found {
  node: Node | null;
  holder: Holder | null;
  inBrackets: boolean;
}

export const named = (path: Path): string => (path.length === 0 ? 'the document' : `"${path.join('.')}"`);

/** Refuses with what stands in the way at a place. */
export function refuse(path: Path, node: unknown, because: string): never {
  throw new EditRefused(
    `${named(path)} ${because}`,
    rangeOf(node)[0],
    'change it by hand, or write it line by line',
  );
}
