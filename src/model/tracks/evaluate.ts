// Evaluates by a list of checks, without a model, whether a track is ready to be worked on.
import type { Check, CheckName, TrackFile, TrackFinding, TrackTexts } from './checks/check.ts';
import { checkDecisions } from './checks/decisions.ts';
import { checkNames } from './checks/names.ts';
import { checkPlaceholders } from './checks/placeholders.ts';
import { checkRisks } from './checks/risks.ts';
import { checkSchema } from './checks/schema.ts';
import { checkSections } from './checks/sections.ts';
import { checkTasks } from './checks/tasks.ts';
import { type TaskName, taskFile } from './layout.ts';
import { readEntries } from './read-entries.ts';
import { scanLines } from './text-lines.ts';
import { violationsIn } from './violations.ts';

const CHECKS: readonly (readonly [Exclude<CheckName, 'external'>, Check])[] = [
  ['sections', checkSections],
  ['schema', checkSchema],
  ['tasks', checkTasks],
  ['placeholders', checkPlaceholders],
  ['risks', checkRisks],
  ['names', checkNames],
  ['decisions', checkDecisions],
];

/** Names of all checks, in the order in which they look. */
export const CHECK_NAMES = CHECKS.map(([name]) => name);

/**
 * What keeps a track from being worked on; empty when nothing does.
 *
 * @param texts the texts of its files, null for one that is not there
 */
export function evaluate(track: string, texts: Readonly<Record<TaskName, string | null>>): TrackFinding[] {
  const fileOf = (name: TaskName): TrackFile => {
    const path = taskFile(track, name);
    const text = texts[name];
    const { lines } = scanLines(text ?? '');
    return {
      path,
      isThere: text !== null,
      lines: lines.filter(({ kind }) => kind === 'text'),
      code: lines.filter(({ kind, text: own }) => kind === 'code' && /\w/.test(own)).map(({ line }) => line),
      entries: readEntries(path, text ?? ''),
      violations: text === null ? [] : violationsIn(track, { path, text }),
    };
  };
  const all: TrackTexts = {
    track,
    spec: fileOf('SPEC.md'),
    plan: fileOf('PLAN.md'),
    risks: fileOf('RISKS.md'),
    decisions: fileOf('DECISIONS.md'),
  };
  return CHECKS.flatMap(([check, run]) => run(all).map((finding) => ({ check, ...finding })));
}

/** Those that keep work from beginning: what is wrong in SPEC and PLAN. */
export const gateFindings = (track: string, findings: readonly TrackFinding[]): TrackFinding[] =>
  findings.filter(({ file }) => file === taskFile(track, 'SPEC.md') || file === taskFile(track, 'PLAN.md'));
