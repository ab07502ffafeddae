// Reads the options of the guardrails out of the settings.
import { buildOptions, type GivenOptions, type GuardrailOptions } from './guardrail-options.ts';
import type { Settings } from './settings.ts';

/** The options of a project: its settings on top of the preset. */
export const readGuardrailOptions = (settings: Settings): GuardrailOptions =>
  buildOptions({
    mode: settings['guardrails.mode'],
    preset: settings['guardrails.preset'],
    strict: settings['guardrails.strict'],
    tools: settings['guardrails.tools'],
    commands: settings['guardrails.commands'],
    paths: settings['guardrails.paths'],
    governance: settings['guardrails.governance'],
    architecture: settings['guardrails.architecture'],
    // The cast is safe: a settings file cannot hold "undefined", so an unset key is absent.
  } as GivenOptions);

/** Which tool calls the guardrails check: all where tools are named, else those that may change something; none while they are off. */
export function findGuardedCalls(settings: Settings): 'changes' | 'all' | 'none' {
  if (settings['guardrails.mode'] === 'off') return 'none';
  const { allow = [], deny = [] } = settings['guardrails.tools'];
  return allow.length + deny.length > 0 ? 'all' : 'changes';
}
