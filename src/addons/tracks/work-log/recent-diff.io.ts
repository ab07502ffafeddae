// Saves git's diff at the end of a turn, in bounded size and time and without secrets.

import type { Repository } from '../../../platform/git/git.io.ts';
import { findPrefix, findRepository, quotePathspec, tryGit } from '../../../platform/git/git-state.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { redact } from '../../../text/redact.ts';
import { keepDiff } from './session-artifacts.io.ts';

/** The most characters of the diff that are kept. */
const MOST = 60 * 1024;
const MOST_NAMES = 200;

/** Folders of our own files, which are not part of the work. */
const NOT_WORK = ['artifacts/sessions', 'artifacts/checkpoints', '.plimsoll'];

/** Cuts the text at a line end and adds how much was cut. */
function cut(text: string): string {
  if (text.length <= MOST) return text;
  const end = text.lastIndexOf('\n', MOST);
  return `${text.slice(0, end < 0 ? MOST : end)}\n(cut: ${text.length - end} more characters)\n`;
}

/** The diff against the last commit; if that is too large, only its list of files. Null when git fails. */
function diffIn(repository: Repository, work: readonly string[], env: Env): string | null {
  const whole = tryGit(repository, ['diff', '--no-color', 'HEAD', '--', ...work], env);
  if (whole?.status === 0) return whole.stdout;
  const files = tryGit(repository, ['diff', '--no-color', '--stat', 'HEAD', '--', ...work], env);
  return files?.status === 0 ? files.stdout : null;
}

/** Rewrites a session's recent_diff.txt: names of untracked files, then the diff. */
export function saveRecentDiff(root: string, session: string, env: Env): void {
  const repository = findRepository(root);
  if (repository === null) return;
  const prefix = findPrefix(repository.top, root);
  const work = [quotePathspec(prefix), ...NOT_WORK.map((name) => `:(top,exclude,literal)${prefix}${name}`)];
  const listed = tryGit(repository, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...work], env);
  const names = (listed?.status === 0 ? listed.stdout : '')
    .split('\0')
    .flatMap((name) => (name === '' ? [] : [name.slice(prefix.length)]));
  const diff = diffIn(repository, work, env);
  if (diff === null && names.length === 0) return;
  const untracked = names
    .slice(0, MOST_NAMES)
    .map((name) => `untracked: ${JSON.stringify(name).slice(1, -1)}\n`);
  const more = names.length > MOST_NAMES ? [`(${names.length - MOST_NAMES} more untracked files)\n`] : [];
  // Redacted before it is cut, because half a secret is not recognised.
  keepDiff(root, session, cut(redact([...untracked, ...more, diff ?? ''].join(''))));
}
