// What interpreters write: shells are followed, of other languages the texts of their code are looked at.

import { splitArguments } from './operands.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

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
    ? [[...values('-e', '--source'), ...values('-f', '--file').map(hand.read)].join('\n'), ...operands]
    : operands;
  const given = new Map(
    [...values('-v', '--assign'), ...files].flatMap((each) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(each) ?? [];
      return name === '' ? [] : [[name, value] as const];
    }),
  );
  if (isInPlace) for (const file of files) hand.write(file, { by: 'awk -i inplace' });
  const prints = [...program.matchAll(/\bprintf?\b[^;}\n|]*?>>?\s*("([^"]*)"|[^;}\n]*)/g)];
  for (const [, target, path] of prints) {
    const value = given.get(target?.trim().replace(/[()]/g, '') ?? '');
    if (path !== undefined && target?.startsWith('"')) hand.write(path);
    else if (value !== undefined) hand.write(value);
    else {
      const mentions = [...listQuotedTexts(program, true), ...files, ...given.values()];
      hand.unknown('its program prints to a computed file', { mentions });
    }
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
