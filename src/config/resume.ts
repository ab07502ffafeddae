// Picks the settings of the handoff to a new session.
import type { ResumeSettings } from '../model/resume.ts';
import type { Settings } from './settings.ts';

export const resumeSettings = (settings: Settings): ResumeSettings => ({
  auto: settings['resume.auto'],
  headless: settings['resume.headless'],
  maxAgeHours: settings['resume.max_age_hours'],
});
