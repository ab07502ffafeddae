// Commands that only run another one; the inner command is judged as if they were not there.

import { argumentsOf, type Takes } from './operands.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

/** The rest after options, and after some operands of its own. */
const runs =
  (takes: Takes = {}, own = 0): Command =>
  (hand) => {
    const { operands } = argumentsOf(hand.args, { ...takes, stops: true });
    hand.run(operands.slice(own));
  };

/** `npx tool …`, `uv run tool …`: the words after the verb. */
const runsAfter =
  (verbs: RegExp, takes: Takes = {}): Command =>
  (hand) => {
    const [verb = '', ...rest] = hand.args;
    if (!verbs.test(verb)) return;
    hand.run(argumentsOf(rest, { ...takes, stops: true }).operands);
  };

function env(hand: CommandContext): void {
  const split = hand.args.findIndex((arg) => /^(?:-S|--split-string)/.test(arg));
  if (split >= 0) {
    const arg = hand.args[split] as string;
    const text = arg.replace(/^(?:-S|--split-string)=?/, '') || (hand.args[split + 1] ?? '');
    hand.script(text);
    return;
  }
  const { operands, values } = argumentsOf(hand.args, {
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
  const { operands, has } = argumentsOf(hand.args, { ...SUDO, stops: true });
  if (has('-e', '--edit')) for (const path of operands) hand.write(path);
  else hand.run(operands.slice(operands.findIndex((word) => !/^\w+=/.test(word))));
};

/** Their one argument is a text of shell. */
const script =
  (short: string): Command =>
  (hand) => {
    const { values } = argumentsOf(hand.args, { short, long: ['command'] });
    for (const text of values('-c', '--command')) hand.script(text);
  };

export const WRAPPERS: Record<string, Command> = {
  env,
  sudo,
  doas: runs({ short: 'uC' }),
  nohup: runs(),
  time: runs({ short: 'fo' }),
  command: (hand) => {
    if (!hand.args.some((arg) => /^-[vV]/.test(arg))) runs()(hand);
  },
  builtin: runs(),
  exec: runs({ short: 'a' }),
  nice: runs({ short: 'n', long: ['adjustment'] }),
  ionice: runs({ short: 'cnpP' }),
  timeout: runs({ short: 'ks', long: ['kill-after', 'signal'] }, 1),
  gtimeout: runs({ short: 'ks', long: ['kill-after', 'signal'] }, 1),
  stdbuf: runs({ short: 'ioe', long: ['input', 'output', 'error'] }),
  setsid: runs(),
  chronic: runs(),
  unbuffer: runs(),
  caffeinate: runs({ short: 'tw' }),
  busybox: runs(),
  toybox: runs(),
  strace: runs({ short: 'eopsPuXaIbO' }),
  chroot: (hand) => hand.unknown('it runs below another root'),
  flock: (hand) => {
    const { operands, values } = argumentsOf(hand.args, {
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
    hand.script(argumentsOf(hand.args, { short: 'n', long: ['interval'], stops: true }).operands.join(' ')),
  su: script('cs'),
  script: (hand) => {
    const { operands, values } = argumentsOf(hand.args, { short: 'cEIOBTmo', long: ['command'] });
    for (const text of values('-c', '--command')) hand.script(text);
    hand.write(operands[0] ?? 'typescript');
  },
  npx: runs({ short: 'pc', long: ['package'] }),
  bunx: runs(),
  npm: runsAfter(/^(?:exec|x)$/, { long: ['package'] }),
  pnpm: runsAfter(/^(?:exec|dlx)$/),
  yarn: runsAfter(/^(?:exec|dlx|run)$/),
  uv: runsAfter(/^run$/, { short: 'p', long: ['with', 'python', 'package', 'extra', 'group'] }),
  poetry: runsAfter(/^run$/),
  pipenv: runsAfter(/^run$/),
  rye: runsAfter(/^run$/),
  pdm: runsAfter(/^run$/),
  bundle: runsAfter(/^exec$/),
  conda: runsAfter(/^run$/, { short: 'np', long: ['name', 'prefix', 'cwd'] }),
  mise: runsAfter(/^(?:exec|x)$/),
  direnv: runsAfter(/^exec$/),
};
