// Which rules are tool calls judged by?
import { type GivenOptions, type GuardrailOptions, optionsOf } from '../model/guardrails/options.ts';
import type { Settings } from './settings.ts';

/** The options of a project: what its settings give, over the preset. */
export const guardrailOptions = (settings: Settings): GuardrailOptions =>
  optionsOf({
    mode: settings['guardrails.mode'],
    preset: settings['guardrails.preset'],
    strict: settings['guardrails.strict'],
    tools: settings['guardrails.tools'],
    paths: settings['guardrails.paths'],
    governance: settings['guardrails.governance'],
    architecture: settings['guardrails.architecture'],
    // A key that is not written is not there: no settings file can say "undefined".
  } as GivenOptions);
