// Separates the arguments of a command into options, their values and operands, and reads a change of mode.

import { type Command, UNKNOWN_PART } from './shell-state.ts';

/** Whether a mode takes from the owner what is needed to read or write. */
const takesAway = (mode: string): boolean =>
  /^\d+$/.test(mode)
    ? (Number.parseInt(mode.slice(-3).padStart(3, '0')[0] ?? '0', 8) & 6) !== 6
    : mode.split(',').some((part) => {
        const [, who = '', sign = '', rights = ''] = /^([ugoa]*)([-+=])(.*)$/.exec(part) ?? [];
        const isOfOwner = who === '' || /[ua]/.test(who);
        return (
          isOfOwner && (sign === '-' ? /[rwxX]/.test(rights) : sign === '=' && !/r.*w|w.*r/.test(rights))
        );
      });

export const changeMode: Command = (hand) => {
  const words = hand.args.filter((arg) => !/^(?:-[Rvfch]+|--.*)$/.test(arg));
  const [mode = '', ...paths] = words;
  const whole = hand.name === 'chmod' && takesAway(mode) ? ('all' as const) : false;
  for (const path of paths) hand.mode(path, { whole });
};

/** Options that take a value: letters, and long names. */
export interface Takes {
  short?: string;
  long?: string[];
  /** Options end at the first operand: for commands that run another one. */
  stops?: boolean;
}

export interface Arguments {
  operands: string[];
  /** Values by option, `-o` and `--output`; '' for one without value. */
  options: Map<string, string[]>;
  has(...names: string[]): boolean;
  values(...names: string[]): string[];
}

function longName(text: string, known: readonly string[]): string {
  if (known.includes(text)) return text;
  const fits = known.filter((each) => each.startsWith(text));
  return fits.length === 1 ? (fits[0] as string) : text;
}

export function splitArguments(
  args: readonly string[],
  { short = '', long = [], stops = false }: Takes,
): Arguments {
  const operands: string[] = [];
  const options = new Map<string, string[]>();
  const add = (name: string, value: string): void =>
    void options.set(name, [...(options.get(name) ?? []), value]);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const [head = '', ...rest] = arg.slice(2).split('=');
      const name = longName(head, long);
      if (rest.length > 0) add(`--${name}`, rest.join('='));
      else add(`--${name}`, long.includes(name) ? (args[++at] ?? UNKNOWN_PART) : '');
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let letter = 1; letter < arg.length; letter++) {
        const name = `-${arg[letter]}`;
        if (!short.includes(arg[letter] as string)) add(name, '');
        else {
          add(name, letter + 1 < arg.length ? arg.slice(letter + 1) : (args[++at] ?? UNKNOWN_PART));
          break;
        }
      }
    } else {
      operands.push(arg);
      if (stops) {
        operands.push(...args.slice(at + 1));
        break;
      }
    }
  }
  return {
    operands,
    options,
    has: (...names) => names.some((name) => options.has(name)),
    values: (...names) => names.flatMap((name) => options.get(name) ?? []),
  };
}
