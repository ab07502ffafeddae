// Reads the client's settings files of all scopes and our hooks in each, and asks before a change.

import { join } from 'node:path';
import type { Output } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { findSettingsPath, readSettingsText } from '../hosts/claude-code/install/files.io.ts';
import { listRegistrations, type Registration } from '../hosts/claude-code/install/hooks.ts';
import type { SettingsScope } from '../hosts/claude-code/install/registration-findings.ts';
import { listUserPaths } from '../platform/project/paths.ts';
import { findGuardedCalls } from '../settings/read-guardrails.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { findFault, readInstalled } from './settings-text.ts';

/** Asks a person a yes-or-no question. */
export type Ask = (question: string) => Promise<boolean>;

/** Asks a person for a line of text; null when they cancel. */
export type AskText = (question: string, suggested: string) => Promise<string | null>;

/** What a person answers; null where nobody is asked. @throws PlimsollError when they cancel */
export async function askPerson(
  options: { yes?: boolean; dryRun?: boolean; json?: boolean },
  output: Output,
  askText: AskText,
  { question, suggested }: { question: string; suggested: readonly string[] },
): Promise<string | null> {
  if (options.yes || options.dryRun || options.json || !output.isInteractive()) return null;
  const said = await askText(question, suggested.join(', '));
  if (said !== null) return said;
  throw new PlimsollError('declined', 'Nothing was changed', {
    hint: 'run the command again when you are ready',
  });
}

export function findSettingsRoot(place: ProjectContext, scope: SettingsScope): string {
  if (scope === 'user') return place.cwd;
  if (place.root !== null) return place.root;
  throw new PlimsollError('no-project', 'The home folder and "/" are no projects', {
    hint: 'go to a project and run plimsoll init there, or use --scope user for all projects',
  });
}

/** Reads the settings' text without its BOM, which is returned separately, so that edits see JSON and the file keeps it. */
export function readSettings(path: string, place: ProjectContext): { text: string | null; bom: string } {
  const raw = readSettingsText(place.root, path, place.env);
  const bom = raw?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = raw?.slice(bom.length) ?? null;
  const fault = text === null || text.trim() === '' ? null : findFault(text);
  if (fault === null) return { text, bom };
  throw new PlimsollError(
    'invalid',
    `Cannot read the client's settings "${displayPath(path, place)}", ${fault}`,
    {
      hint: 'mend that place (the file is JSON without comments), then run the command again; nothing was changed',
    },
  );
}

export async function confirm(
  question: string,
  options: { yes?: boolean },
  output: Output,
  ask: Ask,
  look = 'with --dry-run to see the change',
): Promise<void> {
  if (options.yes) return;
  if (!output.isInteractive()) {
    throw new PlimsollError('usage', 'Nobody can be asked here: this is no terminal', {
      hint: `run it again with --yes to accept, or ${look} only`,
    });
  }
  if (!(await ask(question)))
    throw new PlimsollError('declined', 'Nothing was changed', {
      hint: 'run the command again when you are ready',
    });
}

/** Parses a settings text; {} where it is no JSON object. */
export function parseSettings(text: string | null): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The content of a settings file, as far as it can be read. */
export interface ScopeSettings {
  scope: SettingsScope;
  path: string;
  /** Text without a BOM, or null. */
  text: string | null;
  /** Why it cannot be read, or null. */
  fault: string | null;
  installed: Registration[];
}

function settingsIn(place: ProjectContext, scope: SettingsScope, path: string): ScopeSettings {
  try {
    const text = readSettingsText(place.root, path, place.env)?.replace(/^\uFEFF/, '') ?? null;
    const fault = text === null || text.trim() === '' ? null : findFault(text);
    return { scope, path, text, fault, installed: text === null ? [] : readInstalled(text) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { scope, path, text: null, fault, installed: [] };
  }
}

/** Reads the settings of all scopes that apply here, the nearest first; never throws. */
export const readAllSettings = (place: ProjectContext): ScopeSettings[] =>
  (['local', 'project', 'user'] as const)
    .filter((scope) => scope === 'user' || place.root !== null)
    .map((scope) => settingsIn(place, scope, findSettingsPath(scope, place.root ?? place.cwd, place.env)));

/** Settings of other scopes that hold our hooks: they run beside those of this scope. */
export const listOthersInForce = (place: ProjectContext, scope: SettingsScope): ScopeSettings[] =>
  readAllSettings(place).filter((each) => each.scope !== scope && each.installed.length > 0);

/** The path of a file in the bundle that settings point to. */
export const findBundleFile = (place: ProjectContext, name: string): string =>
  join(listUserPaths(place.env).current, name);

/** The path of the hooks' entry in the bundle. */
export const findBundleEntry = (place: ProjectContext): string => findBundleFile(place, 'hook.cjs');

/** The hooks that this version registers in a scope. */
export const listWanted = (
  place: ProjectContext,
  scope: SettingsScope,
  given: { clientVersion: string | null; installed: readonly Registration[]; node: string },
): Registration[] =>
  listRegistrations({
    guarded: findGuardedCalls(place.resolved.settings),
    ...given,
    bundle: findBundleEntry(place),
    windows: process.platform === 'win32',
    isShared: scope === 'project',
  });
