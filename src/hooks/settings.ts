// The settings have changed, or are not known yet: read from their files, with what the rules come to at a prompt.
import type { Resolved } from '../config/snapshot.ts';
import { redact } from '../model/redact.ts';
import type { Env } from '../store/paths.ts';
import { qualityReinforcement } from '../tags/quality-reinforcement.ts';

/** Settings as the hooks need them: rules as the words that are said, made once for all prompts until a file changes. */
export async function settingsAnew(root: string | null, env: Env): Promise<Resolved> {
  const { loadSettings } = await import('../config/load.ts');
  const resolved = loadSettings(root, env);
  // Before what does not fit is left out: half a secret is not known for one.
  const rules = resolved.rules.map((rule) => ({ ...rule, content: redact(rule.content) }));
  const { text } = qualityReinforcement(rules);
  // Examples are for `guard test`; no hook reads them.
  const settings = { ...resolved.settings, 'guardrails.examples': [] };
  return { ...resolved, settings, rules: [], reinforcement: text };
}
