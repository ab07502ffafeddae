// Reads which files a patch changes, and which value a git command gives to a key of its configuration.

import { splitArguments } from './operands.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

/** Settings whose value git runs by itself, or reads as more settings. */
const RUNS =
  /^(?:core\.(?:hookspath|sshcommand|gitproxy)|filter\..+\.(?:clean|smudge|process)|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|remote\..+\.(?:uploadpack|receivepack)|include\.path|includeif\..+\.path)$/i;
/** The same, where the value is no plain word: an alias of another name, git's own watcher. */
const MAY_RUN: readonly (readonly [RegExp, RegExp])[] = [
  [/^alias\..+$/i, /^\s*!/],
  [/^credential\.(?:.+\.)?helper$/i, /^\s*!/],
  [/^core\.fsmonitor$/i, /^(?!(?:true|false|1|0)?$)/],
];
const VERBS = /^(?:list|get|get-all|set|unset|rename-section|remove-section|edit)$/;
const READING = ['--get', '--get-all', '--get-regexp', '--get-urlmatch', '--get-color', '--list', '-l'];
const REMOVING = ['--unset', '--unset-all'];

/** The file of the repository that the shell is in, from a folder on in which there is none. */
function ownFile(hand: CommandContext): string {
  for (let up = '', left = 12; left > 0; up += '../', left--)
    if (hand.isFolder(`${up}.git`)) return `${up}.git/config`;
  return '.git/config';
}

function fileOf(hand: CommandContext, has: (...names: string[]) => boolean): string {
  if (has('--global')) return `${hand.state.variables.get('HOME')?.[0] ?? UNKNOWN_PART}/.gitconfig`;
  return has('--system') ? '/etc/gitconfig' : ownFile(hand);
}

export const config: Command = (hand) => {
  const { operands, values, has } = splitArguments(hand.args, {
    short: 'ft',
    long: ['file', 'blob', 'type', 'default', 'value', 'comment'],
  });
  const verb = VERBS.exec(operands[0] ?? '')?.[0];
  const [key = '', value] = verb === undefined ? operands : operands.slice(1);
  const isRemoved = verb === 'unset' || has(...REMOVING);
  const isRead = /^(?:list|get)/.test(verb ?? '') || has(...READING) || (value === undefined && !isRemoved);
  const named = values('-f', '--file')[0];
  if (named !== undefined) {
    if (!isRead || verb === 'remove-section' || verb === 'edit') hand.write(named);
    return;
  }
  if (isRead) return;
  const runs = RUNS.test(key) || MAY_RUN.some(([name, text]) => name.test(key) && text.test(value ?? ''));
  if (runs) hand.write(fileOf(hand, has), { by: `git config ${key}` });
};

const named = (line: string): string =>
  line
    .replace(/\t.*$/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim();

const stripped = (path: string, strip: number): string => {
  let rest = path;
  for (let left = strip; left > 0 && rest.includes('/'); left--) rest = rest.replace(/^[^/]*\/+/, '');
  return rest;
};

/** Names of the changed files, `strip` leading parts taken off; null when no header is found. */
export function listPatchedFiles(text: string, strip: number): string[] | null {
  const files = new Set<string>();
  for (const line of text.split('\n')) {
    const header = /^(?:---|\+\+\+|\*\*\*) (\S.*)$/.exec(line);
    if (header && !/^\*\*\* \d/.test(line)) {
      const path = named(header[1] as string);
      if (path !== '/dev/null') files.add(stripped(path, strip));
    }
    const moved = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line);
    if (moved) files.add(named(moved[1] as string));
    const index = /^Index: (.+)$/.exec(line);
    if (index) files.add(named(index[1] as string));
    const git = /^diff --git a\/(.+) b\/(.+)$/.exec(line);
    if (git) files.add(named(git[2] as string));
  }
  return files.size > 0 ? [...files] : null;
}
