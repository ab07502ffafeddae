// Runs `plimsoll thresholds` and `plimsoll explain`: where each tier begins, and why something was said or not.

import { WORKFLOW } from '../addons/addon.ts';
import { formatPercent, formatTable, type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { exists } from '../platform/look.ts';
import { listUserPaths } from '../platform/project/paths.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { findSession, readContextStatus, readSessionReport } from '../sessions/commands/find-session.io.ts';
import { POINT, WINDOW } from '../sessions/commands/status-text.io.ts';
import { readDecisions } from '../sessions/last-runs.io.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { describeAllowed } from '../settings/allowed.ts';
import { checkValue } from '../settings/check-value.ts';
import { buildVariableName, type SettingKey } from '../settings/settings.ts';
import { readAssessmentSettings } from '../settings/usage-settings.ts';
import { formatThousands } from '../text/lines.ts';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';
import { type Assessment, type AssessmentSettings, withCriticality } from './assessment.ts';
import { buildDecisionData, describeDecision, findSilencer } from './describe-decision.io.ts';
import { findHeadroomRule, findTierStart, type Sensitivity, TIERS, type Tier } from './tier.ts';

// Runs `plimsoll explain`: shows what was announced in a session and why, or why nothing was, in plain sentences.
export interface ExplainOptions {
  session?: string;
  json?: boolean;
}

export function explain(place: ProjectContext, options: ExplainOptions, output: Output): void {
  const { session } = options;
  const isKnown = session !== undefined && exists(place.paths.session(session).runs);
  const id = isKnown ? session : findSession(place, { ...options, mayBeOwn: true }).id;
  const decisions = readDecisions(place.paths, id);
  const state = tryOrNull(() => readSessionState(place.paths, id));
  const silenced = findSilencer(place, state);
  if (options.json) {
    const list = decisions.map((each) => buildDecisionData(each, place.now));
    output.print(toJson({ session: id, silenced, decisions: list }));
    return;
  }
  output.print(
    [
      `Session ${id}`,
      ...decisions.map((each) => describeDecision(each, place.now)),
      ...(decisions.length > 0 ? [] : ['No hook of ours has run at a prompt or a tool of this session.']),
      ...(silenced === null ? [] : [`Now nothing is said, because ${silenced}.`]),
    ].join('\n'),
  );
}

export interface ThresholdsOptions {
  transcript?: string;
  session?: string;
  window?: string;
  sensitivity?: string;
  json?: boolean;
}

/** Parses a value to try instead of a setting. */
function tried(key: SettingKey, given: string | undefined, option: string): unknown {
  if (given === undefined) return undefined;
  const number = Number(given.replaceAll(/[_,]/g, ''));
  const checked = checkValue(key, key === 'context_monitor.sensitivity' ? given.toUpperCase() : number);
  if ('value' in checked) return checked.value;
  throw new PlimsollError('usage', `${option} "${given}" is not ${describeAllowed(key)}`, {
    hint: 'e.g. plimsoll thresholds --window 1000000 --sensitivity C3',
  });
}

/** What set a value: a command's option, a variable, a file, or the default. */
function setBy(place: ProjectContext, key: SettingKey, triedKeys: readonly SettingKey[]): string {
  if (triedKeys.includes(key)) return 'tried here';
  switch (place.resolved.origins[key]) {
    case 'env':
      return buildVariableName(key);
    case 'local':
      return displayPath(place.paths.localConfig, place);
    case 'project':
      return displayPath(place.paths.config, place);
    case 'user':
      return displayPath(listUserPaths(place.env).config, place);
    default:
      return 'default';
  }
}

/** The assessment of the session that is meant; one without a session where none is here and none was named. */
function judged(
  place: ProjectContext,
  options: ThresholdsOptions,
): { id: string | null; assessment: Assessment; criticality: Sensitivity | null } {
  try {
    const { id, assessment, state } = readSessionReport(place, options);
    return { id, assessment, criticality: state?.workflow_file?.criticality ?? null };
  } catch (error) {
    if (!isError(error, 'not-found') || options.session !== undefined || options.transcript !== undefined)
      throw error;
  }
  const nothing = { state: null, facts: null, head: null, feed: null, isWhole: true };
  const { assessment } = readContextStatus(place, nothing);
  const { root, cwd, resolved } = place;
  const configured = resolved.settings['orchestration.path'];
  const active = tryOrNull(() => WORKFLOW?.readActive({ root, cwd, configured }));
  return { id: null, assessment, criticality: active?.criticality ?? null };
}

/** Formats the condition at which a tier begins. */
function conditionOf(tier: Tier, assessment: Assessment, settings: AssessmentSettings): string | null {
  const fraction = settings.thresholds[tier.toLowerCase() as keyof AssessmentSettings['thresholds']];
  if (fraction === undefined) return null;
  const share = `${formatPercent(fraction)} of ${formatThousands(assessment.effectiveLimit)}`;
  const rule = findHeadroomRule(tier, { mode: settings.mode, window: assessment.window.tokens });
  if (rule === null) return share;
  const left = formatThousands(rule.operations * settings.typicalStepTokens);
  return rule.isAlone ? `less than ${left} left` : `${share}, and at most ${left} left`;
}

export function thresholdsData(place: ProjectContext, options: ThresholdsOptions) {
  const window = tried('context_monitor.window_tokens', options.window, '--window');
  const sensitivity = tried('context_monitor.sensitivity', options.sensitivity, '--sensitivity');
  const triedKeys: SettingKey[] = [
    ...(window === undefined ? [] : (['context_monitor.window_tokens'] as const)),
    ...(sensitivity === undefined ? [] : (['context_monitor.sensitivity'] as const)),
  ];
  const values = {
    ...place.resolved.settings,
    ...(window === undefined ? {} : { 'context_monitor.window_tokens': window as number }),
    ...(sensitivity === undefined ? {} : { 'context_monitor.sensitivity': sensitivity as 'C2' }),
  };
  const set = readAssessmentSettings(values);
  const trying: ProjectContext = { ...place, resolved: { ...place.resolved, assessment: set } };
  const { id, assessment, criticality } = judged(trying, options);
  const settings = withCriticality(set, criticality);
  const { reading, effectiveLimit } = assessment;
  const preset = values['context_monitor.sensitivity'] ?? criticality ?? 'C2';
  const presetBy =
    values['context_monitor.sensitivity'] === null && criticality !== null
      ? 'criticality of the workflow'
      : setBy(place, 'context_monitor.sensitivity', triedKeys);
  const tiers = TIERS.map((tier) => {
    const tokens = findTierStart(tier, {
      effectiveLimit,
      window: assessment.window.tokens,
      thresholds: settings.thresholds,
      mode: settings.mode,
      typicalStepTokens: settings.typicalStepTokens,
    });
    const key = `context_monitor.${tier.toLowerCase()}_threshold` as SettingKey;
    const rule = findHeadroomRule(tier, { mode: settings.mode, window: assessment.window.tokens });
    const own = tier === 'NOMINAL' || values[key] === null ? null : setBy(place, key, triedKeys);
    const by =
      tier === 'NOMINAL'
        ? null
        : rule?.isAlone
          ? `context_monitor.mode, ${setBy(place, 'context_monitor.mode', triedKeys)}`
          : (own ?? `preset ${preset}, ${presetBy}`);
    return {
      tier,
      tokens,
      fraction_of_limit: tokens === null ? null : tokens / effectiveLimit,
      fraction_of_window: tokens === null ? null : tokens / assessment.window.tokens,
      /** Tokens from the present usage to the tier; negative where it is passed. */
      distance: tokens === null || reading.tokens === null ? null : tokens - reading.tokens,
      condition: conditionOf(tier, assessment, settings),
      set_by: by,
    };
  });
  return {
    session: id,
    used_tokens: reading.tokens,
    tier: assessment.tier,
    window: assessment.window,
    auto_compact: assessment.autoCompactAt,
    effective_limit: effectiveLimit,
    threshold_base: settings.thresholdBase,
    mode: settings.mode,
    typical_step_tokens: settings.typicalStepTokens,
    sensitivity: { value: preset, set_by: presetBy },
    tiers,
  };
}

/** Formats a table with a head; the columns in `right` are aligned right. */
function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) =>
          right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const away = (distance: number | null): string =>
  distance === null ? '' : distance > 0 ? `in ${formatThousands(distance)}` : 'reached';

