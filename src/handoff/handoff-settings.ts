// Picks the settings of the handoff to a new session.

import type { Settings } from '../settings/settings.ts';
import type { HandoffSettings } from './decide-handoff.ts';

export const readHandoffSettings = (settings: Settings): HandoffSettings => ({
  auto: settings['resume.auto'],
  headless: settings['resume.headless'],
  maxAgeHours: settings['resume.max_age_hours'],
});
