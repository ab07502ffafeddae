// What an add-on registers: what it says at prompts and starts, its commands, lines of the status, and checks of files.
import type { Command } from 'commander';
import type { Check } from '../cli/check-port.io.ts';
import type { CliContext, StatusSection } from '../cli/context.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { Settings } from '../settings/settings.ts';
import type { SettingProblem, Stamp } from '../settings/settings-snapshot.io.ts';
import * as registry from './registry.ts';

/** A text for every prompt, which is kept with the settings until one of the stamped files changes. */
export interface PromptText {
  text: string | null;
  problems: SettingProblem[];
  stamps: Stamp[];
}

/**
 * A part of the product that can be deleted: its folder, and its one line in registry.ts. What is named `load…` is for the
 * command line: hooks do not hold it.
 */
export interface Addon {
  readPromptText?: (paths: ProjectPaths, settings: Settings) => PromptText;
  /** What a session is told at its start, beside its state; null for nothing. */
  startMessage?: { name: string; read: (hook: HookContext) => string | null };
  loadCommands?: () => Promise<(root: Command, cli: CliContext) => void>;
  /** What `plimsoll check` asks of files. */
  loadChecks?: () => Promise<readonly Check[]>;
  loadStatus?: () => Promise<StatusSection>;
}

/** All add-ons that are there, in the order of their names. */
export const ADDONS: readonly Addon[] = Object.values(registry);

/** Loads what they have of a kind, in their order. */
export const loadAll = <T>(load: (addon: Addon) => Promise<T> | undefined): Promise<T[]> =>
  Promise.all(ADDONS.flatMap((addon) => load(addon) ?? []));
