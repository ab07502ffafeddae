// Behind a tool near a rise: does the transcript show already what the tool's own answer has filled?
import { attempt } from '../model/attempt.ts';
import { holdsAll } from '../store/transcript.ts';
import type { Call, Look } from './look.ts';

/**
 * Whether the answer that made these calls stands in the part of the file that was looked at, or the client itself told
 * of it: it does so before the tools run.
 */
export function isCurrent(call: Call, look: Look | null): boolean {
  const { event } = call;
  const { transcript } = event;
  if (look?.assessment.reading.source === 'feed') return true;
  const end = look?.scan?.end ?? Number.POSITIVE_INFINITY;
  if (event.kind !== 'after-tool' || transcript === null) return true;
  return attempt(call, 'transcript', () => holdsAll(transcript, event.calls, end)) ?? true;
}
