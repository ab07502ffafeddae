// Writes an entry as the one bullet that `parseEntries` reads back to the same entry.
import { BOXES, FIELDS, type FieldName, findLabel, type TrackEntry } from './entry.ts';

/** What a field of an entry says, none when it says nothing. */
function values(entry: TrackEntry, name: FieldName): readonly string[] {
  const value = (entry as unknown as Partial<Record<FieldName, string | readonly string[] | null>>)[name];
  if (value === undefined || value === null) return [];
  return typeof value === 'string' ? [value] : value;
}

/**
 * Lines of an entry, without line ends: the bullet, then one indented bullet for each field. A task's state is its box.
 * `but`: fields that are not written.
 */
export function formatEntry(entry: TrackEntry, but: readonly FieldName[] = []): string[] {
  const box = entry.kind === 'task' ? `[${BOXES[entry.state]}] ` : '';
  const id = entry.id === null ? '' : `[${entry.id}] `;
  const lines = [`- ${box}${findLabel(entry.kind)}: ${id}${entry.text}`];
  for (const { name } of FIELDS[entry.kind]) {
    if (name === 'state' || but.includes(name)) continue;
    for (const value of values(entry, name)) lines.push(`  - ${findLabel(name)}: ${value}`);
  }
  return lines;
}
