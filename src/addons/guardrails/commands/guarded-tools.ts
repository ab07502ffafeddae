// Tells which tool calls the guardrails of a project check.
import type { Settings } from '../../../settings/settings.ts';

/** None unless guardrails are on; all where tools are named, else those that may change something. */
export function guardedBy(settings: Settings): 'changes' | 'all' | 'none' {
  if (settings['guardrails.mode'] === 'off') return 'none';
  const { allow = [], deny = [] } = settings['guardrails.tools'];
  return allow.length + deny.length > 0 ? 'all' : 'changes';
}
