// What downloads, archive programs and others with an output option write.

import { normalize } from '../../../text/path-text.ts';
import { readPartText, readPaths } from './effects.ts';
import { plain } from './expand.ts';
import { splitArguments } from './operands.ts';
import { type Command, type EvalContext, SHELL_MARKS, type ShellState, UNKNOWN_PART } from './shell-state.ts';

// Computes what a command prints, for the few whose output follows from their arguments.
const UNKNOWN = [UNKNOWN_PART];
/** More text than this names no files. */
const LONGEST = 100_000;

/** The text of a file as a command prints it; a hole where it is not known. */
export const asOutput = (text: string | null): string =>
  text === null || text.length > LONGEST || SHELL_MARKS.test(text) ? UNKNOWN_PART : text.replace(/\n+$/, '');

/** What `cat` prints of files that are there. */
function contents(words: readonly string[], state: ShellState, run: EvalContext): string[] {
  const texts = words.map((word) => {
    const paths = word.startsWith('-') ? null : readPaths(word, state, run);
    return paths?.length === 1 ? readPartText(paths[0] as string, run) : null;
  });
  return [texts.includes(null) ? UNKNOWN_PART : asOutput(texts.join(''))];
}

function printf(args: readonly string[]): string {
  const [format = '', ...rest] = args;
  const values = [...rest];
  const once = (): string =>
    format
      .replace(/%%|%[-\d.]*([sbdq])/g, (found, kind) =>
        kind ? (values.shift() ?? '') : found === '%%' ? '%' : found,
      )
      .replace(/\\n/g, '\n')
      .replace(/\\t/g, '\t')
      .replace(/\\x([0-9a-fA-F]{1,2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\0?([0-7]{1,3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8) & 255));
  let text = once();
  for (let left = 64; values.length > 0 && left > 0 && /%[-\d.]*[sbdq]/.test(format); left--) text += once();
  return text;
}

function echo(args: readonly string[]): string {
  let at = 0;
  let isEscaped = false;
  while (/^-[neE]+$/.test(args[at] ?? '')) isEscaped ||= (args[at++] ?? '').includes('e');
  const text = args.slice(at).join(' ');
  return isEscaped ? printf([text.replaceAll('%', '%%')]) : text;
}

/** What a simple command prints, without the last line end; a hole where that cannot be known. */
export function computePrinted(words: readonly string[], state: ShellState, run: EvalContext): string[] {
  const [name = '', ...raw] = words;
  const args = raw.map(plain);
  const last = args.at(-1) ?? '';
  switch (name.replace(/^.*\//, '')) {
    case 'echo':
      return [echo(args)];
    case 'printf':
      return args[0] === '-v' ? [''] : [printf(args).replace(/\n+$/, '')];
    case 'pwd':
      return state.folders ?? UNKNOWN;
    case 'dirname':
      return last.includes(UNKNOWN_PART)
        ? UNKNOWN
        : [last.includes('/') ? last.replace(/\/+[^/]*\/*$/, '') || '/' : '.'];
    case 'basename': {
      if (args.length === 0 || args.some((arg) => arg.includes(UNKNOWN_PART))) return UNKNOWN;
      const [path = '', suffix = ''] = args.filter((arg) => !arg.startsWith('-'));
      const base = path.replace(/\/+$/, '').replace(/^.*\//, '');
      return [suffix !== '' && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base];
    }
    case 'realpath':
    case 'readlink': {
      const paths = args.length > 0 ? readPaths(raw.at(-1) ?? '', state, run) : null;
      return paths === null ? UNKNOWN : paths.map((path) => run.sight.resolve(path, true).path);
    }
    case 'mktemp':
      return raw.every((arg) => arg === '-d' || arg === '-u' || arg === '-q') ? ['/tmp/tmp.mktemp'] : UNKNOWN;
    case 'git':
      return args.join(' ') === 'rev-parse --show-toplevel' ? topOf(state, run) : UNKNOWN;
    case 'cat':
      return args.length === 0 || last === '-' ? [asOutput(state.input)] : contents(raw, state, run);
    case 'whoami':
    case 'date':
    case 'hostname':
    case 'uname':
    case 'nproc':
    case 'wc':
      // Not known, but without a slash as a rule: dates and counts in file names.
      return args.some((arg) => arg.includes('/') || arg.includes(UNKNOWN_PART)) ? UNKNOWN : ['0'];
    case 'true':
    case ':':
      return [''];
    default:
      return UNKNOWN;
  }
}

/** The top of the repository that the shell is in: the project's root, or the worktree's. */
function topOf(state: ShellState, run: EvalContext): string[] {
  if (state.folders === null) return UNKNOWN;
  return state.folders.map((folder) => {
    const { path, worktree } = run.sight.resolve(folder, true);
    const root = normalize(run.call.root);
    if (worktree !== null) return worktree;
    return path === root || path.startsWith(`${root}/`) ? root : UNKNOWN_PART;
  });
}

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

export const FETCHING: Record<string, Command> = {
  curl,
  wget,
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
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
