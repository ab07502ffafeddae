// A tool, or a batch of tools, has run: an alert still owed, and a tier that has risen since it was last said.
import type { Outcome } from '../model/outcome.ts';
import { housekeeping } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { monitorParts } from './monitor.ts';
import { owedParts, resumptionOwed } from './owed.ts';

export async function postToolUse(call: Call, look: Look, channel: string): Promise<Outcome> {
  return [
    ...housekeeping(call, look),
    ...(await owedParts(call, look, channel)),
    ...(await resumptionOwed(call, look, channel)),
    ...(await monitorParts(call, look, 'mid-turn')),
  ];
}
