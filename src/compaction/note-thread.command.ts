// Runs `plimsoll note TEXT`: keeps the text in the ledger, which tells it after a compaction and in the next session.

import { type Output, stripControls, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { keepNote, standingFor } from './checkpoint/checkpoint-create.command.ts';

export interface ThreadNoteOptions {
  session?: string;
  json?: boolean;
}

/** Keeps a text for the named session, else the one in whose shell this runs, else the newest of this project. */
export function noteInThread(
  place: ProjectContext,
  text: string | undefined,
  options: ThreadNoteOptions,
  output: Output,
): void {
  const words = text?.trim() ?? '';
  if (words === '')
    throw new PlimsollError('usage', 'Nothing to note', {
      hint: 'plimsoll note "port 4711 is taken by the old server"; a track has "plimsoll note decision …"',
    });
  const standing = standingFor(place, options);
  const faults: string[] = [];
  keepNote(place, standing, words, (part, error) => {
    faults.push(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (faults.length > 0)
    throw new PlimsollError('failed', `Nothing was noted. ${faults.join('; ')}`, { hint: 'plimsoll doctor' });
  if (options.json) output.print(toJson({ session_id: standing.id, text: words }));
  else
    output.print(
      `Noted for session ${standing.id}: ${stripControls(words)}\nIt comes back after a compaction, and in the next session.`,
    );
}
