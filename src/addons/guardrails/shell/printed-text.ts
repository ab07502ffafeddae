// Computes what a command prints, for the few whose output follows from their arguments.

import { normalize } from '../../../text/path-text.ts';
import { namesFolder, readPartText, readPaths } from './effects.ts';
import { plain } from './expand.ts';
import { splitArguments } from './operands.ts';
import { findListed } from './searches.ts';
import { type EvalContext, SHELL_MARKS, type ShellState, UNKNOWN_PART } from './shell-state.ts';

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

/** What `printf` makes of its arguments. */
export function formatPrintf(args: readonly string[]): string {
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
  return isEscaped ? formatPrintf([text.replaceAll('%', '%%')]) : text;
}

/** What a simple command prints, without the last line end; a hole where that cannot be known. */
export function computePrinted(words: readonly string[], state: ShellState, run: EvalContext): string[] {
  const [name = '', ...raw] = words;
  const args = raw.map(plain);
  const last = args.at(-1) ?? '';
  switch (name.replace(/^.*\//, '')) {
    case 'yes':
    case 'echo':
      return [echo(args)];
    case 'printf':
      return args[0] === '-v' ? [''] : [formatPrintf(args).replace(/\n+$/, '')];
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
