// Evaluates by a list of checks, without a model, whether a track is ready to be worked on.

import { type Block, findBlock } from '../entries/block.ts';
import { type InputFile, readTaskFile } from '../entries/collect.ts';
import type { EntryViolation } from '../entries/entry.ts';
import { joinEntriesFolder } from '../entries/entry-file.ts';
import { listCodeSpans, removeCode, scanLines, splitSections, type TextLine } from '../entries/markdown.ts';
import { parseEntries } from '../entries/read-entries.ts';
import { findEntryFaults } from '../entries/stored-entries.ts';
import { TASK_NAMES, type TaskName, taskFile } from '../layout.ts';
import { readBoxes } from '../summary.ts';
import type { CheckName, TrackCheck, TrackFile, TrackFinding, TrackTexts } from './check.ts';
import { listTrackFiles } from './check.ts';
import { checkSections, findPlaceholders, isUnsaid } from './sections.ts';

/** The sections of a SPEC that list what is built. */
const LISTS = /^(?:\d+[.)]?\s+)?(?:names?|components?|modules?|interfaces?|api)\b/i;

interface Name {
  name: string;
  line: number;
}

const codeNames = (lines: TrackFile['lines']): Name[] =>
  lines.flatMap(({ text, line }) => listCodeSpans(text).map((code) => ({ name: called(code), line })));

