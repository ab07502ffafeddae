// Separates the arguments of a command into options, their values and operands.
import { UNKNOWN_PART } from './shell-state.ts';

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

export function argumentsOf(
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