export function thresholds(place: ProjectContext, options: ThresholdsOptions, output: Output): void {
  const data = thresholdsData(place, options);
  if (options.json) {
    output.print(toJson(data));
    return;
  }
  const { window, auto_compact: threshold, effective_limit: effectiveLimit } = data;
  const now = data.used_tokens === null ? null : `${formatThousands(data.used_tokens)}, ${data.tier}`;
  output.print(
    [
      formatTable([
        [
          'Window',
          `${formatThousands(window.tokens)} (${options.window === undefined ? WINDOW[window.source] : 'tried here'})`,
        ],
        [
          'Auto-compact',
          threshold.tokens === null
            ? POINT.off
            : `at about ${formatThousands(threshold.tokens)} (${POINT[threshold.source]})`,
        ],
        [
          'Measured on',
          data.threshold_base === 'window'
            ? 'the window'
            : `the effective limit, ${formatThousands(effectiveLimit)}`,
        ],
        ['Sensitivity', `${data.sensitivity.value} (${data.sensitivity.set_by})`],
        ['Now', now ?? (data.session === null ? 'no session here' : 'unknown')],
      ]),
      '',
      columns(
        ['TIER', 'TOKENS', 'OF LIMIT', 'OF WINDOW', 'FROM NOW', 'BEGINS AT', 'SET BY'],
        data.tiers.map((each) => [
          each.tier,
          each.tokens === null ? 'never' : formatThousands(each.tokens),
          each.tokens === null ? '' : formatPercent(each.fraction_of_limit),
          each.tokens === null ? '' : formatPercent(each.fraction_of_window),
          each.tier === 'NOMINAL' ? '' : away(each.distance),
          each.condition ?? 'the beginning',
          each.set_by ?? '',
        ]),
        [1, 2, 3, 4],
      ),
    ].join('\n'),
  );
}
