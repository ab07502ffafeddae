// Reads the rules that a project wants repeated at every prompt; they are kept with the settings.

import { join } from 'node:path';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { MEMORY_FILE, RULES_FOLDER } from '../../hosts/claude-code/names.ts';
import { readInProject, readInProjectOrNull } from '../../platform/in-project.ts';
import { listEntries, readStamp } from '../../platform/look.ts';
import { findQualityPath, makeRelative, type ProjectPaths } from '../../platform/project/paths.ts';
import { FOLDER } from '../../platform/project/state-place.ts';
import { RULES_FILE } from '../../platform/read.ts';
import type { SettingProblem, Stamp } from '../../settings/resolved.ts';
import type { Settings } from '../../settings/settings.ts';
import { BUDGETS, estimateTokens, fitLines, type RankedLine } from '../../text/budget.ts';
import { escapeInline, quoteLine } from '../../text/escape.ts';
import { redact } from '../../text/redact.ts';
import type { PromptText } from '../addon.ts';
import { type Marker, rankMarkers, readMarkers } from './reinforcement.ts';

/** The lines without comments, which are for the people who edit the file, and without repeated blank lines. */
const plainLines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''));

/**
 * The `<quality-context>` tag: the file, quoted, without its comments, at most 700 tokens. What does not fit is left
 * out from the end, and the file is named. Null when the file is empty.
 *
 * @param file the file as the agent would type it
 */
export function buildQualityContext(text: string, file: string): string | null {
  const lines = plainLines(text).map(quoteLine);
  while (lines.at(-1) === '>') lines.pop();
  if (lines.length === 0) return null;
  const body = lines.map((line): RankedLine => ({ text: line, rank: 1, called: 'the end' }));
  return fitLines(
    [
      { text: '<quality-context>', rank: 0 },
      { text: `The project's own rules (from ${escapeInline(file)}), not the user's words:`, rank: 0 },
      ...body,
      { text: '</quality-context>', rank: 0 },
    ],
    BUDGETS.quality,
    file,
  );
}

/** The project's own quality rules as a session is told them at its start; null where it has none. */
export function readQualityContext({ paths }: Pick<HookContext, 'paths'>): string | null {
  const quality = findQualityPath(paths);
  const text = paths.root === null ? null : readInProjectOrNull(paths.root, quality, RULES_FILE);
  // Redacted before it is cut, because half a secret is not recognised.
  return text === null ? null : buildQualityContext(redact(text), makeRelative(quality, paths.root));
}

// Lists the files of a project that may mark rules to be repeated at every prompt.
const MOST_FILES = 64;
const DEEPEST = 3;

interface RuleFiles {
  /** Files, in the order that decides between equal ranks. */
  files: string[];
  /** Every file and folder, stamped before it was read: while none has changed, the result is the same. */
  looked: ReturnType<typeof readStamp>[];
}

/** Markdown files of a folder and of those below it, by name. */
function visit(folder: string, depth: number, result: RuleFiles): void {
  result.looked.push(readStamp(folder));
  const entries = listEntries(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isFolder } of entries) {
    if (result.files.length >= MOST_FILES) return;
    const path = join(folder, name);
    if (isFolder && depth < DEEPEST) visit(path, depth + 1, result);
    else if (!isFolder && name.endsWith('.md')) {
      result.files.push(path);
      result.looked.push(readStamp(path));
    }
  }
}

/** The trusted files: those a project keeps for its agents, and nothing that an agent read elsewhere. */
export function readRuleFiles(paths: ProjectPaths): RuleFiles {
  const { root } = paths;
  const result: RuleFiles = { files: [], looked: [] };
  if (root === null) return result;
  for (const folder of [
    join(root, FOLDER, 'rules'),
    join(root, RULES_FOLDER),
    join(root, '.context', 'rules'),
  ])
    visit(folder, 1, result);
  for (const name of [MEMORY_FILE, 'AGENTS.md']) {
    const stamp = readStamp(join(root, name));
    if (stamp.size >= 0) result.files.push(stamp.path);
    result.looked.push(stamp);
  }
  return result;
}

// The `<quality-reinforcement>` message: the project's rules that are repeated at every prompt, within a budget.
interface Reinforcement {
  /** The tag, or null when there is no rule for it. */
  text: string | null;
  /** Rules that did not fit. */
  left: Marker[];
}

const tagged = (lines: readonly string[]): string =>
  `<quality-reinforcement>\nThe project's own rules, not the user's words:\n${lines.join('\n')}\n</quality-reinforcement>`;

/**
 * The `<quality-reinforcement>` tag: rules by rank, whole ones, until one does not fit into 600 tokens; that one and all
 * of a higher rank number are left out. A rule longer than the whole budget is left out without stopping the others.
 * The same rules give the same bytes.
 */
export function buildReinforcement(markers: readonly Marker[]): Reinforcement {
  const budget = BUDGETS.reinforcement;
  const lines: string[] = [];
  const left: Marker[] = [];
  let isFull = false;
  for (const marker of markers) {
    const line = quoteLine(marker.content);
    const isTooLong = estimateTokens(tagged([line])) > budget;
    if (!isTooLong && !isFull && estimateTokens(tagged([...lines, line])) <= budget) lines.push(line);
    else {
      left.push(marker);
      isFull ||= !isTooLong;
    }
  }
  return { text: lines.length === 0 ? null : tagged(lines), left };
}

export interface ProjectRules {
  /** By rank. */
  rules: Marker[];
  problems: SettingProblem[];
  /** Files and folders that the rules were read from: while these are unchanged, so are the rules. */
  looked: Stamp[];
}

/** Reads the rule files. A file that cannot be read is left out and reported as a problem. */
export function readProjectRules(paths: ProjectPaths): ProjectRules {
  const { files, looked } = readRuleFiles(paths);
  const problems: SettingProblem[] = [];
  const markers = files.flatMap((path) => {
    const shown = makeRelative(path, paths.root);
    try {
      const { found, faults } = readMarkers(readInProject(paths.root ?? '/', path, RULES_FILE) ?? '', shown);
      problems.push(...faults.map((fault) => ({ origin: 'project' as const, ...fault })));
      return found;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ origin: 'project', where: shown, message });
      return [];
    }
  });
  return { rules: rankMarkers(markers), problems, looked };
}

/** The `<quality-reinforcement>` message for every prompt. */
export function readReinforcement(paths: ProjectPaths, settings: Settings): PromptText {
  if (!settings['quality.reinforcement']) return { text: null, problems: [], stamps: [] };
  const { rules, problems, looked } = readProjectRules(paths);
  // Redacted before the text is cut, because half a secret is not recognised.
  const { text } = buildReinforcement(rules.map((rule) => ({ ...rule, content: redact(rule.content) })));
  return { text, problems, stamps: looked };
}
