// The shell's builtins, which change its folder, variables and functions, and programs that only run another command.

import { normalize } from '../../../text/path-text.ts';
import { splitArguments, type Takes } from './operands.ts';
import { formatPrintf } from './printed-text.ts';
import { type Command, type CommandContext, GLOB, joinSets, SPLIT, UNKNOWN_PART } from './shell-state.ts';

/** The rest after options, and after some operands of its own. */
const runs =
  (takes: Takes = {}, own = 0): Command =>
  (hand) => {
    const { operands } = splitArguments(hand.args, { ...takes, stops: true });
    hand.run(operands.slice(own));
  };

/** `npx tool …`, `uv run tool …`: the words after the verb. */
const runsAfter =
  (verbs: RegExp, takes: Takes = {}, own = 0): Command =>
  (hand) => {
    const [verb = '', ...rest] = hand.args;
    if (!verbs.test(verb)) return;
    const { operands, values } = splitArguments(rest, { ...takes, stops: true });
    for (const text of values('-c', '--call')) hand.script(text);
    hand.run(operands.slice(own));
  };

function env(hand: CommandContext): void {
  const split = hand.args.findIndex((arg) => /^(?:-S|--split-string)/.test(arg));
  if (split >= 0) {
    const arg = hand.args[split] as string;
    const text = arg.replace(/^(?:-S|--split-string)=?/, '') || (hand.args[split + 1] ?? '');
    hand.script(text);
    return;
  }
  const { operands, values } = splitArguments(hand.args, {
    short: 'uCS',
    long: ['unset', 'chdir'],
    stops: true,
  });
  const at = operands.findIndex((word) => !/^\w+=/.test(word));
  if (at < 0) return;
  const folder = values('-C', '--chdir')[0];
  if (folder !== undefined) hand.state.folders = folder.includes(UNKNOWN_PART) ? null : moved(hand, folder);
  hand.run(operands.slice(at));
}

const moved = (hand: CommandContext, folder: string): string[] | null =>
  folder.startsWith('/') ? [folder] : (hand.state.folders?.map((each) => `${each}/${folder}`) ?? null);

const SUDO: Takes = {
  short: 'ugCDhpRrtTU',
  long: ['user', 'group', 'chdir', 'host', 'prompt', 'chroot', 'role', 'type'],
};

const sudo: Command = (hand) => {
  const { operands, has } = splitArguments(hand.args, { ...SUDO, stops: true });
  if (has('-e', '--edit')) for (const path of operands) hand.write(path);
  else hand.run(operands.slice(operands.findIndex((word) => !/^\w+=/.test(word))));
};

/** Their one argument is a text of shell. */
const script =
  (short: string): Command =>
  (hand) => {
    const { values } = splitArguments(hand.args, { short, long: ['command'] });
    for (const text of values('-c', '--command')) hand.script(text);
  };

const each = (names: string, command: Command): Record<string, Command> =>
  Object.fromEntries(names.split(' ').map((name) => [name, command]));

