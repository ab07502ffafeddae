// What find, xargs and parallel change, and what a search and a few other commands print, for others to read.

import { normalize } from '../../../text/path-text.ts';
import { namesFolder, readPartText, readPaths } from './effects.ts';
import { plain } from './expand.ts';
import { splitArguments } from './operands.ts';
import {
  type Command,
  type CommandContext,
  type EvalContext,
  GLOB,
  GLOB_END,
  SHELL_MARKS,
  type ShellState,
  UNKNOWN_PART,
} from './shell-state.ts';

const EXEC_TESTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FILES = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

const isPattern = (name: string): boolean => /[*?[]/.test(name);

/** A path that stands for those found: below the start, with the name that they have, where all of that name are meant. */
const standIn = (start: string, name: string | undefined): string =>
  `${start.replace(/\/$/, '')}/${UNKNOWN_PART}${name === undefined ? '' : `/${GLOB}${name}${GLOB_END}`}`;

/** Files that a search finds: by their name; `isAll`: no test narrows it to some of them. */
interface Found {
  name: string | undefined;
  isAll: boolean;
}

/** What a search prints of the files that it lists, one a line; a hole where nothing is known of them. */
function findListed(name: string, args: readonly string[], isFolder: (path: string) => boolean): string {
  if (name === 'find') {
    const [starts, tests] = splitFind(args);
    const acts = tests.some((test) => EXEC_TESTS.has(test) || /^-(?:delete|printf|ls)$/.test(test));
    const found = foundBy(tests);
    return acts ? UNKNOWN_PART : starts.map((start) => standIn(start, found.name)).join('\n');
  }
  const { operands, has } = splitArguments(args, { short: 'egtTmABC', long: ['include', 'exclude', 'glob'] });
  const isNamed = name !== 'grep' && name !== 'rg';
  if (!isNamed && !has('-l', '-L', '--files-with-matches', '--files-without-match', '--files'))
    return UNKNOWN_PART;
  const skipped = name === 'ls' || name === 'git' || has('-e', '--files') ? 0 : 1;
  const paths = operands.slice(skipped);
  // The names in a folder are printed without it.
  if (paths.length === 0 || (name === 'ls' && paths.some(isFolder))) return UNKNOWN_PART;
  return paths.map((path) => (isFolder(path) ? standIn(path, undefined) : path)).join('\n');
}

function removeFound(hand: CommandContext, starts: readonly string[], { name, isAll }: Found): void {
  for (const start of starts) {
    if (isAll && name === undefined) hand.remove(start, { whole: 'all', by: 'find' });
    else hand.remove(standIn(start, name), { by: 'find' });
  }
}

function splitFind(args: readonly string[]): [starts: string[], tests: string[]] {
  const at = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg));
  const starts = (at < 0 ? args : args.slice(0, at)).filter((arg) => !arg.startsWith('-'));
  return [starts.length === 0 ? ['.'] : starts, at < 0 ? [] : args.slice(at)];
}

const find: Command = (hand) => {
  const [starts, tests] = splitFind(hand.args);
  const found = foundBy(tests);
  for (let index = 0; index < tests.length; index++) {
    const test = tests[index] as string;
    if (test === '-delete') removeFound(hand, starts, found);
    else if (FILES.has(test)) hand.write(tests[index + 1] ?? '', { by: `find ${test}` });
    else if (EXEC_TESTS.has(test)) {
      const end = tests.findIndex((arg, place) => place > index && (arg === ';' || arg === '+'));
      const words = tests.slice(index + 1, end < 0 ? undefined : end);
      for (const start of starts) runOnFound(hand, words, start, found);
      if (end < 0) return;
      index = end;
    }
  }
};

