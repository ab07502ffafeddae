// Does the client load the plugin that brings the hooks?
import { type Finding, fault, ok, type Words } from './finding.ts';

export interface PluginFacts {
  /** As the client names it: `name@marketplace`. */
  id: string;
  /** The folder that the client would read it from, where that is gone; null: it is there. */
  gone: string | null;
}

/** The hooks come by the plugin alone. */
export function pluginFindings({ id, gone }: PluginFacts, isGuarded: boolean, words: Words): Finding[] {
  if (gone !== null)
    return [
      fault(
        'hooks',
        `the plugin ${id} is enabled, but the client reads it from ${words.path(gone)}, which is gone: nothing of it runs`,
        'put the folder back, or say where it lies now: claude plugin marketplace add FOLDER',
      ),
    ];
  return isGuarded
    ? [
        fault(
          'hooks',
          `guardrails are on, and the plugin ${id} does not ask for PreToolUse: no call is judged`,
          'plimsoll init',
        ),
      ]
    : [ok('hooks', `registered by the plugin ${id}`)];
}
