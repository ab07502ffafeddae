// Runs `plimsoll state agent …` and `state file …`: records what agents did, and adds and removes files to read.
import { resolve } from 'node:path';
import { type Output, UserError } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { exists } from '../../../platform/look.ts';
import { addFile, agentDone, removeFile } from '../state/agent-entries.ts';
import { changeState, numberFrom, type StateOptions, tell, words } from './find-state.io.ts';

export interface FileOptions extends StateOptions {
  section?: string[];
  priority?: string;
  purpose?: string;
}

export function agentDoneCommand(
  place: ProjectContext,
  name: string,
  text: string,
  options: StateOptions,
  output: Output,
): void {
  const agent = words(name, 'name');
  // The summary is kept on one line: it is shown in a list of others.
  const summary = words(text, 'summary').replace(/\s+/g, ' ');
  if (agent === '__proto__')
    throw new UserError(`"${agent}" is no name of an agent`, { hint: 'take another', code: 2 });
  const change = changeState(place, options, (top) => agentDone(top, agent, summary));
  tell(place, change, options, output, { line: `Agent ${agent}: ${summary}`, data: { agent, summary } });
}

export function fileAdd(place: ProjectContext, given: string, options: FileOptions, output: Output): void {
  const path = words(given, 'path');
  const { section = [], priority, purpose } = options;
  let isNew = true;
  const change = changeState(place, options, (top) => {
    const result = addFile(top, {
      path,
      sections: section.map((each) => words(each, 'section')),
      ...(priority === undefined ? {} : { priority: numberFrom(priority, 'priority', 1) }),
      ...(purpose === undefined ? {} : { purpose: words(purpose, 'purpose') }),
    });
    isNew = result.isNew;
    return result.top;
  });
  const isThere = [place.root ?? place.cwd, place.cwd].some((folder) => exists(resolve(folder, path)));
  tell(place, change, options, output, {
    line: `${isNew ? 'To read' : 'Listed already'}: ${path}${isThere ? '' : ' (there is no such file yet)'}`,
    data: { path, is_new: isNew, exists: isThere },
  });
}

export function fileRemove(
  place: ProjectContext,
  given: string,
  options: StateOptions,
  output: Output,
): void {
  const path = words(given, 'path');
  const change = changeState(place, options, (top) => removeFile(top, path));
  tell(place, change, options, output, { line: `No longer to read: ${path}`, data: { path } });
}
