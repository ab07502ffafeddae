// Tells whether the usage that was read includes the answer that called the tools which have just run.
import { tryStep } from '../model/try-step.ts';
import { holdsAll } from '../store/transcript.ts';
import type { Call, Look } from './look.ts';

/**
 * Whether the part of the transcript that was read holds the answer that made these calls, or the client itself
 * reported the usage, which it does before the tools run.
 */
export function isCurrent(call: Call, look: Look | null): boolean {
  const { event } = call;
  const { transcript } = event;
  if (look?.assessment.reading.source === 'feed') return true;
  const end = look?.scan?.end ?? Number.POSITIVE_INFINITY;
  if (event.kind !== 'after-tool' || transcript === null) return true;
  return tryStep(call, 'transcript', () => holdsAll(transcript, event.calls, end)) ?? true;
}
