// Lists the files of a project that may mark rules to be repeated at every prompt.

import { join } from 'node:path';
import { MEMORY_FILE, RULES_FOLDER } from '../../hosts/claude-code/names.ts';
import { entriesIn, stampOf } from '../../platform/look.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { FOLDER } from '../../platform/project/state-place.ts';

const MOST_FILES = 64;
const DEEPEST = 3;

export interface RuleFiles {
  /** Files, in the order that decides between equal ranks. */
  files: string[];
  /** Every file and folder, stamped before it was read: while none has changed, the result is the same. */
  looked: ReturnType<typeof stampOf>[];
}

/** Markdown files of a folder and of those below it, by name. */
function visit(folder: string, depth: number, result: RuleFiles): void {
  result.looked.push(stampOf(folder));
  const entries = entriesIn(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isFolder } of entries) {
    if (result.files.length >= MOST_FILES) return;
    const path = join(folder, name);
    if (isFolder && depth < DEEPEST) visit(path, depth + 1, result);
    else if (!isFolder && name.endsWith('.md')) {
      result.files.push(path);
      result.looked.push(stampOf(path));
    }
  }
}

/** The trusted files: those a project keeps for its agents, and nothing that an agent read elsewhere. */
export function ruleFiles(paths: ProjectPaths): RuleFiles {
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
    const stamp = stampOf(join(root, name));
    if (stamp.size >= 0) result.files.push(stamp.path);
    result.looked.push(stamp);
  }
  return result;
}
