// Builds the guardrail options of a project from its settings.
import { type GivenOptions, type GuardrailOptions, optionsOf } from '../addons/guardrails/options.ts';
import type { Settings } from './settings.ts';

/** The options of a project: its settings on top of the preset. */
export const guardrailOptions = (settings: Settings): GuardrailOptions =>
  optionsOf({
    mode: settings['guardrails.mode'],
    preset: settings['guardrails.preset'],
    strict: settings['guardrails.strict'],
    tools: settings['guardrails.tools'],
    paths: settings['guardrails.paths'],
    governance: settings['guardrails.governance'],
    architecture: settings['guardrails.architecture'],
    // The cast is safe: a settings file cannot hold "undefined", so an unset key is absent.
  } as GivenOptions);
