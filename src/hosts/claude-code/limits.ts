// Knows the windows of Claude models, and when Claude Code compacts by itself.
import { isObject } from '../../text/json.ts';
import type { ClientCompaction, HostLimits } from '../host.ts';

const LIMIT_VARIABLES = [
  'ANTHROPIC_BASE_URL',
  'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE',
  'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
  'CLAUDE_CODE_DISABLE_1M_CONTEXT',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_VERTEX',
  'DISABLE_AUTO_COMPACT',
  'DISABLE_COMPACT',
];

/** The variables that decide limits, of the `env` of a settings file. */
export const pickLimitVariables = (env: unknown): Record<string, string> =>
  isObject(env)
    ? Object.fromEntries(
        LIMIT_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, String(env[name])]])),
      )
    : {};

const STANDARD = 200_000;
const LARGE = 1_000_000;

/** Family and version of a Claude model id such as `claude-opus-4-7-20260101` or `us.anthropic.claude-sonnet-5-v1:0`. */
export function readClaudeVersion(model: string): { family: string; major: number; minor: number } | null {
  const match = /(opus|sonnet|haiku|fable)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (!match) return null;
  return { family: match[1] ?? '', major: Number(match[2]), minor: Number(match[3] ?? 0) };
}

const isSwitchedOn = (flag: string | undefined): boolean =>
  flag !== undefined && !/^(?:|0|false|no|off)$/i.test(flag);

const isHeldToStandard = (env: Record<string, string | undefined>): boolean =>
  isSwitchedOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT);

/** Ids that have a window of 1,000,000 tokens on the Anthropic API without any mark in their name. */
function isNativelyLarge(model: string, env: Record<string, string | undefined>): boolean {
  if (isHeldToStandard(env)) return false;
  const id = readClaudeVersion(model);
  if (!id) return false;
  const isCloud = [env.CLAUDE_CODE_USE_BEDROCK, env.CLAUDE_CODE_USE_VERTEX, env.CLAUDE_CODE_USE_FOUNDRY].some(
    isSwitchedOn,
  );
  if (id.family === 'sonnet' && id.major >= 5) return isCloud || !env.ANTHROPIC_BASE_URL;
  if (isCloud) return false;
  return (
    (id.family === 'opus' && (id.major > 4 || (id.major === 4 && id.minor >= 7))) || id.family === 'fable'
  );
}

const truthy = (value: unknown): boolean => value === true || value === '1' || value === 'true';
const clampWindow = (value: unknown): number | null => {
  const tokens = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  if (typeof tokens !== 'number' || !Number.isFinite(tokens) || tokens <= 0) return null;
  return Math.min(Math.max(tokens, 100_000), 1_000_000);
};

/**
 * Automatic compaction as the client resolves it from its environment and its merged settings.
 * The environment beats the settings; W is an integer clamped to 100,000 to 1,000,000 ("500k" reads as 500).
 */
export function readCompaction(
  env: Record<string, string | undefined>,
  settings: Record<string, unknown>,
  model: string | null,
): ClientCompaction {
  const perModel = settings.modelSettings as Record<string, { autoCompactWindow?: unknown }> | undefined;
  const percent = Number.parseFloat(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE ?? '');
  return {
    enabled: !(
      truthy(env.DISABLE_AUTO_COMPACT) ||
      truthy(env.DISABLE_COMPACT) ||
      settings.autoCompactEnabled === false
    ),
    window:
      clampWindow(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ??
      clampWindow(model === null ? null : perModel?.[model]?.autoCompactWindow) ??
      clampWindow(settings.autoCompactWindow),
    percent: percent > 0 && percent <= 100 ? percent : null,
  };
}

/** The window of a model by its id; null for one of another maker. */
function windowOf(model: string, env: Record<string, string | undefined>): number | null {
  if (isNativelyLarge(model, env)) return LARGE;
  return readClaudeVersion(model) === null ? null : STANDARD;
}

export const claudeLimits: HostLimits = {
  windowOf,
  allowsLarge: (env) => !isHeldToStandard(env),
  readCompaction,
};
