// How is everything silenced at once, for a project or one conversation, and how does it speak again?

import { ensureStateFolder, remove, replaceFile } from '../store/atomic.ts';
import { transcriptOf } from '../store/client-files.ts';
import { patchConversation, readConversation } from '../store/conversations.ts';
import { scanWhole } from '../store/transcript.ts';
import { type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';

export interface SwitchOptions {
  /** An id, or true for the conversation that this command runs in. */
  session?: string | true;
  json?: boolean;
}

function sessionOf(place: Place, session: string | true): string {
  const id = session === true ? place.env.CLAUDE_CODE_SESSION_ID : session;
  if (id) return id;
  throw new UserError('No conversation is named, and this command does not run inside one', {
    hint: 'name it: --session ID (plimsoll status shows ids)',
    code: 2,
  });
}

export function switchTo(on: boolean, place: Place, options: SwitchOptions, output: Output): void {
  const word = on ? 'on' : 'off';
  if (options.session !== undefined) {
    const id = sessionOf(place, options.session);
    const known = readConversation(place.paths, id);
    const transcript = known === null ? transcriptOf(id, place.env) : null;
    const scan = transcript === null ? null : scanWhole(transcript.path);
    const boundaries = scan?.facts.boundaries ?? [];
    patchConversation(place.paths, id, {
      off: !on,
      // Compactions before this moment are no news for a conversation that is seen for the first time.
      ...(scan === null
        ? {}
        : {
            epoch: boundaries.length,
            seen: {
              offset: scan.end,
              boundaries: boundaries.length,
              last: boundaries.at(-1)?.offset ?? null,
            },
          }),
    });
    output.print(
      options.json ? toJson({ state: word, session_id: id }) : `Plimsoll is ${word} for conversation ${id}.`,
    );
    return;
  }
  if (on) remove(place.paths.off);
  else {
    ensureStateFolder(place.paths.state);
    replaceFile(place.paths.off, `${new Date(place.now).toISOString()}\n`);
  }
  output.print(
    options.json
      ? toJson({ state: word, root: place.root })
      : on
        ? 'Plimsoll is on for this project.'
        : 'Plimsoll is off for this project: nothing is said or written until "plimsoll on".',
  );
}
