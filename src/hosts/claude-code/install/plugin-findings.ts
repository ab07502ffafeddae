// Checks that the client can load the plugin that brings the hooks.
import { type DoctorFinding, error, type Formatter, info, ok } from '../../../doctor/finding.ts';

export interface PluginFacts {
  /** As the client names it: `name@marketplace`. */
  id: string;
  /** The folder that the client would read it from, where that is gone; null: it is there. */
  gone: string | null;
}

const unguarded = (who: string): DoctorFinding =>
  error(
    'hooks',
    `guardrails are on, and ${who} does not ask for PreToolUse: no call is judged`,
    'plimsoll init',
  );

/** The hooks come by a plugin that this one session was started with. */
export const handPluginFindings = (isGuarded: boolean): DoctorFinding[] => [
  isGuarded
    ? unguarded('the plugin that claude was started with (--plugin-dir)')
    : info(
        'hooks',
        'of the plugin that claude was started with (--plugin-dir); a session without it has none',
        'plimsoll init, to have them always',
      ),
];

/** The hooks come by the plugin alone. */
export function pluginFindings(
  { id, gone }: PluginFacts,
  isGuarded: boolean,
  words: Formatter,
): DoctorFinding[] {
  if (gone !== null)
    return [
      error(
        'hooks',
        `the plugin ${id} is enabled, but the client reads it from ${words.path(gone)}, which is gone: nothing of it runs`,
        'put the folder back, or say where it lies now: claude plugin marketplace add FOLDER',
      ),
    ];
  return isGuarded ? [unguarded(`the plugin ${id}`)] : [ok('hooks', `registered by the plugin ${id}`)];
}
