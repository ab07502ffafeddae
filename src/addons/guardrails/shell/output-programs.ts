// What downloads, archives, patches and `git config` write.

import { splitArguments } from './operands.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

const CURL = [
  'output',
  'output-dir',
  'dump-header',
  'cookie-jar',
  'trace',
  'trace-ascii',
  'stderr',
  'data',
  'data-raw',
  'data-binary',
  'data-urlencode',
  'header',
  'request',
  'user',
  'user-agent',
  'url',
  'upload-file',
  'max-time',
  'connect-timeout',
  'retry',
  'cacert',
  'cert',
  'key',
  'proxy',
  'referer',
  'form',
  'write-out',
  'config',
  'cookie',
  'range',
  'json',
  'resolve',
  'etag-save',
];

const urlName = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/^.*\//, '');

const curl: Command = (hand) => {
  const { operands, values, has } = splitArguments(hand.args, {
    short: 'odDcHXuAeTmFwbrKxEYyzCPQt',
    long: CURL,
  });
  const folder = values('--output-dir')[0];
  const under = (path: string): string =>
    folder === undefined || path.startsWith('/') ? path : `${folder}/${path}`;
  for (const path of values('-o', '--output')) if (path !== '-') hand.write(under(path));
  if (has('-O', '--remote-name', '--remote-name-all'))
    for (const url of [...operands, ...values('--url')]) hand.write(under(urlName(url)));
  for (const path of values(
    '-D',
    '--dump-header',
    '-c',
    '--cookie-jar',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--etag-save',
  ))
    if (path !== '-') hand.write(path);
  if (has('-K', '--config')) hand.unknown('its options are in a file');
};

const wget: Command = (hand) => {
  const { operands, values, has } = splitArguments(hand.args, {
    short: 'OPoaeitTUQwlADIX',
    long: [
      'output-document',
      'directory-prefix',
      'output-file',
      'append-output',
      'header',
      'post-data',
      'user-agent',
      'tries',
      'timeout',
      'input-file',
      'execute',
    ],
  });
  for (const path of values('-o', '--output-file', '-a', '--append-output')) hand.write(path);
  const output = values('-O', '--output-document');
  for (const path of output) if (path !== '-') hand.write(path);
  if (output.length > 0 || has('--spider', '--version', '--help')) return;
  const folder = values('-P', '--directory-prefix')[0] ?? '.';
  if (has('-r', '--recursive', '-m', '--mirror')) hand.write(folder, { whole: 'some' });
  else for (const url of operands) hand.write(`${folder}/${urlName(url) || 'index.html'}`);
};

const tar: Command = (hand) => {
  // The first word may be a bundle of letters without a dash.
  const [first = '', ...rest] = hand.args;
  const args = /^[A-Za-z]+$/.test(first) && !first.startsWith('-') ? bundled(first, rest) : hand.args;
  const { values, has } = splitArguments(args, {
    short: 'fCTXbKLNVgHI',
    long: [
      'file',
      'directory',
      'exclude',
      'files-from',
      'transform',
      'strip-components',
      'owner',
      'group',
      'mode',
      'use-compress-program',
      'checkpoint-action',
      'to-command',
    ],
  });
  if (has('--to-command', '--checkpoint-action', '-I', '--use-compress-program'))
    hand.unknown('it runs a program');
  const folder = values('-C', '--directory').at(-1) ?? '.';
  if (has('-x', '--extract', '--get') && !has('-O', '--to-stdout')) hand.write(folder, { whole: 'some' });
  if (has('-c', '--create', '-r', '--append', '-u', '--update', '-A'))
    for (const path of values('-f', '--file')) if (path !== '-') hand.write(path);
};

/** `xzf a.tgz` as `-x -z -f a.tgz`: letters with values take the next words in order. */
function bundled(letters: string, rest: readonly string[]): string[] {
  const left = [...rest];
  const args: string[] = [];
  for (const letter of letters) {
    args.push(`-${letter}`);
    if ('fCTXbKLNVgHI'.includes(letter)) args.push(left.shift() ?? '');
  }
  return [...args, ...left];
}

const unzip: Command = (hand) => {
  const { values, has } = splitArguments(hand.args, { short: 'dxP' });
  if (has('-l', '-t', '-p', '-v', '-Z')) return;
  hand.write(values('-d')[0] ?? '.', { whole: 'some' });
};

/** `gzip file`: the file goes, another comes. */
const compress: Command = (hand) => {
  const { operands, has } = splitArguments(hand.args, { short: 'ST', long: ['suffix', 'threads'] });
  if (has('-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list')) return;
  for (const path of operands) {
    hand.write(/\.(?:gz|bz2|xz|zst|lzma|Z)$/.test(path) ? path.replace(/\.\w+$/, '') : `${path}.gz`);
    if (!has('-k', '--keep')) hand.remove(path);
  }
};

// Which files a patch changes, and which value a git command gives to a key of its configuration.
/** Settings whose value git runs by itself, or reads as more settings. */
const RUNS =
  /^(?:core\.(?:hookspath|sshcommand|gitproxy)|init\.templatedir|filter\..+\.(?:clean|smudge|process)|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|remote\..+\.(?:uploadpack|receivepack)|include\.path|includeif\..+\.path)$/i;
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

const patch: Command = (hand) => {
  const {
    operands,
    values,
    has: hasOption,
  } = splitArguments(hand.args, {
    short: 'ioprBdDFgVYz',
    long: ['input', 'output', 'strip', 'reject-file', 'prefix', 'directory', 'fuzz', 'suffix'],
  });
  if (hasOption('--dry-run')) return;
  const folder = values('-d', '--directory')[0];
  const under = (path: string): string => (folder === undefined ? path : `${folder}/${path}`);
  const output = values('-o', '--output')[0] ?? operands[0];
  if (output !== undefined) return hand.write(under(output));
  const input = values('-i', '--input')[0];
  const text = input === undefined ? hand.state.input : hand.read(input);
  const strip = Number(values('-p', '--strip')[0] ?? 1);
  const files = text === null || text.includes(UNKNOWN_PART) ? null : listPatchedFiles(text, strip);
  if (files === null) hand.unknown('its patch cannot be read');
  else for (const path of files) hand.write(under(path));
};

export const FETCHING: Record<string, Command> = {
  curl,
  wget,
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
  patch,
  zip: (hand) => {
    const path = splitArguments(hand.args, { short: 'bxitn' }).operands[0];
    if (path !== undefined && path !== '-') hand.write(/\.\w+$/.test(path) ? path : `${path}.zip`);
  },
  '7z': (hand) => {
    const [verb = '', ...rest] = hand.args;
    const folder = rest.find((arg) => arg.startsWith('-o'))?.slice(2) ?? '.';
    if (verb === 'x' || verb === 'e') hand.write(folder, { whole: 'some' });
    else if (/^[aud]$/.test(verb)) hand.write(rest.find((arg) => !arg.startsWith('-')) ?? '');
  },
  cpio: (hand) => {
    const { values, has } = splitArguments(hand.args, { short: 'DEFHIO', long: ['directory'] });
    if (has('-i', '--extract', '-p', '--pass-through'))
      hand.write(values('-D', '--directory')[0] ?? '.', { whole: 'some' });
  },
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
};
