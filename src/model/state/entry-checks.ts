// Checks the files to read and the decisions of a state file.
import { type DataMap, isMap } from '../edits.ts';
import { decisionsIn } from './decisions.ts';
import { BY_HAND, isNone, type Say, shown } from './finding.ts';
import { SECTION } from './section.ts';

export function checkFiles(section: DataMap, say: Say): void {
  const files = section.files_to_read;
  if (isNone(files)) return;
  const path = [SECTION, 'files_to_read'];
  if (!Array.isArray(files)) {
    say('note', path, shown(files), 'a list of files', BY_HAND);
    return;
  }
  files.forEach((each, index) => {
    const file = isMap(each) ? each.path : each;
    if (typeof file !== 'string')
      say(
        'problem',
        [...path, index],
        shown(each),
        'a path, or a map with "path"',
        `${BY_HAND}, or plimsoll state file add PATH`,
      );
    else if (isMap(each) && !isNone(each.sections) && !Array.isArray(each.sections))
      say('note', [...path, index, 'sections'], shown(each.sections), 'a list of sections', BY_HAND);
  });
}

export function checkDecisions(section: DataMap, say: Say): void {
  for (const key of ['decisions', 'decision_log']) {
    const value = section[key];
    if (isNone(value)) continue;
    if (!Array.isArray(value) && !isMap(value)) {
      say('problem', [SECTION, key], shown(value), 'a list of decisions', BY_HAND);
      continue;
    }
    if (isMap(value)) say('note', [SECTION, key], 'a map', 'a list of decisions', BY_HAND);
    const seen = new Set<string>();
    (Array.isArray(value) ? [...value.entries()] : Object.entries(value)).forEach(([where, each]) => {
      const [decision] = decisionsIn({ [key]: Array.isArray(value) ? [each] : { [where]: each } });
      const path = [SECTION, key, where];
      if (decision === undefined) say('problem', path, shown(each), 'a map with "decision"', BY_HAND);
      else if (decision.id === '') say('note', path, 'no id', 'an id such as RD-001', BY_HAND);
      else if (seen.has(decision.id))
        say('problem', path, `${decision.id} again`, 'an id of its own', BY_HAND);
      if (decision !== undefined) seen.add(decision.id);
      const applied = isMap(each) ? each.applied : undefined;
      if (decision !== undefined && applied !== undefined && typeof applied !== 'boolean')
        say(
          'note',
          [...path, 'applied'],
          `${shown(applied)}, read as ${decision.applied ? 'applied' : 'not applied'}`,
          'true or false',
          BY_HAND,
        );
    });
  }
}
