// Puts the preset and explicit thresholds together into the settings by which context usage is assessed.
import type { AssessmentSettings } from '../context/assessment.ts';
import { PRESETS, TYPICAL_STEP_TOKENS } from '../context/tier.ts';
import type { Settings } from './settings.ts';

export const TIER_NAMES = ['low', 'warning', 'critical', 'emergency'] as const;
export const THRESHOLD_KEYS = TIER_NAMES.map((name) => `context_monitor.${name}_threshold` as const);

/** The preset of thresholds that is in force. */
export const findPreset = (settings: Settings) => settings['context_monitor.sensitivity'] ?? 'C2';

const ORDER = 'thresholds must rise from LOW to EMERGENCY';
export const isOrderFault = ({ message }: { message: string }): boolean => message.startsWith(ORDER);

/** Why these thresholds cannot be used: one is higher than the next; null when they rise. */
export function orderFault(settings: Settings): string | null {
  const preset = PRESETS[findPreset(settings)];
  const found = TIER_NAMES.map((name) => settings[`context_monitor.${name}_threshold`] ?? preset[name]);
  if (found.every((value, index) => index === 0 || value >= (found[index - 1] ?? 0))) return null;
  const names = TIER_NAMES.filter((name) => settings[`context_monitor.${name}_threshold`] === null);
  const taken = names.map((name) => name.toUpperCase()).join(', ');
  const whose = names.length === 0 ? '' : ` (${taken} of preset ${findPreset(settings)})`;
  return `${ORDER}, found ${found.join(', ')}${whose}`;
}

export function readAssessmentSettings(settings: Settings): AssessmentSettings {
  const preset = PRESETS[findPreset(settings)];
  const own = TIER_NAMES.flatMap((name) => {
    const set = settings[`context_monitor.${name}_threshold`];
    return set === null ? [] : [[name, set] as const];
  });
  return {
    thresholdBase: settings['context_monitor.threshold_base'],
    mode: settings['context_monitor.mode'],
    thresholds: { ...preset, ...Object.fromEntries(own) },
    ...(settings['context_monitor.sensitivity'] === null ? { ownThresholds: Object.fromEntries(own) } : {}),
    windowTokens: settings['context_monitor.window_tokens'],
    autoCompactAt: settings['context_monitor.auto_compact_at'],
    typicalStepTokens: settings['context_monitor.typical_step_tokens'] ?? TYPICAL_STEP_TOKENS,
    modelWindows: settings['context_monitor.model_windows'],
  };
}
