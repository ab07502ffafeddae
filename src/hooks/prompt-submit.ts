// The user has submitted a prompt: an alert still owed, then the fill.
import type { Outcome } from '../model/outcome.ts';
import { housekeeping } from './housekeeping.ts';
import type { Call, Look } from './look.ts';
import { monitorParts } from './monitor.ts';
import { owedParts, resumptionOwed } from './owed.ts';

export async function promptSubmit(call: Call, look: Look): Promise<Outcome> {
  return [
    ...housekeeping(call, look),
    ...(await owedParts(call, look, 'UserPromptSubmit')),
    ...(await resumptionOwed(call, look, 'UserPromptSubmit')),
    ...(await monitorParts(call, look, 'prompt')),
  ];
}
