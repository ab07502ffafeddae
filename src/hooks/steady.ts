// Nothing has changed, but more than the short line is due, or a rise is near: what then, without loading it all?
import { formatReply } from '../agents/claude-code.ts';
import { attempt } from '../model/attempt.ts';
import { sectionStanding } from '../model/staleness.ts';
import { hasOrchestration } from '../store/orchestration.ts';
import { holdsAll } from '../store/transcript.ts';
import { contextMonitor } from '../tags/context-monitor.ts';
import { type Call, isRise, isRiseNear, isSaid, type Look, withRules } from './look.ts';

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

/** The tag for this look, whether short or full; null when the fill is unknown. */
export function monitorTag(
  call: Call,
  look: Look,
  options: { checkpoint: { id: string; at: string } | null; warnStandard: boolean },
): string | null {
  const { settings } = call.resolved;
  const { checkpoint } = options;
  const file = look.state?.workflow_file ?? null;
  const hasFile =
    file !== null ||
    attempt(call, 'orchestration file', () =>
      hasOrchestration(call.paths.root, call.event.cwd, settings['orchestration.path']),
    ) === true;
  return contextMonitor(
    {
      assessment: look.assessment,
      compactions: look.epoch.number,
      checkpoint: checkpoint && {
        id: checkpoint.id,
        age_s: Math.max(0, (call.now - Date.parse(checkpoint.at)) / 1000),
      },
      hasOrchestration: hasFile,
      resumption: file && sectionStanding(file, call.now, look.state?.started ?? null),
      operationTokens: settings['context_monitor.operation_tokens'],
      criticality: settings['context_monitor.criticality'] ?? 'C2',
    },
    options.warnStandard,
  );
}

/**
 * The answer where nothing has changed: at a prompt at WARNING or above the full tag again, after a tool nothing when
 * the file is current. Undefined when that is not how things are: then `attend` decides.
 */
export function steadyReply(call: Call, look: Look, name: string): string | null | undefined {
  const { tier } = look.assessment;
  const { settings } = call.resolved;
  if (tier === null) return undefined;
  if (call.event.kind === 'after-tool') {
    return isRise(look) || (isRiseNear(look) && !isCurrent(call, look)) ? undefined : null;
  }
  if (!isSaid(look, tier)) return undefined;
  const isSpoken = settings['context_monitor.enabled'] && settings['context_monitor.emit'] === 'always';
  const checkpoint = look.state?.last_checkpoint ?? null;
  const tag = isSpoken ? monitorTag(call, look, { checkpoint, warnStandard: false }) : null;
  return formatReply(name, { context: withRules(call, tag), person: [] });
}
