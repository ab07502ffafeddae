// Runs `plimsoll state init`, `upgrade` and `merge`: creates the section, brings it to version 2, adds what a checkpoint knows.

import { basename, dirname, join, relative } from 'node:path';
import { type Output, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import type { Checkpoint } from '../../../compaction/checkpoint/checkpoint.ts';
import { findCheckpointId, openCheckpoint } from '../../../compaction/checkpoint/find-checkpoint.io.ts';
import { exists, isFolder } from '../../../platform/look.ts';
import { createUserFile } from '../../../platform/user-file.ts';
import { type DataMap, isMap } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { changeOrchestrationFile, changeText, readOrchestrationFile } from '../orchestration-file.io.ts';
import { findOtherWorkflow, mergeCheckpoint } from '../state/merge.ts';
import { PROTOCOL, PROTOCOL_MARK } from '../state/remarks.ts';
import { SECTION } from '../state/section.ts';
import type { Beginning } from '../state/skeleton.ts';
import { createSection, createWorkflow, findMissing, upgradeSection } from '../state/skeleton.ts';
import type { StateOptions } from './find-state.io.ts';
import {
  changeState,
  explainError,
  FILE,
  findFile,
  formatTime,
  openState,
  readPresentUsage,
  requireFile,
  tell,
} from './find-state.io.ts';
import { text as words } from './verb.io.ts';

/** Refuses a checkpoint of another workflow. */
function checkWorkflow(place: ProjectContext, checkpoint: Checkpoint, options: StateOptions): void {
  const { path, top } = openState(place, options);
  const other = findOtherWorkflow(top, checkpoint);
  if (other === null) return;
  const own = `Checkpoint ${checkpoint.event_id} is about workflow ${checkpoint.orchestration_state?.workflow_id}`;
  throw new PlimsollError('conflict', `${own}, ${displayPath(path, place)} is about ${other}`, {
    hint: 'name the file of that workflow: --file PATH',
  });
}

export function stateMerge(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const id = findCheckpointId(place, given);
  const checkpoint = openCheckpoint(place, id);
  checkWorkflow(place, checkpoint, options);
  let taken: string[] = [];
  const change = changeState(place, options, (top) => {
    const result = mergeCheckpoint(top, checkpoint);
    taken = result.taken;
    return result.top;
  });
  // The stamp of the change has the usage of now.
  if (change.context_fill_at_update !== null)
    taken = taken.filter((each) => each !== 'context_fill_at_update');
  tell(place, change, options, output, {
    line:
      taken.length === 0
        ? `Checkpoint ${id} holds nothing that is newer than the section`
        : `Taken over from ${id}: ${taken.join(', ')}`,
    data: { checkpoint: id, taken },
  });
}

export interface StateInitOptions extends StateOptions {
  workflow?: string;
  name?: string;
  project?: string;
}

/** Files beside a state file that are worth reading with it. */
const COMPANIONS = [
  ['ORCHESTRATION_PLAN.md', 'Strategic context: agents, phases, risks.', ['phase-{current_phase}']],
  ['WORKTRACKER.md', 'Tactical documentation: features, blockers, history.', ['history']],
] as const;

function beginning(place: ProjectContext, path: string): Beginning {
  const root = place.root ?? place.cwd;
  const below = (file: string): string => relative(root, file).replaceAll('\\', '/');
  const files: Beginning['files'] = [
    {
      path: below(path),
      purpose: 'Machine-readable workflow state. Read the resumption section first.',
      sections: ['resumption', 'quality_gates.{current_gate}', 'next_actions'],
    },
  ];
  for (const [name, purpose, sections] of COMPANIONS) {
    const companion = join(dirname(path), name);
    if (exists(companion)) files.push({ path: below(companion), purpose, sections: [...sections] });
  }
  return { at: formatTime(place.now), fill: readPresentUsage(place), files };
}

/** The workflow head of a new file; its names come from the options, else from the folder. */
function headFor(place: ProjectContext, path: string, options: StateInitOptions): DataMap {
  const folder = basename(dirname(path));
  const name = options.name === undefined ? folder : words(options.name, 'name');
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'workflow';
  const day = formatTime(place.now).slice(0, 10).replaceAll('-', '');
  return createWorkflow({
    id: options.workflow === undefined ? `${slug}-${day}-001` : words(options.workflow, 'id'),
    name,
    project:
      options.project !== undefined
        ? words(options.project, 'project')
        : /^PROJ-\d+/.test(folder)
          ? folder
          : null,
    at: formatTime(place.now),
  });
}

function create(place: ProjectContext, path: string, options: StateInitOptions): void {
  if (!isFolder(dirname(path))) {
    throw new PlimsollError('not-found', `There is no folder "${displayPath(dirname(path), place)}"`, {
      hint: 'make it first',
    });
  }
  const workflow = headFor(place, path, options);
  const text = changeText(
    '',
    () => ({ data: { workflow, [SECTION]: createSection({ workflow }, beginning(place, path)) } }),
    true,
  );
  if (createUserFile(path, text)) return;
  throw new PlimsollError(
    'already-exists',
    `"${displayPath(path, place)}" was created by somebody else just now`,
    {
      hint: 'run this again',
    },
  );
}

/** Adds a section to a file that has none; also a workflow head where the file is empty or the options name one. */
function add(place: ProjectContext, path: string, options: StateInitOptions): void {
  const start = beginning(place, path);
  const isNamed = [options.workflow, options.name, options.project].some((each) => each !== undefined);
  changeOrchestrationFile(
    path,
    (top) => {
      const hasNone = (top.workflow ?? null) === null;
      const withHead: DataMap =
        hasNone && (isNamed || Object.keys(top).length === 0)
          ? { ...top, workflow: headFor(place, path, options) }
          : top;
      return { data: { ...withHead, [SECTION]: createSection(withHead, start) } };
    },
    true,
  );
}

export function stateInit(place: ProjectContext, options: StateInitOptions, output: Output): void {
  const path = findFile(place, options.file) ?? join(place.root ?? place.cwd, FILE);
  const name = displayPath(path, place);
  const say = (changed: boolean, created: boolean, line: string): void =>
    output.print(options.json ? toJson({ file: path, changed, created }) : line);
  try {
    if (!exists(path)) {
      create(place, path, options);
      say(true, true, `${name} is created.\nNext: plimsoll state phase 1 --name NAME; plimsoll state show`);
      return;
    }
    const { top } = readOrchestrationFile(path);
    const section = top[SECTION] ?? null;
    if (section === null) {
      add(place, path, options);
      const line = `${name} has a resumption section now; nothing else in it changed.`;
      say(true, false, `${line}\nNext: plimsoll state show`);
      return;
    }
    const missing = isMap(section) ? findMissing(section) : [];
    if (missing.length > 0) {
      throw new PlimsollError('invalid', `${name} has a resumption section, without ${missing.join(', ')}`, {
        hint: 'plimsoll state upgrade adds what it lacks',
        found: { file: path, missing },
      });
    }
    say(false, false, `${name} has a resumption section already: nothing to do.`);
  } catch (error) {
    throw explainError(error, path, place);
  }
}

export function stateUpgrade(place: ProjectContext, options: StateOptions, output: Output): void {
  const path = requireFile(place, options.file);
  const start = beginning(place, path);
  let added: string[] = [];
  try {
    const changed = changeOrchestrationFile(
      path,
      (top, text) => {
        const data = upgradeSection(top, start);
        const section = top[SECTION];
        added = data === top || !isMap(section) ? [] : findMissing(section);
        if (data === top || text.includes(PROTOCOL_MARK)) return { data };
        return { data, remark: { section: SECTION, lines: PROTOCOL.filter((line) => line !== '') } };
      },
      true,
    );
    const name = displayPath(path, place);
    const line = changed
      ? `${name} is version 2 now; nothing in it was lost.${added.length === 0 ? '' : `\nAdded: ${added.join(', ')}`}\nNext: plimsoll state show`
      : `${name} is version 2 already: nothing to do.`;
    output.print(options.json ? toJson({ file: path, changed, added }) : line);
  } catch (error) {
    throw explainError(error, path, place);
  }
}
