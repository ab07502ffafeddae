// What an add-on registers: what it says at prompts and starts, what it does at tool calls, its commands, lines of the
// status, and checks of files.
import type { Command } from 'commander';
import type { Check } from '../cli/check-port.io.ts';
import type { CliContext, StatusSection } from '../cli/context.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, AddonEffect, Evaluation } from '../hook/action.ts';
import type { AfterToolContext, FastContext, GuardContext, HookContext } from '../hook/snapshot.io.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { type FailureSink, tryStepAsync } from '../platform/project/try-step.ts';
import type { SessionState } from '../sessions/session-state.ts';
import type { Resolved, SettingProblem, Stamp } from '../settings/resolved.ts';
import type { Settings } from '../settings/settings.ts';
import type { RankedLine } from '../text/budget.ts';
import * as registry from './registry.ts';
import type { WorkflowPort } from './workflow-port.ts';

/** A text for every prompt, which is kept with the settings until one of the stamped files changes. */
export interface PromptText {
  text: string | null;
  problems: SettingProblem[];
  stamps: Stamp[];
}

/** The session in a project that a track is active for. */
export interface TrackPlace {
  root: string;
  env: Env;
  paths: ProjectPaths;
  session: string | null;
}

/** When a hook asks what there is to do: at a start, where a session goes on, after a tool call, and so on. */
export type Moment =
  | 'start'
  | 'goes-on'
  | 'after-tool'
  /** A checkpoint is written at a rise of the tier. */
  | 'checkpoint'
  | 'before-compaction'
  | 'stop'
  | 'session-end';

/** A subagent's own transcript. */
export interface SubagentTranscript {
  path: string;
  agent: { id: string; type: string };
}

/**
 * A part of the product that can be deleted: its folder, and its one line in registry.ts. What is named `load…` is for the
 * command line: hooks do not hold it.
 */
export interface Addon {
  readPromptText?: (paths: ProjectPaths, settings: Settings) => PromptText;
  /** What a session is told at its start, beside its state; null for nothing. */
  startMessage?: { name: string; read: (hook: HookContext) => string | null };
  /** Whether a project uses it, else it is not asked; kept with the settings, so that hooks of other projects load nothing for it. */
  isUsed?: (settings: Settings, root: string | null) => boolean;
  /** Paths besides those of settings for whose change it is asked again whether a project uses it. */
  listStamped?: (root: string) => string[];
  /** Judges a tool call before it runs; prints an answer only against it. */
  beforeTool?: (hook: GuardContext, print: (text: string) => void) => Promise<void>;
  /** Whether a tool call has left something to do `after-tool`. */
  isDueAfterTool?: (hook: FastContext) => Promise<boolean>;
  actionsAt?: (moment: Moment, hook: HookContext, snapshot: SessionSnapshot) => Promise<Action[]>;
  /** Records a tool call that has run, also of a subagent; prints nothing. */
  recordTool?: (hook: AfterToolContext) => Promise<void>;
  /** What it does when a subagent has finished. */
  atSubagentStop?: (
    hook: HookContext,
    state: SessionState,
    wrote: SubagentTranscript | null,
  ) => Promise<Action[]>;
  /** What an alert says of it. */
  alertLines?: (hook: HookContext) => Promise<RankedLine[]>;
  /** The line of work that is active, and its folder. */
  readTrack?: (hook: HookContext) => { id: string; path: string } | null;
  /** What it does when a person takes a checkpoint; returns the name of what was brought up to date. */
  atCheckpoint?: (
    place: TrackPlace & { session: string },
    settings: Settings,
    onFailure: (part: string, error: unknown) => void,
  ) => Promise<string | null>;
  /** Applies an effect of its own actions. */
  applyEffect?: (effect: AddonEffect, paths: ProjectPaths) => Promise<void>;
  /** Gives what evaluates, once and only when it is asked, whether the active track is ready to be worked on. */
  findGate?: (place: TrackPlace, settings: Settings) => Promise<(() => Evaluation | null) | null>;
  /** Whether its rules, when they are enforced, forbid to write a file of a project. */
  loadForbidsWrite?: () => Promise<(file: string, root: string, settings: Settings, env: Env) => boolean>;
  /** The text of a file as `init` writes it over the one that is there; null for a file of others. */
  loadOwnFiles?: () => Promise<(path: string, before: () => string | null) => string | null>;
  /** Keeps a workflow in a file of the project. */
  workflow?: WorkflowPort;
  loadCommands?: () => Promise<(root: Command, cli: CliContext) => void>;
  /** What `plimsoll check` asks of files. */
  loadChecks?: () => Promise<readonly Check[]>;
  loadStatus?: () => Promise<StatusSection>;
}

/** All add-ons that are there, in the order of their names. */
export const ADDONS: readonly Addon[] = Object.values(registry);

/** The same, by their names in the registry. */
const NAMED_ADDONS = Object.entries(registry as Record<string, Addon>);

/** What knows of the project's workflow; null where no add-on does. */
export const WORKFLOW: WorkflowPort | null = ADDONS.find(({ workflow }) => workflow)?.workflow ?? null;

/** The add-ons that a project uses, by their names in the registry. */
export const findUsed = (settings: Settings, root: string | null): string[] =>
  NAMED_ADDONS.flatMap(([name, addon]) => (addon.isUsed?.(settings, root) ? [name] : []));

/** The add-ons to ask in a project: those that it uses, and those that are used by all. */
export const listAsked = ({ addons }: Pick<Resolved, 'addons'>): [name: string, addon: Addon][] =>
  NAMED_ADDONS.filter(([name, { isUsed }]) => isUsed === undefined || addons.includes(name));

/** What they answer, in their order; one that fails does not stop the others. */
export async function askAddons<T>(
  hook: FailureSink & { resolved: Pick<Resolved, 'addons'> },
  ask: (addon: Addon) => Promise<T> | undefined,
): Promise<NonNullable<T>[]> {
  const answers: NonNullable<T>[] = [];
  for (const [name, addon] of listAsked(hook.resolved)) {
    const answer = await tryStepAsync(hook, name, async () => ask(addon));
    if (answer != null) answers.push(answer);
  }
  return answers;
}

/** What they do at a moment. */
export const buildAddonActions = async (
  moment: Moment,
  hook: HookContext,
  snapshot: SessionSnapshot,
): Promise<Action[]> => (await askAddons(hook, (addon) => addon.actionsAt?.(moment, hook, snapshot))).flat();

/** Applies an effect in the add-on that asked for it. */
export const applyInAddon = (effect: AddonEffect, paths: ProjectPaths): Promise<void> | undefined =>
  (registry as Record<string, Addon>)[effect.addon]?.applyEffect?.(effect, paths);

/** What evaluates whether the active track is ready; null where no add-on knows of tracks, or they need not be. */
export async function findGate(
  place: TrackPlace,
  resolved: Resolved,
): Promise<(() => Evaluation | null) | null> {
  for (const [, addon] of listAsked(resolved)) {
    const gate = await addon.findGate?.(place, resolved.settings);
    if (gate) return gate;
  }
  return null;
}

/** Loads what they have of a kind, in their order. */
export const loadAll = <T>(load: (addon: Addon) => Promise<T> | undefined): Promise<T[]> =>
  Promise.all(ADDONS.flatMap((addon) => load(addon) ?? []));
