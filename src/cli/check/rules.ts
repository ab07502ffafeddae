// Check "rules": every rule marked with L2-REINJECT is read, and so repeated at prompts.
import { markerFindings } from '../../model/check/rules.ts';
import { qualityPath, shownBelow } from '../../store/paths.ts';
import { ruleFiles } from '../../store/rule-files.ts';
import type { Check } from './check.ts';

export const rules: Check = {
  name: 'rules',
  rules: { marker: 'A rule is marked with L2-REINJECT and is not said again.' },
  look: ({ files, place, root }) => {
    const quality = shownBelow(qualityPath(place.paths), root);
    const read = new Set(ruleFiles(place.paths).files.map((path) => shownBelow(path, root)));
    return files
      .filter(({ path }) => read.has(path) || path === quality)
      .flatMap((file) => markerFindings(file.path, file.text() ?? '', read.has(file.path)));
  },
};
