// Reads the texts of git objects by their ids, many in two runs of git, without passing any path.
import type { Git } from './git-run.ts';

/** Larger objects are not judged. */
const LARGEST = 2_000_000;

/** Ids of the objects that exist and are not too large. */
function readable(git: Git, ids: readonly string[]): string[] {
  const answer = git.tell(['cat-file', '--batch-check'], `${ids.join('\n')}\n`).toString('utf8');
  return answer.split('\n').flatMap((line) => {
    const [id = '', kind, size] = line.split(' ');
    return kind === 'blob' && Number(size) <= LARGEST ? [id] : [];
  });
}

/** Texts by id; what is missing or larger than 2 MB is left out. Two runs of git, however many they are. */
export function readBlobs(git: Git, ids: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  const wanted = ids.length === 0 ? [] : readable(git, [...new Set(ids)]);
  if (wanted.length === 0) return texts;
  const answer = git.tell(['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(10, at);
    const [id = '', , size] = answer.toString('latin1', at, end).split(' ');
    const from = end + 1;
    texts.set(id, answer.toString('utf8', from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return texts;
}
