// Puts our status line into the client's settings and takes it out again, and keeps the user's earlier one.

import { parse } from 'jsonc-parser';
import type { ProjectContext } from '../cli/project.io.ts';
import type { SettingsScope } from '../hosts/claude-code/install/registration-findings.ts';
import type { LineFacts } from '../hosts/claude-code/statusline.ts';
import {
  findLineProgram,
  isAnyOfOurs,
  isOurLine,
  parseStatusLine,
  parseWrapped,
  type StatusLineSetting,
  statusLineCommand,
  type Wrapped,
} from '../hosts/claude-code/statusline.ts';
import { exists } from '../platform/look.ts';
import { readTrust } from '../settings/committed.io.ts';
import { isObject } from '../text/json.ts';
import { redact } from '../text/redact.ts';
import { removeValue, setValue } from './json-edits.ts';
import { findBundleFile, readAllSettings, type ScopeSettings } from './settings-file.io.ts';
import { withoutHooks } from './settings-text.ts';

/** The key of a project's own status line in what the user trusts. */
export const LINE = 'statusLine.command';

/** The status line in a settings text, or null. */
export function readStatusLine(text: string | null): StatusLineSetting | null {
  const value: unknown = text === null || text.trim() === '' ? null : parse(text);
  return isObject(value) ? parseStatusLine(value.statusLine) : null;
}

/** Whether a settings text has a status line that `init` put there. */
export const hasOurLine = (text: string | null): boolean => isOurLine(readStatusLine(text)?.command ?? '');

/** Puts the user's earlier status line back, or removes ours; everything else stays as it is, byte for byte. */
function withoutLine(text: string): string {
  const line = readStatusLine(text);
  if (line === null || !isOurLine(line.command)) return text;
  const wrapped = parseWrapped(line.command);
  return wrapped?.isOwn
    ? setValue(text, ['statusLine', 'command'], wrapped.command)
    : removeValue(text, ['statusLine']);
}

/** A settings text without anything of ours. @param before as `withoutHooks` has it */
export const withoutOurs = (text: string, before: string | null = null): string =>
  withoutLine(withoutHooks(text, before));

/** The status line in the project's committed client settings, which every clone gets; null where it has none but ours. */
export function findCommittedLine(place: ProjectContext): { value: string; isTrusted: boolean } | null {
  const project = readAllSettings(place).find((each) => each.scope === 'project');
  const command = readStatusLine(project?.fault === null ? project.text : null)?.command ?? null;
  if (place.root === null || command === null) return null;
  const value = isOurLine(command) ? (parseWrapped(command)?.command ?? null) : command;
  if (value === null || isAnyOfOurs(value)) return null;
  return { value, isTrusted: readTrust(place.env, place.root)[LINE] === value };
}

export interface LineChange {
  /** The status line that ours shows above itself, or null. */
  wrapped: Wrapped | null;
  isChanged: boolean;
  /** The new setting. */
  setting: StatusLineSetting;
}

/**
 * Our status line for the settings of a scope, wrapping the one that is in force there now; null where a hand-written
 * command starts ours already.
 *
 * @param weaker settings that those of this scope hide, the nearest first. A team's settings never wrap a user's own line.
 */
export function planLineChange(
  place: ProjectContext,
  scope: SettingsScope,
  text: string | null,
  weaker: readonly ScopeSettings[],
): LineChange | null {
  const present = readStatusLine(text);
  if (present !== null && !isOurLine(present.command) && isAnyOfOurs(present.command)) return null;
  const hidden =
    scope === 'project'
      ? null
      : (weaker
          .map((each) => readStatusLine(each.fault === null ? each.text : null))
          .find((line) => line !== null) ?? null);
  const wrapped = (): Wrapped | null => {
    if (present !== null && !isOurLine(present.command)) return { command: present.command, isOwn: true };
    const kept = present === null ? null : parseWrapped(present.command);
    if (kept?.isOwn) return kept;
    // Our own line is not wrapped a second time; the line that it wraps is.
    if (hidden === null) return kept;
    const command = isOurLine(hidden.command)
      ? (parseWrapped(hidden.command)?.command ?? null)
      : hidden.command;
    return command === null || isAnyOfOurs(command) ? null : { command, isOwn: false };
  };
  const found = wrapped();
  const setting: StatusLineSetting = {
    type: 'command',
    ...(present ?? hidden ?? {}),
    command: statusLineCommand({
      bundle: findBundleFile(place, 'statusline.cjs'),
      node: process.execPath,
      windows: process.platform === 'win32',
      isShared: scope === 'project',
      wrapped: found,
    }),
  };
  return { wrapped: found, isChanged: present?.command !== setting.command, setting };
}

/** Puts our status line in; the other keys of an existing one stay. */
export const withLine = (text: string, { setting }: LineChange): string =>
  readStatusLine(text) === null
    ? setValue(text.trim() === '' ? '{}\n' : text, ['statusLine'], setting)
    : setValue(text, ['statusLine', 'command'], setting.command);

/** The command that one of ours wraps, redacted for display. */
function redactedWrap(command: string): string | null {
  const wrapped = parseWrapped(command);
  return wrapped === null ? null : redact(wrapped.command);
}

/** Collects doctor's facts about the status lines of all settings that apply here, the nearest first. */
export function readLineFacts(place: ProjectContext, all: readonly ScopeSettings[]): LineFacts {
  const commands = all.map((each) => readStatusLine(each.fault === null ? each.text : null)?.command ?? '');
  const named = findLineProgram(commands.find(isOurLine) ?? '');
  const path = named ?? findBundleFile(place, 'statusline.cjs');
  return {
    lines: all.flatMap((each) => {
      const line = readStatusLine(each.fault === null ? each.text : null);
      return line === null
        ? []
        : [
            {
              scope: each.scope,
              path: each.path,
              isOurs: isOurLine(line.command),
              wraps: redactedWrap(line.command),
            },
          ];
    }),
    program: { path, exists: exists(path) },
  };
}
