// Nothing has changed, but more than the short line is due at a prompt: what then, without loading it all?
import { contextReply } from '../agents/claude-code.ts';
import { attempt } from '../model/attempt.ts';
import { sectionStanding } from '../model/staleness.ts';
import { hasOrchestration } from '../store/orchestration.ts';
import { contextMonitor } from '../tags/context-monitor.ts';
import { type Call, isSaid, isSaidAnyhow, type Look, withRules } from './look.ts';

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
 * The answer to a prompt where nothing has changed, at WARNING or above: the full tag again. Undefined when that is not how
 * things are: then `attend` decides.
 */
export function steadyReply(call: Call, look: Look, name: string): string | null | undefined {
  const { tier } = look.assessment;
  if (tier === null) return undefined;
  if (!isSaid(look, tier)) return undefined;
  const checkpoint = look.state?.last_checkpoint ?? null;
  const tag = isSaidAnyhow(call) ? monitorTag(call, look, { checkpoint, warnStandard: false }) : null;
  return contextReply(name, withRules(call, tag));
}
