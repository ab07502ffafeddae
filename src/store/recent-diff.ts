// What git sees changed at the end of a turn, kept in bounded size and time, without secrets.
import { redact } from '../model/redact.ts';
import type { Repository } from '../platform/git.io.ts';
import { findRepository, git, literally, prefixIn } from './git.ts';
import type { Env } from './paths.ts';
import { keepDiff } from './transient.ts';

/** So many characters of the diff are kept. */
const MOST = 60 * 1024;
const MOST_NAMES = 200;

/** What is our own, or the client's, and no work. */
const NOT_WORK = ['artifacts/sessions', 'artifacts/checkpoints', '.plimsoll'];

/** Whole lines up to so many characters, and how much of it that is. */
function cut(text: string): string {
  if (text.length <= MOST) return text;
  const end = text.lastIndexOf('\n', MOST);
  return `${text.slice(0, end < 0 ? MOST : end)}\n(cut: ${text.length - end} more characters)\n`;
}

/** The diff against the last commit; where that is too much, which files it is about. Null where git cannot say. */
function diffIn(repository: Repository, work: readonly string[], env: Env): string | null {
  const whole = git(repository, ['diff', '--no-color', 'HEAD', '--', ...work], env);
  if (whole?.status === 0) return whole.stdout;
  const files = git(repository, ['diff', '--no-color', '--stat', 'HEAD', '--', ...work], env);
  return files?.status === 0 ? files.stdout : null;
}

/** Writes a conversation's recent_diff.txt anew: names of files that git does not know, then the diff. */
export function recentDiff(root: string, conversation: string, env: Env): void {
  const repository = findRepository(root);
  if (repository === null) return;
  const prefix = prefixIn(repository.top, root);
  const work = [literally(prefix), ...NOT_WORK.map((name) => `:(top,exclude,literal)${prefix}${name}`)];
  const listed = git(repository, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...work], env);
  const names = (listed?.status === 0 ? listed.stdout : '')
    .split('\0')
    .flatMap((name) => (name === '' ? [] : [name.slice(prefix.length)]));
  const diff = diffIn(repository, work, env);
  if (diff === null && names.length === 0) return;
  const untracked = names
    .slice(0, MOST_NAMES)
    .map((name) => `untracked: ${JSON.stringify(name).slice(1, -1)}\n`);
  const more = names.length > MOST_NAMES ? [`(${names.length - MOST_NAMES} more untracked files)\n`] : [];
  // As a whole, before it is cut: half a secret is not known for one.
  keepDiff(root, conversation, cut(redact([...untracked, ...more, diff ?? ''].join(''))));
}
