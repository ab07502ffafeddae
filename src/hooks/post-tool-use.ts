// A tool, or a batch of tools, has run: an alert still owed, and a tier that has risen since it was last said.
import type { Outcome } from '../model/outcome.ts';
import { pause } from '../store/pause.ts';
import { housekeeping } from './housekeeping.ts';
import { type Call, isRiseNear, type Look } from './look.ts';
import { lookAt } from './look-anew.ts';
import { monitorParts } from './monitor.ts';
import { owedParts } from './owed.ts';
import { isCurrent } from './steady.ts';

/** The client writes its lines in batches about 100 ms apart. */
const FLUSH_MS = 120;
const POLL_MS = 6;

/**
 * A fast tool is done before the client has written the answer that called it, and the fill seen is one answer old.
 * Where that answer may have raised the tier it is waited for, a moment; everywhere else the next look will do.
 */
function currentLook(call: Call, look: Look): Look {
  // Of a conversation seen for the first time nothing is known yet: its first answer may be a large one (a resume).
  const isNew = look.state === null && look.assessment.tier === null;
  if (!(isRiseNear(look) || isNew) || isCurrent(call, look.scan?.end)) return look;
  for (let waited = 0; waited < FLUSH_MS && !isCurrent(call); waited += POLL_MS) pause(POLL_MS);
  return lookAt(call);
}

export async function postToolUse(call: Call, seen: Look, channel: string): Promise<Outcome> {
  const look = currentLook(call, seen);
  return [
    ...housekeeping(call, look),
    ...(await owedParts(call, look, channel)),
    ...(await monitorParts(call, look, 'mid-turn')),
  ];
}