/** Tests other than the name narrow what is found to something unknown. */
const NARROWING =
  /^(?:!|\(|,|-(?:not|o|or|prune|quit|i?path|i?wholename|i?regex|i?lname|[acm]?newer.*|size|[acm]time|[acm]min|used|user|uid|nouser|group|gid|nogroup|empty|m(?:ax|in)depth|perm|links|inum|samefile|readable|writable|executable|x?dev|mount|fstype))$/;

function foundBy(tests: readonly string[]): Found {
  const isAll = !tests.some((arg) => NARROWING.test(arg));
  const at = tests.findIndex((arg) => /^-i?name$/.test(arg));
  const name = at < 0 ? undefined : tests[at + 1]?.replaceAll(GLOB, '').replaceAll(GLOB_END, '');
  // A plain name is worth asking about, whatever else is asked of the file.
  return { name: name === undefined || isAll || !isPattern(name) ? name : undefined, isAll };
}

function runOnFound(hand: CommandContext, words: readonly string[], start: string, found: Found): void {
  const removes = /^(?:rm|unlink|shred|trash)$/.test((words[0] ?? '').replace(/^.*\//, ''));
  if (removes) removeFound(hand, [start], found);
  else hand.run(words.map((word) => word.replaceAll('{}', standIn(start, found.name))));
}

const xargs: Command = (hand) => {
  const { operands, values, has } = splitArguments(hand.args, {
    short: 'aEIJLPRSdns',
    long: [
      'arg-file',
      'delimiter',
      'max-args',
      'max-procs',
      'replace',
      'max-lines',
      'max-chars',
      'process-slot-var',
    ],
    stops: true,
  });
  const words = operands.length > 0 ? operands : ['echo'];
  const place = values('-I', '-J', '--replace')[0] ?? (has('-i') ? '{}' : undefined);
  const file = values('-a', '--arg-file')[0];
  const known = file === undefined ? hand.state.input : hand.read(file);
  const between = values('-d', '--delimiter')[0] ?? '';
  const items = (known ?? UNKNOWN_PART)
    .split(/^[^\w\\]$/.test(between) ? between : /\s+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (place === undefined)
    return hand.run([...words, ...items.map((item) => item.replace(/^(['"])(.*)\1$/, '$2'))], null);
  for (const item of items.slice(0, 100))
    hand.run(
      words.map((word) => word.replaceAll(place, item)),
      null,
    );
};

export const SEARCHING: Record<string, Command> = {
  find,
  gfind: find,
  xargs,
  gxargs: xargs,
  /** Its arguments are a command with the items after `:::`. */
  parallel: (hand) => {
    const at = hand.args.findIndex((arg) => arg.startsWith(':::'));
    const { operands } = splitArguments(at < 0 ? hand.args : hand.args.slice(0, at), {
      short: 'jIadNLns',
      stops: true,
    });
    const items = at < 0 ? [UNKNOWN_PART] : hand.args.slice(at + 1);
    for (const item of items.slice(0, 100)) {
      const text = operands.join(' ');
      const filled = text.includes('{}') ? text.replaceAll('{}', item) : `${text} ${item}`;
      hand.script(filled);
    }
  },
};

// What a command prints, for the few whose output follows from their arguments.
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
      // NUL stands between names, as a line end does; here it means what is not known.
      .replace(/\\0?([0-7]{1,3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8) & 255 || 10));
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
    case 'mktemp': {
      const { operands, values } = splitArguments(raw, { short: 'pt', long: ['tmpdir', 'suffix'] });
      const folder = values('-p', '--tmpdir')[0];
      const [template] = operands;
      if (template?.includes('/')) return [template];
      const base = folder || (template === undefined || values('-t').length > 0 ? '/tmp' : '.');
      return [`${base}/${template ?? 'tmp.mktemp'}`];
    }
    case 'git':
      return printedByGit(raw, state, run);
    case 'cat':
      return args.length === 0 || last === '-'
        ? [(state.input ?? UNKNOWN_PART).trimEnd()]
        : contents(raw, state, run);
    case 'which':
    case 'command':
    case 'type':
      return args.length === 2 || name === 'which' ? [last] : UNKNOWN;
    case 'sort':
    case 'uniq':
    case 'head':
    case 'tail':
    case 'tac':
      // Some of the lines, or all: each of them is meant.
      return [
        args.every((arg) => /^-|^\d+$/.test(arg)) ? (state.input ?? UNKNOWN_PART).trimEnd() : UNKNOWN_PART,
      ];
    case 'ls':
    case 'find':
    case 'fd':
    case 'rg':
    case 'grep':
      return [findListed(name.replace(/^.*\//, ''), raw, (path) => namesFolder(path, state, run))];
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

/** `rev-parse` for places of the repository, and the lists of files that git makes. */
function printedByGit(
  [verb = '', ...args]: readonly string[],
  state: ShellState,
  run: EvalContext,
): string[] {
  const tops = topOf(state, run);
  const [option = '', path = ''] = args;
  if (verb === 'ls-files') return [findListed('git', args, (each) => namesFolder(each, state, run))];
  if (verb !== 'rev-parse') return UNKNOWN;
  if (option === '--show-toplevel') return tops;
  if (/^--(?:git-dir|absolute-git-dir|git-common-dir)$/.test(option)) return tops.map((top) => `${top}/.git`);
  return option === '--git-path' && !path.includes(UNKNOWN_PART)
    ? tops.map((top) => `${top}/.git/${path}`)
    : UNKNOWN;
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
