// Reads tracks of the layout `conductor/tracks/<id>/` (spec.md, plan.md, metadata.json) and never changes them.
import { isObject, type Json } from '../json.ts';

export const CONDUCTOR_FOLDER = 'conductor/tracks';
export const CONDUCTOR_INDEX = 'conductor/tracks.md';

export interface Metadata {
  /** What it says of the track, in one line; null where it says nothing. */
  description: string | null;
  /** Its word for the status. Shown beside ours and never believed: in practice nobody keeps it. */
  status: string | null;
  /** Why it cannot be read; null when it can, or is not there. */
  fault: string | null;
}

const word = (value: Json[string]): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : null;

/** Reads a metadata.json as it comes: with a byte order mark, with other keys, or broken. */
export function metadataIn(text: string | null): Metadata {
  if (text === null) return { description: null, status: null, fault: null };
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isObject(value)) return { description: null, status: null, fault: 'no JSON object' };
    return {
      description: word(value.description) ?? word(value.title) ?? word(value.name),
      status: word(value.status),
      fault: null,
    };
  } catch {
    return { description: null, status: null, fault: 'no valid JSON' };
  }
}

export interface Indexed {
  id: string;
  title: string | null;
}

/**
 * The tracks that an index names: a heading or an item with a box, and below it, or in it, a link to the track's folder.
 * Ids are names of folders, and never lead elsewhere.
 */
export function indexedIn(text: string | null): Indexed[] {
  const found = new Map<string, Indexed>();
  let title: string | null = null;
  for (const line of (text ?? '').replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const head = /^\s*(?:#{1,6}|[-*+])\s+\[.\]\s+(?:\*\*)?(?:Track:\s*)?(.+?)(?:\*\*)?\s*$/.exec(line)?.[1];
    if (head !== undefined) title = head.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const id = /\]\((?:\.?\/)*(?:conductor\/)?tracks\/([A-Za-z0-9][\w.-]{0,127})\/?(?:index\.md)?\)/.exec(
      line,
    )?.[1];
    if (id === undefined) continue;
    found.set(id, { id, title });
    title = null;
  }
  return [...found.values()];
}
