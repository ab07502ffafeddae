// Evaluates by a list of checks, without a model, whether a track is ready to be worked on.
import { readBlock } from './block-entries.ts';
import { findBlocks } from './blocks.ts';
import {
  type Check,
  type CheckName,
  filesOf,
  type TrackFile,
  type TrackFinding,
  type TrackTexts,
} from './checks/check.ts';
import { checkNames } from './checks/names.ts';
import { checkSections } from './checks/sections.ts';
import { checkTasks } from './checks/tasks.ts';
import type { Violation } from './entry.ts';
import { fromTaskFile, type InputFile } from './gather.ts';
import { type TaskName, taskFile } from './layout.ts';
import { withoutCode } from './markdown.ts';
import { isUnsaid, placeholdersIn } from './placeholder.ts';
import { readEntries } from './read-entries.ts';
import { scanLines } from './text-lines.ts';

/** By line. */
export function violationsIn(track: string, file: InputFile): Violation[] {
  const { blocks, violations } = findBlocks(file.path, file.text);
  return [
    ...violations,
    ...fromTaskFile(track, file).violations,
    ...blocks.flatMap((block) => readBlock(file.path, block).violations),
  ].sort((a, b) => a.line - b.line);
}

const REFERENCE = /(?<![\w-])D-\d{1,5}(?![\w-])/g;
/** Foreign lists of decisions: an id that begins a heading, an item or a row. */
const DEFINED = /^[\s#|>*+\-_[(]*(?:\d+[.)]\s+)?[*_`[(]*(D-\d{1,5})(?![\w-])/;

const checkDecisions: Check = (texts) => {
  const known = new Set([
    ...filesOf(texts).flatMap(({ entries }) =>
      entries.entries.flatMap(({ kind, id }) => (kind === 'decision' && id !== null ? [id] : [])),
    ),
    // Only the beginning of a line: what comes later is no list of ours.
    ...texts.decisions.lines.flatMap(({ text }) => DEFINED.exec(text.trimStart().slice(0, 60))?.[1] ?? []),
  ]);
  return filesOf(texts).flatMap(({ path, lines }) =>
    lines.flatMap(({ text, line }) =>
      [...new Set(withoutCode(text).match(REFERENCE) ?? [])]
        .filter((id) => !known.has(id))
        .map((id) => ({
          file: path,
          line,
          message: `decision ${id} is referred to and nowhere noted`,
          next: `note it in ${texts.decisions.path}, or take the reference out`,
        })),
    ),
  );
};

/** Nobody has to answer what has gone, or what was accepted. */
const isAnswered = (status: string): boolean => status === 'closed' || status === 'accepted';

const checkRisks: Check = (texts) =>
  filesOf(texts).flatMap(({ entries }) =>
    entries.entries.flatMap((each) => {
      if (each.kind !== 'risk' || isAnswered(each.status)) return [];
      const { severity, mitigation, text, source } = each;
      if (severity !== 'high' && severity !== 'critical') return [];
      if (mitigation !== null && !isUnsaid(mitigation)) return [];
      const said = mitigation === null ? '' : `: ${JSON.stringify(mitigation.slice(0, 60))}`;
      return [
        {
          ...source,
          message: `${severity} risk ${JSON.stringify(text.slice(0, 60))} has no mitigation${said}`,
          next: 'write "  - Mitigation: …" below it, or "  - Status: accepted" where nothing is to be done',
        },
      ];
    }),
  );

const checkSchema: Check = (texts) =>
  filesOf(texts).flatMap(({ violations }) =>
    violations.map(({ file, line, found, expected }) => ({
      file,
      line,
      message: found,
      next: `expected: ${expected}`,
    })),
  );

const checkPlaceholders: Check = ({ spec, plan }) =>
  [spec, plan].flatMap(({ path, lines }) =>
    placeholdersIn(lines).map(({ found, line }) => ({
      file: path,
      line,
      message: `placeholder "${found}"`,
      next: 'write what is meant, or put it into code marks (`…`) where it is meant so',
    })),
  );

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
