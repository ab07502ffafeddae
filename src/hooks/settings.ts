// The settings have changed, or are not known yet: read from their files, with what the rules come to at a prompt.
import type { Resolved } from '../config/snapshot.ts';
import type { Env } from '../store/paths.ts';
import { qualityReinforcement } from '../tags/quality-reinforcement.ts';

/** Settings as the hooks need them: rules as the words that are said, made once for all prompts until a file changes. */
export async function settingsAnew(root: string | null, env: Env): Promise<Resolved> {
  const { loadSettings } = await import('../config/load.ts');
  const resolved = loadSettings(root, env);
  return { ...resolved, rules: [], reinforcement: qualityReinforcement(resolved.rules).text };
}