export const WRAPPERS: Record<string, Command> = {
  ...each('nohup setsid chronic unbuffer busybox toybox builtin bunx', runs()),
  ...each('poetry pipenv rye pdm', runsAfter(/^run$/)),
  env,
  sudo,
  doas: runs({ short: 'uC' }),
  time: runs({ short: 'fo' }),
  command: (hand) => {
    if (!hand.args.some((arg) => /^-[vV]/.test(arg))) runs()(hand);
  },
  exec: runs({ short: 'a' }),
  nice: runs({ short: 'n', long: ['adjustment'] }),
  ionice: runs({ short: 'cnpP' }),
  ...each('timeout gtimeout', runs({ short: 'ks', long: ['kill-after', 'signal'] }, 1)),
  stdbuf: runs({ short: 'ioe', long: ['input', 'output', 'error'] }),
  caffeinate: runs({ short: 'tw' }),
  strace: runs({ short: 'eopsPuXaIbO' }),
  chroot: (hand) => hand.unknown('it runs below another root'),
  flock: (hand) => {
    const { operands, values } = splitArguments(hand.args, {
      short: 'wEc',
      long: ['timeout', 'command'],
      stops: true,
    });
    for (const text of values('-c', '--command')) hand.script(text);
    const [, ...rest] = operands;
    if (rest[0] === '-c') hand.script(rest[1] ?? '');
    else hand.run(rest);
  },
  watch: (hand) =>
    hand.script(
      splitArguments(hand.args, { short: 'n', long: ['interval'], stops: true }).operands.join(' '),
    ),
  su: script('cs'),
  script: (hand) => {
    const { operands, values } = splitArguments(hand.args, { short: 'cEIOBTmo', long: ['command'] });
    for (const text of values('-c', '--command')) hand.script(text);
    hand.write(operands[0] ?? 'typescript');
  },
  npx: (hand) => {
    const { operands, values } = splitArguments(hand.args, {
      short: 'pc',
      long: ['package', 'call'],
      stops: true,
    });
    for (const text of values('-c', '--call')) hand.script(text);
    hand.run(operands);
  },
  npm: runsAfter(/^(?:exec|x)$/, { short: 'c', long: ['package', 'call'] }),
  pnpm: runsAfter(/^(?:exec|dlx)$/),
  yarn: runsAfter(/^(?:exec|dlx|run)$/),
  uv: runsAfter(/^run$/, { short: 'p', long: ['with', 'python', 'package', 'extra', 'group'] }),
  bundle: runsAfter(/^exec$/),
  conda: runsAfter(/^run$/, { short: 'np', long: ['name', 'prefix', 'cwd'] }),
  mise: runsAfter(/^(?:exec|x)$/),
  direnv: runsAfter(/^exec$/, {}, 1),
};

function goTo(hand: CommandContext, target: string): void {
  const { state } = hand;
  const before = state.folders;
  if (target === '-') state.folders = state.before;
  else if (target.includes(UNKNOWN_PART) || target.includes(GLOB)) state.folders = null;
  else if (before === null && !target.startsWith('/')) state.folders = null;
  else {
    const searched = /^\.{0,2}\//.test(target) ? undefined : state.variables.get('CDPATH');
    const bases = (searched ?? []).flatMap((each) => each.split(':')).filter((each) => each !== '');
    const next = target.startsWith('/')
      ? [normalize(target)]
      : (before ?? []).flatMap((folder) =>
          ['.', ...bases].map((base) =>
            normalize(base.startsWith('/') ? `${base}/${target}` : `${folder}/${base}/${target}`),
          ),
        );
    // A folder that is not there: the shell stays where it is, unless something makes it that we do not see.
    state.folders = hand.isFolder(target) ? next : [...new Set([...next, ...(before ?? [])])];
  }
  state.before = before;
}

const cd: Command = (hand) => {
  const operands = hand.args.filter((arg) => !/^-[LPe@]+$/.test(arg) && arg !== '--');
  goTo(hand, operands[0] ?? hand.state.variables.get('HOME')?.[0] ?? UNKNOWN_PART);
};

const declare: Command = (hand) => {
  for (const arg of hand.args) {
    const found = /^(\w+)(\+?)=(.*)$/s.exec(arg);
    if (!found) continue;
    const [, name = '', isMore, value = ''] = found;
    const old = hand.state.variables.get(name) ?? [''];
    hand.state.variables.set(name, isMore ? old.map((text) => text + value) : [value]);
  }
};

/** The lines that a loop over the input may see; each of them, since it is walked without counting. */
const linesOf = ({ state }: CommandContext): string[] => {
  const lines = (state.input ?? UNKNOWN_PART).split('\n').map((line) => line.trim());
  return joinSets(
    [],
    lines.filter((line) => line !== ''),
  );
};

const read: Command = (hand) => {
  const { operands, values } = splitArguments(hand.args, { short: 'adinNptu' });
  const { variables } = hand.state;
  const names = operands.length > 0 ? operands : ['REPLY'];
  const [sign = ''] = variables.get('IFS') ?? [];
  const between = /^[^\s\w]$/.test(sign) ? sign : /\s+/;
  const rows = linesOf(hand).map((line) => (names.length === 1 ? [line] : line.split(between)));
  names.forEach((name, index) => {
    const isLast = index === names.length - 1;
    const parts = rows.map((row) => (isLast ? row.slice(index).join(' ') : (row[index] ?? '')));
    variables.set(name, joinSets([], parts));
  });
  for (const name of values('-a')) setArray(hand, name, rows.flat().join(' ').split(/\s+/));
};

