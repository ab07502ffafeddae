// Tells whether the usage that was read includes the answer that called the tools which have just run.

import type { SessionSnapshot } from '../context/context-status.ts';
import { holdsAll } from '../hosts/transcript.io.ts';
import { tryStep } from '../platform/project/try-step.ts';
import type { FastContext } from './snapshot.io.ts';

/**
 * Whether the part of the transcript that was read holds the answer that made these calls, or the client itself
 * reported the usage, which it does before the tools run.
 */
export function isCurrent(hook: FastContext, snapshot: SessionSnapshot | null): boolean {
  const { event } = hook;
  const { transcript } = event;
  if (snapshot?.assessment.reading.source === 'client') return true;
  const end = snapshot?.scan?.end ?? Number.POSITIVE_INFINITY;
  if (event.kind !== 'after-tool' || transcript === null) return true;
  return tryStep(hook, 'transcript', () => holdsAll(transcript, event.calls, end)) ?? true;
}
