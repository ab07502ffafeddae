// Reads the settings from their files, with the project's rules as the text that is injected at a prompt.

import { qualityReinforcement } from '../addons/rules/quality-reinforcement.ts';
import type { Env } from '../platform/project/paths.ts';
import type { Resolved } from '../settings/settings-snapshot.io.ts';
import { redact } from '../text/redact.ts';

/** Settings as hooks need them: the rules are rendered once, for all prompts until a file changes. */
export async function settingsAnew(root: string | null, env: Env): Promise<Resolved> {
  const { loadSettings } = await import('../settings/load.io.ts');
  const resolved = loadSettings(root, env);
  // Redacted before the text is cut, because half a secret is not recognised.
  const rules = resolved.rules.map((rule) => ({ ...rule, content: redact(rule.content) }));
  const { text } = qualityReinforcement(rules);
  // Examples are for `guard test`; no hook reads them.
  const settings = { ...resolved.settings, 'guardrails.examples': [] };
  return { ...resolved, settings, rules: [], reinforcement: text };
}