/** Without the arguments of a call. */
const called = (code: string): string => code.replace(/\(.*/, '');

/** One word: no endpoint (`GET /users`), no option (`--json`). */
const isName = (code: string): boolean => /^[^\s/-]\S*$/.test(code);

/** `CacheReader`, `cache_reader` and `cache-reader` are one name in three spellings. */
const folded = (name: string): string => name.replace(/[\s_.-]+/g, '').toLowerCase();

/** `User` and `user`: a type, and what is of it. */
const unheaded = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

const isSaid = (name: string, { lines }: TrackFile): boolean => lines.some(({ text }) => text.includes(name));

/**
 * Both ways, and only where the SPEC has such a list: every listed name comes in the PLAN, and neither file has one of
 * them in another spelling.
 */
const checkNames: TrackCheck = ({ spec, plan }) => {
  if (!spec.isThere || !plan.isThere) return [];
  const sections = splitSections(spec.lines).filter(({ title }) => LISTS.test(title));
  // The first code of a list's item, of a heading or of a table's row names it; what comes after explains it.
  const listed = sections
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => /^\s*(?:[-*+]|\d+[.)]|#{1,6}|\|)\s*[*_]*`/.test(text))
    .map(({ text, line }) => ({ name: called(listCodeSpans(text)[0] ?? ''), line }))
    .filter(({ name }) => isName(name));
  const known = new Map(
    listed.filter(({ name }) => folded(name) !== '').map((each) => [folded(each.name), each]),
  );
  const names = new Set(listed.map(({ name }) => unheaded(name)));
  const unsaid = [...known.values()]
    .filter(({ name }) => !isSaid(name, plan))
    .map(({ name, line }) => ({
      file: spec.path,
      line,
      message: `\`${name}\` is named here and nowhere in ${plan.path}`,
      next: 'name it in the task that makes it, or take it out of the list',
    }));
  const others = [spec, plan].flatMap(({ path, lines }) =>
    codeNames(lines).flatMap(({ name, line }) => {
      const meant = known.get(folded(name));
      return meant === undefined || names.has(unheaded(name))
        ? []
        : [
            {
              file: path,
              line,
              message: `\`${name}\` is \`${meant.name}\` in ${spec.path}:${meant.line}`,
              next: 'use one spelling, or list both',
            },
          ];
    }),
  );
  return [...unsaid, ...others];
};

const NEXT = 'write "- [ ] Task: …" with "  - Acceptance: …" below it';

const indentOf = (each: TextLine | undefined): number => /^\s*/.exec(each?.text ?? '')?.[0].length ?? 0;

const isBlank = (each: TextLine | undefined): boolean => each?.text.trim() === '';

const checkTasks: TrackCheck = ({ plan }) => {
  if (!plan.isThere) return [];
  const { path, lines } = plan;
  const tasks = plan.entries.entries.filter((each) => each.kind === 'task');
  if (tasks.length === 0) {
    // A task that the schema does not take is told of by the schema's check.
    if (plan.violations.length > 0) return [];
    const boxes = readBoxes(plan.lines);
    const message =
      boxes.length === 0
        ? 'no task'
        : `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}, and none of them is a "Task:" with acceptance`;
    return [{ file: path, line: boxes[0]?.line ?? null, message, next: NEXT }];
  }
  const places = new Map(lines.map(({ line }, at) => [line, at]));
  return tasks.flatMap(({ text, acceptance, source }) => {
    const from = places.get(source.line) ?? 0;
    let to = from + 1;
    while (to < lines.length && (isBlank(lines[to]) || indentOf(lines[to]) > indentOf(lines[from]))) to++;
    const own = lines.slice(from, to);
    const hasState = own.some((each) => /^\s*[-*+] +(?:\[.\] |State:)/.test(each.text));
    const where = { file: path, line: source.line };
    const name = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
    return [
      ...(hasState
        ? []
        : [{ ...where, message: `task ${name} has no state`, next: 'give it a box: "- [ ] Task: …"' }]),
      ...(acceptance.length > 0
        ? []
        : [
            {
              ...where,
              message: `task ${name} has no acceptance criteria`,
              next: 'add "  - Acceptance: …" below it',
            },
          ]),
    ];
  });
};

/** By line. */
export function listViolations(track: string, file: InputFile): EntryViolation[] {
  const { violations } = findBlock(file.path, file.text);
  return [...violations, ...readTaskFile(track, file).violations].sort((a, b) => a.line - b.line);
}

const REFERENCE = /(?<![\w-])D-(?:\d{1,5}|[0-9a-f]{10})(?![\w-])/g;
/** Foreign lists of decisions: an id that begins a heading, an item or a row. */
const DEFINED = /^[\s#|>*+\-_[(]*(?:\d+[.)]\s+)?[*_`[(]*(D-(?:\d{1,5}|[0-9a-f]{10}))(?![\w-])/;

const checkDecisions: TrackCheck = (texts) => {
  const known = new Set([
    ...listTrackFiles(texts).flatMap(({ entries }) =>
      entries.entries.flatMap(({ kind, id }) => (kind === 'decision' && id !== null ? [id] : [])),
    ),
    // Only the beginning of a line: what comes later is no list of ours.
    ...texts.decisions.lines.flatMap(({ text }) => DEFINED.exec(text.trimStart().slice(0, 60))?.[1] ?? []),
  ]);
  return listTrackFiles(texts).flatMap(({ path, lines }) =>
    lines.flatMap(({ text, line }) =>
      [...new Set(removeCode(text).match(REFERENCE) ?? [])]
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

const checkRisks: TrackCheck = (texts) =>
  listTrackFiles(texts).flatMap(({ entries }) =>
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

const checkSchema: TrackCheck = (texts) =>
  listTrackFiles(texts).flatMap(({ violations }) => violations.map(toFinding));

const checkPlaceholders: TrackCheck = ({ spec, plan }) =>
  [spec, plan].flatMap(({ path, lines }) =>
    findPlaceholders(lines).map(({ found, line }) => ({
      file: path,
      line,
      message: `placeholder "${found}"`,
      next: 'write what is meant, or put it into code marks (`…`) where it is meant so',
    })),
  );

const CHECKS: readonly (readonly [Exclude<CheckName, 'external'>, TrackCheck])[] = [
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
      entries: parseEntries(path, text ?? ''),
      violations: text === null ? [] : listViolations(track, { path, text }),
    };
  };
  const all: TrackTexts = {
    track,
    spec: fileOf('SPEC.md'),
    plan: fileOf('PLAN.md'),
    risks: fileOf('RISKS.md'),
    decisions: fileOf('DECISIONS.md'),
  };
  const found = CHECKS.flatMap(([check, run]) => run(all).map((finding) => ({ check, ...finding })));
  const blocks = new Map(
    TASK_NAMES.map((name) => [taskFile(track, name), findBlock(name, texts[name] ?? '').block]),
  );
  // Whoever mends it in the generated block finds it moved out again.
  const next = `change its file in ${joinEntriesFolder(track)}/, or note it again; then plimsoll track sync`;
  return found.map((each) =>
    isInBlock(blocks.get(each.file ?? ''), each.line) && each.check !== 'schema' ? { ...each, next } : each,
  );
}

function isInBlock(block: Block | null | undefined, line: number | null): boolean {
  if (!block || line === null) return false;
  return line >= block.line && line < block.line + block.text.split('\n').length - 1;
}

/** What is wrong with the entries' files of a track: each keeps it from being compacted. */
export const evaluateEntries = (track: string, files: readonly InputFile[]): TrackFinding[] =>
  findEntryFaults(track, files).map(toFinding);

export const toFinding = ({ file, line, found, expected }: EntryViolation): TrackFinding => ({
  check: 'schema',
  file,
  line,
  message: found,
  next: `expected: ${expected}`,
});

/** Those that keep work from beginning: what is wrong in SPEC and PLAN. */
export const selectGateFindings = (track: string, findings: readonly TrackFinding[]): TrackFinding[] =>
  findings.filter(({ file }) => file === taskFile(track, 'SPEC.md') || file === taskFile(track, 'PLAN.md'));
