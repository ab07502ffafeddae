// The settings have changed, or are not known yet: read from their files, with what the rules come to at a prompt.
import { loadSettings } from '../config/load.ts';
import type { Resolved } from '../config/snapshot.ts';
import type { Env } from '../store/paths.ts';
import { qualityReinforcement } from '../tags/quality-reinforcement.ts';

/** Settings as the hooks need them: rules as the words that are said, made once for all prompts until a file changes. */
export function settingsAnew(root: string | null, env: Env): Resolved {
  const resolved = loadSettings(root, env);
  return { ...resolved, rules: [], reinforcement: qualityReinforcement(resolved.rules).text };
}
