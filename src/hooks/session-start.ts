// A conversation begins, or goes on after a compaction. After a compaction the agent is re-oriented at once: what is
// said here stands in the very next request.
import { endedStretch, epochAtCompaction, startOf } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { Outcome } from '../model/outcome.ts';
import { markOf } from '../model/transcript-line.ts';
import { attemptAsync } from './attempt.ts';
import type { Call, Look } from './look.ts';

type SessionStart = Extract<Event, { kind: 'session-start' }>;

export async function sessionStart(call: Call, event: SessionStart, look: Look): Promise<Outcome> {
  if (event.source !== 'compact') return [];
  const { state, scan, epoch } = look;
  const { number, unflushed } = epochAtCompaction(state, scan?.facts ?? null, scan?.end ?? 0, call.now);
  // The stretch that was compacted: up to the boundary where it is in the file already, else all since the last one.
  const isFlushed = unflushed === null;
  const stretch = isFlushed ? endedStretch(epoch) : { from: startOf(epoch) };
  const mark = markOf(event.model);
  const part = await attemptAsync(call, 'compaction-alert', async () => {
    const { alertPart } = await import('./alert.ts');
    return alertPart(call, look, {
      epoch: number,
      unflushed,
      tries: 1,
      checkpoint: state?.pending?.checkpoint ?? null,
      channel: 'SessionStart',
      stretch,
      marks: mark === null ? {} : { [mark.model]: mark.isMarked },
    });
  });
  return part === null ? [] : [part];
}