function setArray({ state }: CommandContext, name: string, items: readonly string[]): void {
  state.variables.set(`${name}[@]`, [items.join(SPLIT)]);
  state.variables.set(name, [items[0] ?? '']);
}

const mapfile: Command = (hand) =>
  setArray(hand, splitArguments(hand.args, { short: 'dnOsuCc' }).operands[0] ?? 'MAPFILE', linesOf(hand));

const POSITIONS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** `$1`, `$2`, … and `$@`; null where nobody knows them. */
function setPositional({ state }: CommandContext, values: readonly string[] | null): void {
  POSITIONS.forEach((name, index) => {
    const value = values === null ? UNKNOWN_PART : values[index];
    if (value === undefined) state.variables.delete(name);
    else state.variables.set(name, [value]);
  });
  for (const name of ['@', '*']) state.variables.set(name, [values?.join(SPLIT) ?? UNKNOWN_PART]);
}

const set: Command = (hand) => {
  const { operands } = splitArguments(hand.args, { short: 'o', stops: true });
  if (operands.length > 0 || hand.args.includes('--')) setPositional(hand, operands);
};

const shift: Command = (hand) => {
  const [all, ...others] = hand.state.variables.get('@') ?? [];
  const isKnown = all !== undefined && others.length === 0 && all !== UNKNOWN_PART;
  setPositional(hand, isKnown ? all.split(SPLIT).slice(Number(hand.args[0] ?? 1) || 1) : null);
};

/** A file of shell: read where it is there and small, else a program like any other. */
const sourced: Command = (hand) => {
  const [file = '', ...rest] = hand.args;
  if (file === '/dev/stdin' && hand.state.input !== null)
    return hand.script(hand.state.input, [file, ...rest]);
  if (file.startsWith('/dev/fd/')) return hand.unknown('it runs what another command prints');
  const text = file.includes(UNKNOWN_PART) ? null : hand.read(file);
  if (text !== null && text.length < 20_000) hand.script(text, [file, ...rest]);
  else {
    for (const name of hand.state.variables.keys())
      if (name !== 'HOME') hand.state.variables.set(name, [UNKNOWN_PART]);
  }
};

export const BUILTINS: Record<string, Command> = {
  cd,
  chdir: cd,
  pushd: (hand) => {
    const target = hand.args.find((arg) => !/^[-+]/.test(arg));
    hand.state.stack.push(hand.state.folders);
    if (target === undefined) hand.state.folders = null;
    else goTo(hand, target);
  },
  popd: (hand) => {
    hand.state.before = hand.state.folders;
    hand.state.folders = hand.state.stack.pop() ?? null;
  },
  export: declare,
  declare,
  local: declare,
  readonly: declare,
  typeset: declare,
  unset: (hand) => {
    for (const name of hand.args) {
      hand.state.variables.delete(name);
      hand.state.functions.delete(name);
    }
  },
  read,
  mapfile,
  readarray: mapfile,
  getopts: (hand) => void hand.state.variables.set(hand.args[1] ?? 'opt', [UNKNOWN_PART]),
  printf: (hand) => {
    const [option, name = '', ...rest] = hand.args;
    if (option === '-v') hand.state.variables.set(name, [formatPrintf(rest)]);
  },
  set,
  shift,
  eval: (hand) => hand.script(hand.args.join(' ')),
  trap: (hand) => {
    if (hand.args.length > 1 && hand.args[0] !== '-') hand.script(hand.args[0] ?? '');
  },
  alias: (hand) => {
    for (const arg of hand.args) {
      const at = arg.indexOf('=');
      if (at > 0) hand.state.aliases.set(arg.slice(0, at), arg.slice(at + 1));
    }
  },
  unalias: (hand) => {
    for (const name of hand.args) hand.state.aliases.delete(name);
  },
  '.': sourced,
  source: sourced,
};
