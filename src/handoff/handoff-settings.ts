// Picks the settings of the handoff to a new session.

import type { Settings } from '../settings/settings.ts';
import type { ResumeSettings } from './decide-handoff.ts';

export const resumeSettings = (settings: Settings): ResumeSettings => ({
  auto: settings['resume.auto'],
  headless: settings['resume.headless'],
  maxAgeHours: settings['resume.max_age_hours'],
});
