// The options of the guardrails: one table for each rule, as in TOML; a preset fills what is not written.

import { GOVERNING, RULES_FOLDER } from '../hosts/claude-code/names.ts';
import type { VerdictDecision } from '../hosts/verdict.ts';

export type Mode = 'off' | 'warn' | 'enforce';
export type Preset = 'none' | 'standard' | 'tracks';

/**
 * Patterns are globs below the root (or `~/…`, `/…`): `*` within a name, `**` any number of folders, `{a,b}`, `[a-z]`.
 * A pattern without `/` is a file name at any depth, a `/` at its end is everything below, `!` takes back.
 */
type Globs = string[];

export interface ToolsOptions {
  /** Names and patterns of tools, `Bash(git *)`. Empty: every tool. */
  allow: string[];
  deny: string[];
  /** A tool that `allow` does not name, when it names any. */
  unknown: VerdictDecision;
}

/** Kinds of commands that destroy what cannot be had again, or not easily. */
export const COMMAND_PACKS = ['git', 'files', 'databases', 'infrastructure', 'packages'] as const;
export type CommandPack = (typeof COMMAND_PACKS)[number];

export interface CommandsOptions {
  /** What becomes of such a command. */
  action: VerdictDecision;
  packs: CommandPack[];
  /** Commands that may run all the same, as patterns of their words, each with the reason. */
  allow: { command: string; reason: string }[];
}

export interface PathsOptions {
  /** Where files may be written. Empty: everywhere below the root. */
  writable: Globs;
  protected: Globs;
  secrets: Globs;
  /** What becomes of writing one of those. */
  on_secret: VerdictDecision;
  /** A file outside the root that `writable` does not name. */
  outside: VerdictDecision;
  /** A command of which nobody can say what it writes: `python -c`, `> "$FILE"`. */
  unknown: VerdictDecision;
  /** A path with invisible characters, or one that is drawn like a guarded one. */
  odd: VerdictDecision;
  /** Tools of MCP servers that write files, and the field of their input that names the file. */
  fields: Record<string, string>;
}

export interface GovernanceOptions {
  c3: Globs;
  c4: Globs;
  action: Extract<VerdictDecision, 'warn' | 'ask' | 'deny'>;
}

export interface ArchitectureLayer {
  name: string;
  files: Globs;
  /** Layers, path globs or modules (`node:fs`, `@scope/*`) that files of this layer may not import. */
  forbid?: string[];
  /** When given: of the project's own files only these layers (and its own) may be imported. */
  only?: string[];
  /** When given: the only modules from outside the project that may be imported. Empty: none. */
  packages?: string[];
  /** What to do with a line that this layer may not hold, said instead of the general advice. */
  instead?: string;
}

export interface ArchitectureOptions {
  layers: ArchitectureLayer[];
  /** Imports of types alone (`import type`, `if TYPE_CHECKING`): not judged, or judged like others. */
  type_only: 'exempt' | 'judged';
  /** Files that this rule leaves alone. */
  exempt: Globs;
  /** One public class per Python file. */
  one_class: boolean;
  /** Prefixes of import paths: `{ "@/" = "src/" }`. */
  aliases: Record<string, string>;
  /** Folders in which Python looks for absolute imports. */
  python_roots: string[];
}

export interface GuardrailOptions {
  mode: Mode;
  preset: Preset;
  /** What cannot be decided (a syntax error, no parser) is refused instead of warned about. */
  strict: boolean;
  tools: ToolsOptions;
  commands: CommandsOptions;
  paths: PathsOptions;
  governance: GovernanceOptions;
  architecture: ArchitectureOptions;
  /** The keys that the project's settings give, as `paths.protected`; the others come from the preset. */
  given: string[];
}

/** Whether the rule "architecture" has anything to look at. */
export const hasLayers = ({ architecture: { layers, one_class } }: GuardrailOptions): boolean =>
  layers.length > 0 || one_class;

