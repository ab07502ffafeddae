// What interpreters write: shells are followed, code of other languages is unknown, with the names in it.
import type { Command, Hand } from './hand.ts';
import { writtenIn } from './inline-code.ts';
import { argumentsOf } from './operands.ts';
import { HOLE } from './state.ts';

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

function inline(hand: Hand, code: string): void {
  hand.unknown('its code is not followed', { mentions: writtenIn(code, hand.name) });
}

function shell(hand: Hand): void {
  const at = hand.args.findIndex((arg) => /^-\w*c$/.test(arg));
  const { operands } = argumentsOf(
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
  else if (!first.includes(HOLE)) {
    // A script file that is there is followed like the command itself.
    const text = hand.read(first);
    if (text !== null && text.length < 20_000) hand.script(text, [first, ...rest]);
  }
}

/** Options before a script or a text of code that take the next word. */
const VALUED = /^(?:-[WXrICK]|--(?:require|import|loader|conditions|input-type|env-file))$/;

/** `awk` writes where its program prints to a file or runs something. */
function awk(hand: Hand): void {
  const isInPlace = hand.args.some(
    (arg, index) => /^(?:-i|--include)/.test(arg) && /inplace/.test(arg + (hand.args[index + 1] ?? '')),
  );
  const { operands, has, values } = argumentsOf(hand.args, {
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
      const { operands, has } = argumentsOf(
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
