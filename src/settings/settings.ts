// All settings in one object: key, schema, default and meaning; types and variable names follow from it.
import * as v from 'valibot';
import { STATUS_FORMAT, STATUS_PARTS } from '../statusline/status-parts.ts';
import type { GivenOptions } from './guardrail-options.ts';
import {
  architectureTable,
  commandsTable,
  examplesList,
  type GuardrailExample,
  governanceTable,
  pathsTable,
  toolsTable,
} from './guardrail-schemas.ts';

const fraction = v.pipe(v.number(), v.minValue(0.01), v.maxValue(1));
const tokens = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(10_000_000));

/** Paths appear in what the agent reads, so they may hold nothing that could end a line or a tag. */
const path = v.pipe(
  v.string(),
  v.minLength(1),
  v.regex(/^[^\x00-\x1f<>]+$/, 'Expected a text without control characters, "<" and ">"'),
);

/** A regular expression, so that editors can check it too: text without control characters, and known names in braces. */
const statusFormat = v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^(?:[^{}\\x00-\\x1f\\x7f-\\x9f]|\\{(?:${STATUS_PARTS.join('|')})\\})+$`),
    `Expected one line with only these names in braces: ${STATUS_PARTS.join(', ')}`,
  ),
);

interface Setting {
  schema: v.GenericSchema;
  /** null: detected by other means, or taken from a preset. */
  default: unknown;
  meaning: string;
  unit: string | null;
  /** What holds when the default is null. */
  unset: string | null;
}

const setting = <S extends v.GenericSchema, D extends v.InferOutput<S> | null>(
  schema: S,
  value: D,
  meaning: string,
  about: { unit?: string; unset?: string } = {},
) => ({
  schema,
  default: value,
  meaning,
  unit: about.unit ?? null,
  unset: about.unset ?? null,
});

export const SETTINGS = {
  enabled: setting(v.boolean(), true, 'Everything on or off'),
  'context_monitor.enabled': setting(v.boolean(), true, 'Whether the context usage is reported to the agent'),
  'context_monitor.emit': setting(
    v.picklist(['always', 'on-change', 'off']),
    'always',
    'At which prompts the monitor speaks: all, those where tier, segment (between two compactions) or window changed, none',
  ),
  'context_monitor.threshold_base': setting(
    v.picklist(['limit', 'window']),
    'limit',
    'What tiers are fractions of: the effective limit (the auto-compact threshold where the client compacts by itself), or the window',
  ),
  'context_monitor.mode': setting(
    v.picklist(['static', 'dynamic']),
    'static',
    'Tiers by fractions, or from WARNING on by headroom in typical steps (2, 1, ½)',
  ),
  'context_monitor.sensitivity': setting(
    v.picklist(['C1', 'C2', 'C3', 'C4']),
    null as 'C1' | 'C2' | 'C3' | 'C4' | null,
    "Preset of thresholds; unless set that of the active workflow's `criticality`, else C2",
    { unset: "the workflow's, else C2" },
  ),
  'context_monitor.low_threshold': setting(fraction, null as number | null, 'Fraction at which LOW begins', {
    unit: 'fraction',
    unset: 'of the preset',
  }),
  'context_monitor.warning_threshold': setting(
    fraction,
    null as number | null,
    'Fraction at which WARNING begins',
    { unit: 'fraction', unset: 'of the preset' },
  ),
  'context_monitor.critical_threshold': setting(
    fraction,
    null as number | null,
    'Fraction at which CRITICAL begins',
    { unit: 'fraction', unset: 'of the preset' },
  ),
  'context_monitor.emergency_threshold': setting(
    fraction,
    null as number | null,
    'Fraction at which EMERGENCY begins',
    { unit: 'fraction', unset: 'of the preset' },
  ),
  'context_monitor.window_tokens': setting(
    tokens(10_000),
    null as number | null,
    'Context window in tokens; detected unless set',
    { unit: 'tokens', unset: 'detected' },
  ),
  'context_monitor.auto_compact_at': setting(
    tokens(10_000),
    null as number | null,
    'Context usage in tokens at which the client compacts (the auto-compact threshold); detected unless set',
    { unit: 'tokens', unset: 'detected' },
  ),
  'context_monitor.typical_step_tokens': setting(
    tokens(100),
    29_000,
    'Tokens that one typical large step of the agent costs',
    {
      unit: 'tokens',
    },
  ),
  'context_monitor.model_windows': setting(
    v.record(v.string(), tokens(10_000)),
    {} as Record<string, number>,
    'Context windows in tokens by part of a model id; they beat the built-in table',
    { unit: 'tokens' },
  ),
  'compaction.alert_tokens': setting(
    v.pipe(v.number(), v.integer(), v.minValue(500), v.maxValue(2_000)),
    900,
    'The most tokens of the alert after a compaction, where what the user requires needs more than 500',
  ),
  'checkpoint.on_tier_rise': setting(
    v.boolean(),
    true,
    'Whether a rise to WARNING, CRITICAL and EMERGENCY writes a checkpoint',
  ),
  'checkpoint.summariser_hints': setting(
    v.boolean(),
    true,
    'Whether the summariser is given facts to keep word for word',
  ),
  'checkpoint.on_session_end': setting(
    v.boolean(),
    true,
    'Whether the end of a session writes a checkpoint when work was done since the last one',
  ),
  'checkpoint.keep': setting(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
    50,
    'Checkpoints that are never removed: so many of the newest',
    { unit: 'checkpoints' },
  ),
  'resume.auto': setting(
    v.picklist(['unfinished', 'always', 'pointer', 'off']),
    'unfinished',
    'What a new session is told of the one before: all when that one is unfinished, all always, one line, nothing',
  ),
  'resume.headless': setting(
    v.boolean(),
    false,
    'Whether a headless run (claude -p) may take over an unfinished session',
  ),
  'resume.max_age_hours': setting(
    v.pipe(v.number(), v.minValue(0), v.maxValue(8_760)),
    72,
    'Sessions that ended longer ago are not told of',
    { unit: 'hours' },
  ),
  'session.abandon_on': setting(
    v.picklist(['none', 'emergency', 'compaction']),
    'none',
    'What is noted as the drop of a session, until its next prompt: nothing, the tier EMERGENCY, a compaction',
  ),
  'orchestration.path': setting(
    path,
    null as string | null,
    'ORCHESTRATION.yaml of the work; found unless set',
    { unset: 'found' },
  ),
  'orchestration.hold_stop': setting(
    v.boolean(),
    false,
    'Whether a turn that ends at CRITICAL or above is held once, until the resumption section of the active workflow is current',
  ),
  'statusline.format': setting(
    statusFormat,
    STATUS_FORMAT,
    'Parts of the status line, by name in braces, and what stands between them',
  ),
  'statusline.colors': setting(
    v.picklist(['auto', 'always', 'never']),
    'auto',
    'Colours of the status line: unless NO_COLOR is set, always, never',
  ),
  'quality.reinforcement': setting(
    v.boolean(),
    true,
    'Whether rules that are marked with L2-REINJECT in rule files, CLAUDE.md and AGENTS.md are said again at every prompt',
  ),
  'guardrails.mode': setting(
    v.picklist(['off', 'warn', 'enforce']),
    'off',
    'Whether tool calls are judged before they run: not, with a warning to the agent, or with a question or a refusal',
  ),
  'guardrails.preset': setting(
    v.picklist(['none', 'standard', 'tracks']),
    'standard',
    'Rules to begin with: none; secrets, git and what governs the agent; or writing in docs/ and artifacts/ only',
  ),
  'guardrails.strict': setting(
    v.boolean(),
    false,
    'Whether a call that cannot be decided (a syntax error) is refused instead of warned about',
  ),
  'guardrails.tools': setting(
    toolsTable,
    {} as NonNullable<GivenOptions['tools']>,
    'Tools that may be called (`allow`, `deny`: names and patterns of tools, `Bash(git *)`), and what becomes of others (`unknown`)',
  ),
  'guardrails.commands': setting(
    commandsTable,
    {} as NonNullable<GivenOptions['commands']>,
    'What becomes of commands that destroy (`action`), of which kinds (`packs`), and which may run all the same (`allow`: command, reason)',
  ),
  'guardrails.paths': setting(
    pathsTable,
    {} as NonNullable<GivenOptions['paths']>,
    'Globs of files that may be written (`writable`), may not (`protected`), or hold secrets, and what becomes of the rest',
  ),
  'guardrails.governance': setting(
    governanceTable,
    {} as NonNullable<GivenOptions['governance']>,
    'Globs of files whose change is C3 or C4 (`c3`, `c4`), and whether it warns, asks or is denied (`action`)',
  ),
  'guardrails.architecture': setting(
    architectureTable,
    {} as NonNullable<GivenOptions['architecture']>,
    'Layers of the code (`layers`: name, files, forbid, only, packages, and `instead`, what to do with a line that the layer may not hold) whose files may not import each other freely',
  ),
  'guardrails.examples': setting(
    examplesList,
    [] as GuardrailExample[],
    'Calls and what is to become of them (`path`, `command` or `call`; `expect`; `rule`, `note`), for `plimsoll guard test`',
  ),
  'state.auto_merge': setting(
    v.boolean(),
    false,
    'Whether a compaction is entered into the resumption section of the active workflow without a command',
  ),
  'state.offer_agent_done': setting(
    v.boolean(),
    false,
    'Whether the agent is told, when a subagent has finished, by which command to note what it did',
  ),
  'tracks.enabled': setting(
    v.picklist(['auto', 'off']),
    'auto',
    'Whether a project with docs/tracks/ is worked on by tracks: their compaction, recovery and gate',
  ),
  'tracks.core_writes': setting(
    v.picklist(['propose', 'apply']),
    'propose',
    'What becomes of new invariants: proposed in docs/context/INVARIANTS.md, or also written into CONTEXT_CORE.md',
  ),
  'tracks.capture': setting(
    v.boolean(),
    true,
    'Whether tool calls, failing tests and the newest diff are kept in artifacts/sessions/ while a track is active',
  ),
  'tracks.evaluator': setting(
    v.string(),
    '',
    'A command (for sh) that plimsoll track lint runs as one more check of a track; when it ends with another exit code than 0, each line that it printed is a finding',
  ),
  'tracks.gate': setting(
    v.boolean(),
    true,
    'Whether SPEC.md and PLAN.md must pass the evaluator before a tool executes or writes outside docs/ and artifacts/; judged by guardrails.mode',
  ),
} satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = {
  [K in SettingKey]: v.InferOutput<(typeof SETTINGS)[K]['schema']> | (typeof SETTINGS)[K]['default'];
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Name of the environment variable that sets a key: `PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD`. */
export const buildVariableName = (key: SettingKey): string =>
  `PLIMSOLL_${key.toUpperCase().replaceAll('.', '__')}`;
