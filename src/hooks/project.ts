// What is a conversation told at its start, and after a compaction, of the project itself: its state, its quality rules?
import { basename } from 'node:path';
import { attempt } from '../model/attempt.ts';
import type { Part } from '../model/outcome.ts';
import { redact, redactDeep } from '../model/redact.ts';
import { isActive } from '../model/workflow-status.ts';
import { foreignText } from '../store/foreign.ts';
import { branchOf } from '../store/git.ts';
import { qualityPath, shownBelow } from '../store/paths.ts';
import { orchestrationIn } from '../store/take.ts';
import { projectContext } from '../tags/project-context.ts';
import { qualityContext } from '../tags/quality-context.ts';
import type { Call } from './look.ts';

/** The project's own quality rules; null where it has none. */
function qualityIn(call: Call): string | null {
  const quality = qualityPath(call.paths);
  const text = attempt(call, 'quality rules', () => foreignText(quality));
  // Before it is cut: half a secret is not known for one.
  return text === null ? null : qualityContext(redact(text), shownBelow(quality, call.paths.root));
}

/** Where the work stands; null where there is nothing that the client does not say itself. */
function projectIn(call: Call, isConfigured: boolean): string | null {
  const { paths, event, resolved } = call;
  if (paths.root === null) return null;
  const place = { paths, cwd: event.cwd, orchestration: resolved.settings['orchestration.path'] };
  const state = attempt(call, 'orchestration file', () => orchestrationIn(place))?.state ?? null;
  const workflow = isActive(state?.workflow_status) ? state : null;
  if (workflow === null && !isConfigured) return null;
  const facts = redactDeep({
    name: basename(paths.root),
    branch: attempt(call, 'git', () => branchOf(event.cwd)),
    workflow,
    state: shownBelow(paths.state, paths.root),
  });
  return projectContext(facts);
}

/** `<project-context>` and `<quality-context>`: only for a project that has a workflow under way, or quality rules. */
export function projectParts(call: Call): Part[] {
  const quality = qualityIn(call);
  const project = projectIn(call, quality !== null);
  const said = (name: string, context: string | null): Part[] =>
    context === null ? [] : [{ name, say: () => ({ context }) }];
  return [...said('project-context', project), ...said('quality-context', quality)];
}
