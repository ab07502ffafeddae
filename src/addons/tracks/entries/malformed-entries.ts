// Finds lines that look like entries and are none. The command reports them but refuses none: they may be prose.

import { TASK_NAMES, taskFile } from '../layout.ts';
import { readWorkLog, trackAt } from '../work-log/work-log.ts';
import { findBlocks, outsideOf } from './blocks.ts';
import { findSessionOfLog, type InputFile } from './collect.ts';
import { isHead } from './parse-entries.ts';
import { exampleOf } from './read-entries.ts';
import { textLines } from './text-lines.ts';

/** In bold, in other letters, without its dash, with another sign of a list, or as a heading. */
const NEAR =
  /^\s*(?:> *)?(?:#{1,6} +|[-*+•–—] *|\d+[.)] +)?(?:\[.?\] *)?[*_]{0,3}(decision|risk|task|invariant)[*_]{0,3} ?[:：][*_]{0,3}\s*[^\s*_]/i;

interface Near {
  kind: 'decision' | 'risk' | 'task' | 'invariant';
  line: number;
}

const nearIn = (text: string): Near[] =>
  textLines(text).flatMap(({ text: own, line }) => {
    const word = isHead(own) ? undefined : NEAR.exec(own)?.[1];
    return word === undefined ? [] : [{ kind: word.toLowerCase() as Near['kind'], line }];
  });

/** Those of a file that are about the track: of a log what stands in a stretch of it, of a document what stands outside of our blocks. */
function nearOf(track: string, { path, text }: InputFile): Near[] {
  if (TASK_NAMES.some((name) => taskFile(track, name) === path))
    return nearIn(outsideOf(text, findBlocks(path, text).blocks));
  if (findSessionOfLog({ path, text }) === null) return [];
  const log = readWorkLog(path, text);
  return nearIn(text).filter(({ line }) => trackAt(log, line) === track);
}

/** One sentence for each file that has such lines, by path. */
export function findMalformedEntries(track: string, files: readonly InputFile[]): string[] {
  return files
    .flatMap((file) => {
      const [first, ...more] = nearOf(track, file);
      if (first === undefined) return [];
      const others = more.length === 0 ? '' : ` (and ${more.length} more below it)`;
      const [head = ''] = exampleOf(first.kind).split('\n');
      const one = first.kind === 'invariant' ? 'an invariant' : `a ${first.kind}`;
      return `${file.path}:${first.line} looks like ${one} and is not taken up${others}: an entry begins with "${head}"; leave it where it is prose`;
    })
    .sort();
}
