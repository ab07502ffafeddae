// Registers the project's rules: said at every prompt and at a start, shown by the status, and checked.
import type { Addon } from '../addon.ts';
import { readQualityContext, readReinforcement } from './read-rules.io.ts';

export const rules: Addon = {
  readPromptText: readReinforcement,
  startMessage: { name: 'quality-context', read: readQualityContext },
  loadChecks: async () => [(await import('./check-rules.io.ts')).rulesCheck],
  loadStatus: async () => (await import('./check-rules.io.ts')).rulesStatus,
};
