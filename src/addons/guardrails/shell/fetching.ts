// What downloads and archive programs write.

import { argumentsOf } from './operands.ts';
import type { Command } from './shell-state.ts';

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
  const { operands, values, has } = argumentsOf(hand.args, {
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
  const { operands, values, has } = argumentsOf(hand.args, {
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
  const { values, has } = argumentsOf(args, {
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
  const { values, has } = argumentsOf(hand.args, { short: 'dxP' });
  if (has('-l', '-t', '-p', '-v', '-Z')) return;
  hand.write(values('-d')[0] ?? '.', { whole: 'some' });
};

/** `gzip file`: the file goes, another comes. */
const compress: Command = (hand) => {
  const { operands, has } = argumentsOf(hand.args, { short: 'ST', long: ['suffix', 'threads'] });
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
    const path = argumentsOf(hand.args, { short: 'bxitn' }).operands[0];
    if (path !== undefined && path !== '-') hand.write(/\.\w+$/.test(path) ? path : `${path}.zip`);
  },
  '7z': (hand) => {
    const [verb = '', ...rest] = hand.args;
    const folder = rest.find((arg) => arg.startsWith('-o'))?.slice(2) ?? '.';
    if (verb === 'x' || verb === 'e') hand.write(folder, { whole: 'some' });
    else if (/^[aud]$/.test(verb)) hand.write(rest.find((arg) => !arg.startsWith('-')) ?? '');
  },
  cpio: (hand) => {
    const { values, has } = argumentsOf(hand.args, { short: 'DEFHIO', long: ['directory'] });
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
