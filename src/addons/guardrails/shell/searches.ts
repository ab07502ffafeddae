// What find, xargs and parallel change, and what a search prints.

import { splitArguments } from './operands.ts';
import { type Command, type CommandContext, GLOB, GLOB_END, UNKNOWN_PART } from './shell-state.ts';

const EXEC_TESTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FILES = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

const isPattern = (name: string): boolean => /[*?[]/.test(name);

/** A path that stands for those found: below the start, with the name that they have, where all of that name are meant. */
const standIn = (start: string, name: string | undefined): string =>
  `${start.replace(/\/$/, '')}/${UNKNOWN_PART}${name === undefined ? '' : `/${GLOB}${name}${GLOB_END}`}`;

/** Files that a search finds: by their name; `isAll`: no test narrows it to some of them; `spares`: but for a few. */
interface Found {
  name: string | undefined;
  isAll: boolean;
  spares?: boolean;
}

/** What a search prints of the files that it lists, one a line; a hole where nothing is known of them. */
export function findListed(
  name: string,
  args: readonly string[],
  isFolder: (path: string) => boolean,
): string {
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

function removeFound(hand: CommandContext, starts: readonly string[], { name, isAll, spares }: Found): void {
  for (const start of starts) {
    if (isAll && name === undefined) hand.remove(start, { whole: spares ? 'some' : 'all', by: 'find' });
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
  /^(?:!|\(|,|-(?:not|o|or|prune|quit|i?path|i?wholename|i?regex|i?lname|[acm]?newer.*|size|[acm]time|[acm]min|used|user|uid|nouser|group|gid|nogroup|empty|maxdepth|xtype|perm|links|inum|samefile|readable|writable|executable|x?dev|mount|fstype))$/;

function foundBy(all: readonly string[]): Found {
  // `-not -name x`: what is spared of all.
  const isSpared = (at: number): boolean =>
    /^(?:!|-not)$/.test(all[at] ?? '') && /^-i?(?:name|path|wholename)$/.test(all[at + 1] ?? '');
  const tests = all.filter((_, at) => ![at, at - 1, at - 2].some(isSpared));
  const spares = tests.length < all.length;
  const isOfType = tests.some((arg, at) => arg === '-type' && !/^[fd,]+$/.test(tests[at + 1] ?? ''));
  const isAll = !isOfType && !tests.some((arg) => NARROWING.test(arg));
  const at = tests.findIndex((arg) => /^-i?name$/.test(arg));
  const name = at < 0 ? undefined : tests[at + 1]?.replaceAll(GLOB, '').replaceAll(GLOB_END, '');
  // A plain name is worth asking about, whatever else is asked of the file.
  return { name: name === undefined || isAll || !isPattern(name) ? name : undefined, isAll, spares };
}

function runOnFound(hand: CommandContext, words: readonly string[], start: string, found: Found): void {
  const isOnFound = words.some((word) => word.includes('{}'));
  const removes = /^(?:rm|unlink|shred|trash)$/.test((words[0] ?? '').replace(/^.*\//, ''));
  if (removes && isOnFound) removeFound(hand, [start], found);
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
    const { operands, values } = splitArguments(at < 0 ? hand.args : hand.args.slice(0, at), {
      short: 'jIadNLns',
      long: ['arg-file', 'jobs'],
      stops: true,
    });
    const file = values('-a', '--arg-file')[0];
    const lines = (file === undefined ? hand.state.input : hand.read(file)) ?? UNKNOWN_PART;
    const items = at < 0 ? lines.split('\n').filter((line) => line !== '') : hand.args.slice(at + 1);
    for (const item of items.slice(0, 100)) {
      const text = operands.join(' ');
      const filled = text.includes('{}') ? text.replaceAll('{}', item) : `${text} ${item}`;
      hand.script(filled);
    }
  },
};
