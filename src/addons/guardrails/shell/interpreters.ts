// What programs write that run what they are given: interpreters (shells are followed), find and its kind.

import { splitArguments } from './operands.ts';
import { type Command, type CommandContext, GLOB, GLOB_END, UNKNOWN_PART } from './shell-state.ts';

// What find and xargs change: commands that act on what they find.
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

function removeFound(hand: CommandContext, starts: readonly string[], { name, isAll }: Found): void {
  for (const start of starts) {
    if (isAll && name === undefined) hand.remove(start, { whole: 'all', by: 'find' });
    else hand.remove(standIn(start, name), { by: 'find' });
  }
}

const find: Command = (hand) => {
  const at = hand.args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg));
  const starts = (at < 0 ? hand.args : hand.args.slice(0, at)).filter((arg) => !arg.startsWith('-'));
  const tests = at < 0 ? [] : hand.args.slice(at);
  if (starts.length === 0) starts.push('.');
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
  const { operands, values } = splitArguments(hand.args, {
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
  const place = values('-I', '-J', '--replace')[0] ?? (hand.args.includes('-i') ? '{}' : undefined);
  const known = values('-a', '--arg-file').length > 0 ? null : hand.state.input;
  const items = known === null ? [UNKNOWN_PART] : known.split(/[\s\u0000]+/).filter((item) => item !== '');
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

/** Words that write, in whatever language. */
const WRITES =
  /['"](?:[wax]b?\+?|r\+b?)['"]|write|append(?:file|_)|put_contents|\bto_(?:csv|json|excel|parquet|pickle|html|sql)|\brm|\bcp(?:sync)?\b|unlink|remove|rename|rmtree|rmdir|mkdir|copy|move|truncate|chmod|replace|symlink|save|dump|delete|inplace|FileUtils|file\.(?:new|open)|new file|out-file|(?:set|add|clear)-content|new-item/i;
/** Words that run other programs, whose words may name any file. */
const RUNS = /system|exec|spawn|popen|subprocess|\bshell|\brun\(|\bsh\b|%x|\$`|\bBun\.\$/i;
/** Quotes in which some languages run a command. */
const RUNS_QUOTED = /^(?:ruby|perl|php)/;
/** Signs by which perl opens a file to write it, and by which a command in a text does. */
const OPENS = /['"`]\s*\+?>|['"`][^'"`]*>[^'"`]*['"`]/;

/** What looks like one of these words and only reads, or changes a value in memory. */
const HARMLESS = [
  /\bstd(?:out|err)\s*\.\s*write(?:lines)?\b/g,
  /\bjson\s*\.\s*dumps\b/g,
  /\bsafe_load\b|\bload_file\b|\breadFile(?:Sync)?\b|\bfile_get_contents\b/g,
  /\bFile\s*\.\s*(?:read\w*|exists?\?|foreach|basename|dirname|join)/g,
  /\bdeepcopy\b|\.\s*copy\(\s*\)/g,
  // Two operands: of a text. `os.replace` is the one that moves a file.
  /(?<!\b(?:os|shutil))\.\s*replace(?:All)?\(\s*(?:[rbf]*(['"`])(?:\\.|(?!\1)[^\\])*\1|\/(?:\\.|[^/\\\n])+\/\w*)\s*,/g,
];

const withoutHarmless = (code: string): string =>
  HARMLESS.reduce((text, each) => text.replace(each, ' '), code);

/** What a text takes from a value, as `${x.key}` and `{x.key}`: names of the code, not of files. */
const FILLED = /[$#]?\{[^{}]*\}\/?/g;

/**
 * The texts of a piece of code that may name a file. A name of the code itself (`item.key`) is none.
 *
 * @param words whether the words within longer texts count as well: where the code runs commands
 */
export function listQuotedTexts(code: string, words: boolean): string[] {
  const found = new Set<string>();
  const add = (text: string): void => {
    if (text.length > 0 && text.length < 300 && !text.includes('\n'))
      found.add(text.replace(FILLED, '').trim());
  };
  for (const [, , text = ''] of code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\]){0,300})\1/g)) add(text);
  // Whatever stands between two quotes: an apostrophe in a comment moves the pairs.
  for (const part of code.split(/['"`]/).slice(1, -1)) if (/^[\w.@~/-]+$/.test(part)) add(part);
  // Parts of a path that are joined: `join('src', 'a.ts')`, `Path('src') / 'a.ts'`.
  for (const [text] of code.matchAll(/(['"])[\w.~-]+\1(?:\)?\s*[,/]\s*(['"])[\w.-]+\2)+/g))
    add(text.replace(/['"]\)?\s*[,/]\s*['"]/g, '/').replace(/['"]/g, ''));
  if (words)
    for (const part of code.split(/['"`]/))
      for (const [word] of part.replace(FILLED, '').matchAll(/(?<![\w)\].])[\w.@~/-]{0,300}[./][\w.@~/-]+/g))
        found.add(word);
  return [...found].filter((text) => text !== '').slice(0, 200);
}

/** The files that a piece of code may write, as far as its texts name them. */
export function findWritten(code: string, language: string): string[] {
  const plain = withoutHarmless(code);
  const opens = RUNS_QUOTED.test(language) && (OPENS.test(plain) || plain.includes('`'));
  // Words of PowerShell need no quotes.
  const runs = /^(?:pwsh|powershell|tclsh|osascript)/.test(language) || RUNS.test(plain) || opens;
  return runs || WRITES.test(plain) ? listQuotedTexts(code, runs) : [];
}

export const INTERPRETERS =
  /^(?:(?:ba|da|z|k|mk|a|fi|c|tc)?sh|python[\d.]*|pypy[\d.]*|ipython3?|node(?:js)?|bun|deno|ts-node|tsx|ruby|perl[\d.]*|php\d*|lua[\d.]*|luajit|Rscript|R|julia|osascript|tclsh|pwsh|powershell|[gmn]?awk|jshell|groovy|scala|elixir|ghci?)$/;

const SHELLS = /^(?:ba|da|z|k|mk|a)?sh$/;

/** Options that carry code, by interpreter. */
const CODE: [RegExp, string[]][] = [
  [/^(?:python|pypy|ipython)/, ['-c']],
  [/^(?:node|nodejs|bun|ts-node|tsx)$/, ['-e', '-p', '--eval', '--print', '-pe']],
  [/^(?:ruby|perl|lua|luajit|Rscript|R|julia|osascript|groovy|scala|elixir|ghc)/, ['-e', '-E', '--eval']],
  [/^php/, ['-r', '-B', '-R', '-E']],
  [/^(?:pwsh|powershell)$/, ['-c', '-command', '-Command', '-EncodedCommand', '-e', '-enc']],
];

function inline(hand: CommandContext, code: string): void {
  hand.unknown('its code is not followed', { mentions: findWritten(code, hand.name) });
}

function shell(hand: CommandContext): void {
  const at = hand.args.findIndex((arg) => /^-\w*c$/.test(arg));
  const { operands } = splitArguments(
    hand.args.filter((_, index) => index !== at),
    {
      short: 'oO',
      long: ['rcfile', 'init-file'],
      stops: true,
    },
  );
  const [first, ...rest] = operands;
  if (at >= 0) {
    if (first !== undefined) hand.script(first, rest.length > 0 ? rest : ['sh']);
    return;
  }
  if (first === undefined || first === '-' || first === '/dev/stdin' || hand.args.includes('-s')) {
    if (hand.state.input !== null) hand.script(hand.state.input, ['sh', ...rest]);
    else if (!hand.args.some((arg) => /^--?(?:version|help)$/.test(arg)))
      hand.unknown('it runs what it reads');
  } else if (first.startsWith('/dev/fd/')) hand.unknown('it runs what another command prints');
  else if (!first.includes(UNKNOWN_PART)) {
    // A script file that is there is followed like the command itself.
    const text = hand.read(first);
    if (text !== null && text.length < 20_000) hand.script(text, [first, ...rest]);
  }
}

/** Options before a script or a text of code that take the next word. */
const VALUED = /^(?:-[WXrICK]|--(?:require|import|loader|conditions|input-type|env-file))$/;

/** `awk` writes where its program prints to a file or runs something. */
function awk(hand: CommandContext): void {
  const isInPlace = hand.args.some(
    (arg, index) => /^(?:-i|--include)/.test(arg) && /inplace/.test(arg + (hand.args[index + 1] ?? '')),
  );
  const { operands, has, values } = splitArguments(hand.args, {
    short: 'fvFeiEl',
    long: ['file', 'assign', 'include', 'source'],
  });
  const [program = '', ...files] = has('-f', '--file', '-e', '--source')
    ? [values('-e', '--source').join('\n'), ...operands]
    : operands;
  if (isInPlace) for (const file of files) hand.write(file, { by: 'awk -i inplace' });
  const prints = [...program.matchAll(/\bprintf?\b[^;}\n|]*?>>?\s*("([^"]*)"|[^;}\n]*)/g)];
  for (const [, target, path] of prints) {
    if (path !== undefined && target?.startsWith('"')) hand.write(path);
    else hand.unknown('its program prints to a computed file');
  }
  if (/\bsystem\s*\(|\|\s*"|"\s*\|\s*getline|\|\s*(?:cmd|command|sh)\b/.test(program)) inline(hand, program);
}

export const interpreter: Command = (hand) => {
  const { name, args } = hand;
  if (SHELLS.test(name)) return shell(hand);
  if (/awk$/.test(name)) return awk(hand);
  const flags = CODE.find(([pattern]) => pattern.test(name))?.[1] ?? ['-e', '-c'];
  if (/^(?:perl|ruby)/.test(name)) {
    const bundle = args.findIndex((arg) => /^-\w*i/.test(arg) && !/^-[IMm]/.test(arg));
    if (bundle >= 0) {
      const { operands, has } = splitArguments(
        args.map((arg) => arg.replace(/^-(\w*?)i[\w.~]*?(e?)$/, '-$1n$2')),
        { short: 'eEIMm' },
      );
      for (const path of has('-e', '-E') ? operands : operands.slice(1))
        hand.write(path, { by: `${name} -i` });
      return;
    }
  }
  // What stands behind the name of a script is the script's own.
  const file = args.findIndex((arg, index) => !arg.startsWith('-') && !VALUED.test(args[index - 1] ?? ''));
  const own = /^(?:bun|deno)$/.test(name) || file < 0 ? args : args.slice(0, file);
  const at = own.findIndex((arg) =>
    flags.some(
      (flag) =>
        arg === flag ||
        arg.startsWith(`${flag}=`) ||
        (flag.length === 2 && new RegExp(`^-[a-zA-Z]*${flag[1]}$`).test(arg)),
    ),
  );
  if (at >= 0) return inline(hand, [own[at]?.replace(/^[^=]*=?/, ''), ...args.slice(at + 1)].join(' '));
  const verbs = /^(?:bun|deno)$/.test(name) ? args.slice(1) : args;
  if (name === 'deno' && args[0] === 'eval') return inline(hand, verbs.join(' '));
  if (args.length === 0 || args.includes('-')) inline(hand, hand.state.input ?? '');
};
