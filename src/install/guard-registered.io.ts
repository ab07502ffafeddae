// Tells whether the hook before a tool call is registered for the calls that the settings want guarded.

import type { ProjectContext } from '../cli/project.io.ts';
import { claudeCodeHook } from '../hosts/claude-code/hook.io.ts';
import { findGuardedCalls } from '../settings/read-guardrails.ts';
import { listWanted, readAllSettings } from './settings-file.io.ts';

/** What to do first, in one line; null where the hooks are as the settings want them. */
export function guardHookNote(place: ProjectContext): string | null {
  const guarded = findGuardedCalls(place.resolved.settings);
  const registered = readAllSettings(place).filter(({ installed }) => installed.length > 0);
  if (registered.length === 0) {
    return guarded === 'none'
      ? null
      : 'no settings ask for the hook before a call: run "plimsoll init", unless the plugin brings it (Claude Code 2.1.287 and later)';
  }
  const lines = registered.flatMap(({ scope, installed }) => {
    const given = { clientVersion: null, installed, node: process.execPath };
    const wanted = listWanted(place, scope, given).find(({ event }) => event === claudeCodeHook.beforeTool);
    const own = installed.find(({ event }) => event === claudeCodeHook.beforeTool);
    const init = `run "plimsoll init${scope === 'local' ? '' : ` --scope ${scope}`}"`;
    if (wanted === undefined)
      return own === undefined ? [] : [`the hook before each call has nothing to do any more: ${init}`];
    if (own === undefined) return [`no call is judged until the hook before it is registered: ${init}`];
    return own.matcher === wanted.matcher
      ? []
      : [`the hook is not run before all calls that are meant: ${init}`];
  });
  return lines[0] ?? null;
}
