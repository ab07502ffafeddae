// Reads the settings from their files, as hooks need them.
import type { Env } from '../platform/project/paths.ts';
import type { Resolved } from '../settings/settings-snapshot.io.ts';

/** Reads all settings of a project anew. */
export async function reloadSettings(root: string | null, env: Env): Promise<Resolved> {
  const { loadSettings } = await import('../settings/load.io.ts');
  const resolved = loadSettings(root, env);
  // Examples are for `guard test`; no hook reads them.
  return { ...resolved, settings: { ...resolved.settings, 'guardrails.examples': [] } };
}
