// Runs `plimsoll calibrate`: measures on past sessions how the client and the work behave, and proposes and sets thresholds.

import { type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { learnPastSizes } from '../context/learned-thresholds.io.ts';
import { type Ask, confirm } from '../install/settings-file.io.ts';
import { findLearnedPath } from '../platform/project/paths.ts';
import type { ConfigScope } from '../settings/commands/config-key.io.ts';
import { describeOrigin } from '../settings/commands/config-key.io.ts';
import { changeSettings } from '../settings/commands/config-set.command.ts';
import { setKey } from '../settings/edit/edit-toml.ts';
import { formatValue } from '../settings/edit/toml-text.ts';
import { describeValue, findEffective } from '../settings/effective.io.ts';
import { readLayers } from '../settings/layers.io.ts';
import type { SettingKey, Settings } from '../settings/settings.ts';
import { orderFault, readAssessmentSettings } from '../settings/usage-settings.ts';
import { type Calibration, calibrateSessions, collectSizes } from './calibrate.ts';
import { calibrationText, type Proposal } from './calibrate-text.ts';
import {
  type Candidate,
  chooseThresholds,
  describeThresholds,
  type Judgement,
  judgeThresholds,
  listCandidates,
  nameThresholds,
} from './candidates.ts';
import { replayAll } from './replay.command.ts';
import type { ReplayedFile } from './replay-files.io.ts';

export interface CalibrateOptions {
  all?: boolean;
  apply?: boolean;
  json?: boolean;
  scope?: ConfigScope;
  threads?: string;
  yes?: boolean;
}

type Replay = Awaited<ReturnType<typeof replayAll>>;

/** Replays with each candidate, but not where nothing can happen: see `listCandidates`. */
async function judgeCandidates(
  { files, again }: Replay,
  groups: readonly (readonly Candidate[])[],
): Promise<Judgement[]> {
  const copies = new Map(
    files.map(({ path, copied_calls, copied_compactions }) => [path, { copied_calls, copied_compactions }]),
  );
  const judged: Judgement[] = [];
  for (const group of groups) {
    let rest = files.filter(({ series }) => series.length > 0).map(({ path }) => path);
    for (const { name, assessment } of group) {
      const replayed = (await again(rest, assessment, `Trying ${name}`)).map(
        (each): ReplayedFile => ({ ...each, ...copies.get(each.path) }),
      );
      judged.push(judgeThresholds(name, replayed));
      rest = replayed
        .filter((each) => each.compactions.length > 0 || each.false_alarms > 0)
        .map(({ path }) => path);
    }
  }
  return judged;
}

interface Applied {
  scope: ConfigScope;
  /** The settings file, and the values that were written; null where nothing is proposed. */
  file: string | null;
  settings: Record<string, unknown>;
  /** What other places still say: the key and what is in force. */
  overridden: { key: string; value: unknown; from: string }[];
  /** Sizes after compactions that the estimate did not know of yet. */
  sizes_learned: number;
  /** Commands that take it back, in an order in which each is accepted. */
  undo: string[];
}

/** The commands that give a settings file its values back: thresholds never stand in a wrong order in between. */
function listUndo(place: ProjectContext, scope: ConfigScope, changes: Partial<Settings>): string[] {
  const before =
    readLayers(place.root, place.env).layers.find(({ origin }) => origin === scope)?.values ?? {};
  const { settings } = place.resolved;
  let now: Settings = { ...settings, ...changes };
  const left = new Set(Object.keys(changes) as SettingKey[]);
  const commands: string[] = [];
  const without = (key: SettingKey): Settings => ({ ...now, [key]: settings[key] });
  while (left.size > 0) {
    const key = [...left].find((each) => orderFault(without(each)) === null) ?? [...left][0];
    if (key === undefined) break;
    now = without(key);
    left.delete(key);
    const old = before[key];
    commands.push(
      old === undefined
        ? `plimsoll config unset ${key} --scope ${scope}`
        : `plimsoll config set ${key} ${String(old)} --scope ${scope}`,
    );
  }
  return commands;
}

function apply(
  place: ProjectContext,
  scope: ConfigScope,
  changes: Partial<Settings>,
  sizes: Record<string, number[]>,
): Applied {
  const entries = Object.entries(changes) as [SettingKey, unknown][];
  const learned = learnPastSizes(place.env, sizes);
  const undo = listUndo(place, scope, changes);
  const done =
    entries.length === 0
      ? null
      : changeSettings(
          place,
          scope,
          entries.map(([key, value]) => `${key} = ${formatValue(value)}`).join(', '),
          (text) => entries.reduce((edited, [key, value]) => setKey(edited, key.split('.'), value), text),
        );
  const overridden = entries.flatMap(([key, value]) => {
    if (done === null || done.place.resolved.settings[key] === value) return [];
    const now = findEffective(key, place.root, place.env, done.place.resolved);
    return [{ key, value: now.value, from: describeOrigin(place, now) }];
  });
  return {
    scope,
    file: done?.path ?? null,
    settings: changes,
    overridden,
    sizes_learned: learned,
    undo,
  };
}

function appliedText(place: ProjectContext, applied: Applied): string {
  const { file, settings, overridden, sizes_learned: sizes, undo } = applied;
  const learned = displayPath(findLearnedPath(place.env), place);
  const changed =
    file === null
      ? ['No setting was changed.']
      : [
          `Set in ${displayPath(file, place)}:`,
          ...Object.entries(settings).map(([key, value]) => `  ${key} = ${formatValue(value)}`),
          ...overridden.map(
            ({ key, value, from }) =>
              `Still in force: ${key} = ${describeValue(key as SettingKey, value)}, from ${from}, which comes first`,
          ),
          'To undo it:',
          ...undo.map((command) => `  ${command}`),
        ];
  const estimate =
    sizes === 0
      ? 'The estimate right after a compaction knows of all of these already.'
      : `The estimate right after a compaction now knows of ${sizes} more (kept in ${learned}, which may be removed at any time).`;
  return ['', ...changed, estimate].join('\n');
}

export async function calibrate(
  place: ProjectContext,
  paths: readonly string[],
  options: CalibrateOptions,
  output: Output,
  { ask, dist }: { ask: Ask; dist: string },
): Promise<void> {
  const { settings } = place.resolved;
  const scope = options.scope ?? 'user';
  const replay = await replayAll(place, paths, options, output, dist, 'calibrate');
  const figures: Calibration = calibrateSessions(replay.files);
  const inForce = readAssessmentSettings(settings);
  const step = figures.typical_step ?? inForce.typicalStepTokens;
  const groups = listCandidates(settings, figures.typical_step);
  const today = judgeThresholds(nameThresholds(inForce), replay.files);
  const others = today.compactions === 0 ? [] : await judgeCandidates(replay, groups);
  const { chosen, reason } = chooseThresholds(today, others, step);
  const changes = groups.flat().find(({ name }) => name === chosen?.name)?.changes ?? {};
  const proposal: Proposal = { name: chosen?.name ?? null, reason, settings: changes };
  const sizes = collectSizes(replay.files);
  const judged = { today, others, step, proposal };
  if (!options.json) output.print(calibrationText(figures, judged, inForce));
  let applied: Applied | null = null;
  const hasNews = chosen !== null || Object.keys(sizes).length > 0;
  if (options.apply && !hasNews) {
    if (!options.json) output.print('\nThere is nothing to apply.');
  } else if (options.apply) {
    const what =
      chosen === null
        ? 'Take over the sizes after compactions for the estimate (no setting changes)?'
        : `Set ${Object.keys(changes).join(', ')} in the settings (${scope}), and take over the sizes after compactions?`;
    await confirm(what, options, output, ask, 'without --apply to see the figures');
    applied = apply(place, scope, changes, sizes);
    if (!options.json) output.print(appliedText(place, applied));
  } else if (!options.json && chosen !== null) output.print('To set it: the same with --apply');
  if (options.json)
    output.print(
      toJson({
        schema_version: '1.0.0',
        ...figures,
        in_force: describeThresholds(inForce),
        candidates: [{ ...today, is_today: true }, ...others.map((each) => ({ ...each, is_today: false }))],
        proposal,
        applied,
      }),
    );
}
