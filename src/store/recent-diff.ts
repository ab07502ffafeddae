// What does git see changed at the end of a turn? Kept in bounded size and time, without secrets.
import { redact } from '../model/redact.ts';
import { git, gitFolder } from './git.ts';
import type { Env } from './paths.ts';
import { keepDiff } from './transient.ts';

/** So many characters of the diff are kept. */
const MOST = 60 * 1024;
const MOST_NAMES = 200;

/** What is our own, or the client's, and no work. */
const NOT_WORK = [':(exclude)artifacts/sessions', ':(exclude)artifacts/checkpoints', ':(exclude).plimsoll'];
const DIFF = ['diff', '--no-color', '--no-ext-diff', '--no-textconv'];

/** Whole lines up to so many characters, and how much of it that is. */
function cut(text: string): string {
  if (text.length <= MOST) return text;
  const end = text.lastIndexOf('\n', MOST);
  return `${text.slice(0, end < 0 ? MOST : end)}\n(cut: ${text.length - end} more characters)\n`;
}

/** The diff against the last commit; where that is too much, which files it is about. Null where git cannot say. */
function diffIn(root: string, env: Env): string | null {
  const whole = git(root, [...DIFF, 'HEAD', '--', '.', ...NOT_WORK], env);
  if (whole?.status === 0) return whole.stdout;
  const files = git(root, [...DIFF, '--stat', 'HEAD', '--', '.', ...NOT_WORK], env);
  return files?.status === 0 ? files.stdout : null;
}

/** Writes a conversation's recent_diff.txt anew: names of files that git does not know, then the diff. */
export function recentDiff(root: string, conversation: string, env: Env): void {
  if (gitFolder(root) === null) return;
  const listed = git(root, ['ls-files', '-z', '--others', '--exclude-standard', '--', '.', ...NOT_WORK], env);
  const names = (listed?.status === 0 ? listed.stdout : '').split('\0').filter((name) => name !== '');
  const diff = diffIn(root, env);
  if (diff === null && names.length === 0) return;
  const untracked = names
    .slice(0, MOST_NAMES)
    .map((name) => `untracked: ${JSON.stringify(name).slice(1, -1)}\n`);
  const more = names.length > MOST_NAMES ? [`(${names.length - MOST_NAMES} more untracked files)\n`] : [];
  // As a whole, before it is cut: half a secret is not known for one.
  keepDiff(root, conversation, cut(redact([...untracked, ...more, diff ?? ''].join(''))));
}
