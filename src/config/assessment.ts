// Which settings judge a fill, once preset and explicit thresholds are put together?
import type { AssessmentSettings } from '../model/assessment.ts';
import { OPERATION_TOKENS, PRESETS } from '../model/tier.ts';
import type { Settings } from './settings.ts';

export function assessmentSettings(settings: Settings): AssessmentSettings {
  const preset = PRESETS[settings['context_monitor.criticality'] ?? 'C2'];
  return {
    basis: settings['context_monitor.basis'],
    mode: settings['context_monitor.mode'],
    thresholds: {
      low: settings['context_monitor.low_threshold'] ?? preset.low,
      warning: settings['context_monitor.warning_threshold'] ?? preset.warning,
      critical: settings['context_monitor.critical_threshold'] ?? preset.critical,
      emergency: settings['context_monitor.emergency_threshold'] ?? preset.emergency,
    },
    windowTokens: settings['context_monitor.window_tokens'],
    compactionPoint: settings['context_monitor.compaction_point'],
    operationTokens: settings['context_monitor.operation_tokens'] ?? OPERATION_TOKENS,
    modelWindows: settings['context_monitor.model_windows'],
  };
}
