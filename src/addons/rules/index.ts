// Registers the check of the rules that are repeated at every prompt.
import type { Addon } from '../addon.ts';

export const rules: Addon = {
  loadChecks: async () => [(await import('./check-rules.io.ts')).rules],
};
