// How is our status line put into the client's settings and taken out again, with the one that was there kept?

import { applyEdits, modify, parse } from 'jsonc-parser';
import {
  isAnyOfOurs,
  isOurLine,
  lineProgram,
  type StatusLineSetting,
  statusLineCommand,
  statusLineIn,
  type Wrapped,
  wrappedIn,
} from '../agents/claude-code-statusline.ts';
import { isObject } from '../model/json.ts';
import type { LineFacts } from '../model/line-findings.ts';
import { redact } from '../model/redact.ts';
import { exists } from '../platform/look.ts';
import type { Scope } from '../store/client-files.ts';
import { readTrust } from '../store/trust.ts';
import type { Place } from './place.ts';
import { allSettings, bundleFile, type ScopeSettings } from './settings-file.ts';
import { formatOf, withoutHooks } from './settings-text.ts';

/** The name of a project's own status line among what the user trusts. */
export const LINE = 'statusLine.command';

/** The status line that a settings text asks for, or null. */
export function lineIn(text: string | null): StatusLineSetting | null {
  const value: unknown = text === null || text.trim() === '' ? null : parse(text);
  return isObject(value) ? statusLineIn(value.statusLine) : null;
}

/** Whether a settings text has a status line that `init` put there. */
export const hasOurLine = (text: string | null): boolean => isOurLine(lineIn(text)?.command ?? '');

const change = (text: string, path: string[], value: unknown): string =>
  applyEdits(text, modify(text, path, value, { formattingOptions: formatOf(text) }));

/** Gives back the status line that was there, or none; everything else stays as it is, byte for byte. */
function withoutLine(text: string): string {
  const line = lineIn(text);
  if (line === null || !isOurLine(line.command)) return text;
  const wrapped = wrappedIn(line.command);
  return wrapped?.isOwn
    ? change(text, ['statusLine', 'command'], wrapped.command)
    : change(text, ['statusLine'], undefined);
}

/** A settings text without anything of ours. */
export const withoutOurs = (text: string): string => withoutLine(withoutHooks(text));

/** The status line of the project's own settings of the client, which everybody who clones it gets; null without one of others. */
export function committedLine(place: Place): { value: string; isTrusted: boolean } | null {
  const project = allSettings(place).find((each) => each.scope === 'project');
  const command = lineIn(project?.fault === null ? project.text : null)?.command ?? null;
  if (place.root === null || command === null) return null;
  const value = isOurLine(command) ? (wrappedIn(command)?.command ?? null) : command;
  if (value === null || isAnyOfOurs(value)) return null;
  return { value, isTrusted: readTrust(place.env, place.root)[LINE] === value };
}

export interface LineChange {
  /** What is shown above ours, or null. */
  wrapped: Wrapped | null;
  isChanged: boolean;
  /** The setting as it is to be. */
  setting: StatusLineSetting;
}

/**
 * The status line of ours for the settings of a scope, around the one that is in force there now; null where a command
 * written by hand starts ours already.
 *
 * @param weaker settings that those of this scope hide, the nearest first. A team's settings take over nobody's own.
 */
export function lineChange(
  place: Place,
  scope: Scope,
  text: string | null,
  weaker: readonly ScopeSettings[],
): LineChange | null {
  const present = lineIn(text);
  if (present !== null && !isOurLine(present.command) && isAnyOfOurs(present.command)) return null;
  const hidden =
    scope === 'project'
      ? null
      : (weaker.map((each) => lineIn(each.fault === null ? each.text : null)).find((line) => line !== null) ??
        null);
  const wrapped = (): Wrapped | null => {
    if (present !== null && !isOurLine(present.command)) return { command: present.command, isOwn: true };
    const kept = present === null ? null : wrappedIn(present.command);
    if (kept?.isOwn) return kept;
    // One of ours is not shown twice: what it wraps is.
    if (hidden === null) return kept;
    const command = isOurLine(hidden.command) ? (wrappedIn(hidden.command)?.command ?? null) : hidden.command;
    return command === null || isAnyOfOurs(command) ? null : { command, isOwn: false };
  };
  const found = wrapped();
  const setting: StatusLineSetting = {
    type: 'command',
    ...(present ?? hidden ?? {}),
    command: statusLineCommand({
      bundle: bundleFile(place, 'statusline.cjs'),
      node: process.execPath,
      windows: process.platform === 'win32',
      isShared: scope === 'project',
      wrapped: found,
    }),
  };
  return { wrapped: found, isChanged: present?.command !== setting.command, setting };
}

/** Puts our status line in; other keys of one that is there stay. */
export const withLine = (text: string, { setting }: LineChange): string =>
  lineIn(text) === null
    ? change(text.trim() === '' ? '{}\n' : text, ['statusLine'], setting)
    : change(text, ['statusLine', 'command'], setting.command);

/** What a command of ours wraps, as it may be shown. */
function redactedWrap(command: string): string | null {
  const wrapped = wrappedIn(command);
  return wrapped === null ? null : redact(wrapped.command);
}

/** What doctor looks at: the status lines of all settings that count here, the nearest first. */
export function lineFacts(place: Place, all: readonly ScopeSettings[]): LineFacts {
  const commands = all.map((each) => lineIn(each.fault === null ? each.text : null)?.command ?? '');
  const named = lineProgram(commands.find(isOurLine) ?? '');
  const path = named ?? bundleFile(place, 'statusline.cjs');
  return {
    lines: all.flatMap((each) => {
      const line = lineIn(each.fault === null ? each.text : null);
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
