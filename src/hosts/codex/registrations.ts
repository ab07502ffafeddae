// The hooks that Codex is asked to run, and whether the person trusts them: Codex runs none before that, and says nothing.

import type { HookPlace, HookRegistration } from '../host-entry.ts';
import { CODEX_HOOKS } from './hooks.ts';

/** The command of a hook: silent where the bundle or Node is gone, and the same for every version, since Codex trusts it by its text. */
const commandOf = (event: string): string =>
  `f="\${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/hook.cjs"; [ -f "$f" ] && command -v node >/dev/null 2>&1 || exit 0; exec node "$f" ${event} --host codex`;

export const CODEX_REGISTRATIONS: HookRegistration[] = CODEX_HOOKS.map((event) => ({
  event,
  command: commandOf(event),
  // Codex gives the hooks of an end 3 s at the most, and tells the person of more in each session.
  timeout: event === 'SessionEnd' ? 3 : 5,
}));

/** `PostToolUse` as Codex's own settings name it. */
const keyOf = (event: string): string =>
  event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * The events of our hooks that the person has not trusted yet, as far as Codex's settings tell: there Codex notes each hook that
 * is trusted, by its file and its place in it. Whether it has changed since, only Codex can say.
 */
export const listUntrusted = (config: string, file: string, places: readonly HookPlace[]): string[] =>
  places
    .filter(({ event, group, hook }) => {
      const key = `${file}:${keyOf(event)}:${group}:${hook}`;
      const heads = [JSON.stringify(key), `'${key}'`].map((quoted) => `[hooks.state.${quoted}]`);
      const at = heads.map((head) => config.indexOf(head)).find((found) => found >= 0);
      if (at === undefined) return true;
      const [table = ''] = config.slice(config.indexOf('\n', at) + 1).split(/^\[/m, 1);
      return !/^trusted_hash\s*=/m.test(table) || /^enabled\s*=\s*false/m.test(table);
    })
    .map(({ event }) => event);