type Tables = Pick<GuardrailOptions, 'tools' | 'commands' | 'paths' | 'governance' | 'architecture'>;
export type GivenOptions = Partial<Pick<GuardrailOptions, 'mode' | 'preset' | 'strict'>> & {
  [Rule in keyof Tables]?: Partial<Tables[Rule]>;
};

const NONE: Tables = {
  tools: { allow: [], deny: [], unknown: 'abstain' },
  commands: { action: 'abstain', packs: [...COMMAND_PACKS], allow: [] },
  paths: {
    writable: [],
    protected: [],
    secrets: [],
    on_secret: 'ask',
    outside: 'abstain',
    unknown: 'abstain',
    odd: 'abstain',
    fields: {},
  },
  governance: { c3: [], c4: [], action: 'ask' },
  architecture: {
    layers: [],
    type_only: 'exempt',
    exempt: [],
    one_class: false,
    aliases: {},
    python_roots: ['', 'src'],
  },
};

/** Files that hold keys and passwords, by their usual names; examples and public halves are not meant. */
export const SECRET_FILES = [
  '.env',
  '.env.*',
  '!.env{,.*}.{example,sample,template,dist,defaults,schema,test}',
  '*.{pem,p12,pfx,jks,keystore,kdbx}',
  '*.key',
  'id_{rsa,dsa,ecdsa,ed25519}',
  '{credentials,secrets}.{json,yaml,yml,toml}',
  '{.netrc,.pgpass,.git-credentials}',
  '**/.ssh/**',
  '**/.aws/**',
  '**/.gnupg/**',
  '!**/.ssh/known_hosts*',
];

/** What decides over the agent itself: its rules, its hooks, and these guardrails. */
const GOVERNED: GovernanceOptions = {
  c4: [
    '.plimsoll/config.toml',
    '~/.config/plimsoll/**',
    ...GOVERNING,
    // A hook or a setting there runs on the next git command.
    '.git/{hooks/**,config{,.worktree}}',
    '~/.gitconfig',
    '~/.config/git/config',
    'docs/governance/*CONSTITUTION*',
  ],
  c3: [
    'docs/governance/**',
    'docs/context/GUARDRAILS.md',
    `${RULES_FOLDER}/**`,
    '.context/rules/**',
    '.plimsoll/rules/**',
    '.plimsoll/quality.md',
  ],
  action: 'ask',
};

const STANDARD: Tables = {
  ...NONE,
  commands: { ...NONE.commands, action: 'ask' },
  paths: {
    ...NONE.paths,
    // What git keeps for itself.
    protected: ['.git/objects/**', '.git/refs/**', '.git/HEAD'],
    secrets: SECRET_FILES,
    odd: 'ask',
  },
  governance: GOVERNED,
};

const PRESETS: Record<Preset, Tables> = {
  none: NONE,
  standard: STANDARD,
  // Writes only in docs/ and artifacts/: for work whose product is documents.
  tracks: {
    ...STANDARD,
    paths: {
      ...STANDARD.paths,
      writable: ['docs/**', 'artifacts/**'],
      on_secret: 'deny',
      outside: 'deny',
      unknown: 'ask',
    },
  },
};

/** The options of a project: what it gives, over its preset. A key that is given replaces that of the preset. */
export function buildOptions(given: GivenOptions): GuardrailOptions {
  const preset = given.preset ?? 'standard';
  const base = PRESETS[preset];
  const keys = (['tools', 'commands', 'paths', 'governance', 'architecture'] as const).flatMap((rule) =>
    Object.keys(given[rule] ?? {}).map((key) => `${rule}.${key}`),
  );
  return {
    mode: given.mode ?? 'off',
    preset,
    strict: given.strict ?? false,
    tools: { ...base.tools, ...given.tools },
    commands: { ...base.commands, ...given.commands },
    paths: { ...base.paths, ...given.paths },
    governance: { ...base.governance, ...given.governance },
    architecture: { ...base.architecture, ...given.architecture },
    given: keys,
  };
}

/** A key and where it is set, as a person finds it. */
export const describeSetter = (options: GuardrailOptions, key: string): string =>
  options.given.includes(key) ? `guardrails.${key}` : `${key} of guardrails.preset = "${options.preset}"`;
