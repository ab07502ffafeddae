// Reads the words of a command as its program does: subcommand, options with their values, and what a launcher runs.

export type Words = readonly string[];

/** Arguments as their program reads them: options apart from the words, a value with its option. */
export interface Spoken {
  /** From the subcommand on. */
  words: Words;
  /** The same in one text, for patterns that begin at the subcommand. */
  text: string;
  has(...names: string[]): boolean;
  value(name: string): string | undefined;
}
/** Names of options that take the next word as their value; of some programs all do but a few. */
export type Takes = string | ((option: string) => boolean);

export function readArguments(args: Words, takes: Takes): Spoken {
  const takesValue = typeof takes === 'string' ? (name: string) => takes.split(' ').includes(name) : takes;
  const words: string[] = [];
  const options = new Map<string, string>();
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (isOver || !/^-[^-]|^--./s.test(arg)) {
      words.push(arg);
      isOver ||= arg === '--';
      continue;
    }
    const [, name = arg, value] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
    options.set(name, value ?? '');
    if (value === undefined && takesValue(name)) options.set(name, args[++at] ?? '');
    if (!/^-[a-z]{2,}$/i.test(arg)) continue;
    // One-letter options in one word: the first that takes a value takes the rest, or the next word.
    const letters = [...arg.slice(1)].map((letter) => `-${letter}`);
    const last = letters.findIndex(takesValue);
    for (const each of last < 0 ? letters : letters.slice(0, last + 1)) options.set(each, '');
    if (last === letters.length - 1 && !takesValue(arg)) at++;
  }
  return {
    words,
    text: words.join(' '),
    has: (...names) => names.some((name) => options.has(name)),
    value: (name) => options.get(name),
  };
}

/** When it destroys, the end of the sentence that begins with the command, and what does less: null where no form of it does. */
export type Row = readonly [destroys: (said: Spoken) => boolean, lost: string, safer: string | null];
/** Whether the subcommand fits, and one of the options is given. */
export const beginsWith =
  (verb: RegExp, ...options: string[]) =>
  ({ text, has }: Spoken): boolean =>
    verb.test(text) && (options.length === 0 || has(...options));

/** The program that a word names. */
export const findName = (word: string): string => word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');

const INNER =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|cockroach|clickhouse(?:-client)?|mongo(?:sh)?|redis-cli|dropdb|mysqladmin|rails|rake|artisan|manage\.py|prisma)$/;
const FETCHED = /^(?:npx|bunx|pnpx|exec|dlx|x)$/;
const INTERPRETED = /^(?:artisan|manage\.py|console|ace|rails|rake|prisma)$/;

const listWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(([word, one, other]) => one ?? other ?? word);

/** The command that a launcher runs; in a container or on another machine only what is known to destroy data. */
export function unwrapCommand(words: Words): Words {
  const [first = '', ...args] = words;
  const name = findName(first);
  const next = args.findIndex((arg) => !arg.startsWith('-'));
  const behind = args.slice(next);
  const head = findName(behind[0] ?? '');
  if (/^(?:python[\d.]*|py|php\d*|ruby|node)$/.test(name)) {
    const module = args.indexOf('-m');
    if (module >= 0 && module <= next) return unwrapCommand(args.slice(module + 1));
    return next >= 0 && INTERPRETED.test(head) ? unwrapCommand(behind) : words;
  }
  if (/^(?:npx|bunx|pnpx|uvx)$/.test(name) && next >= 0) return unwrapCommand(behind);
  const runs = /^(?:npm|pnpm|yarn|bun|bundle)$/.test(name)
    ? FETCHED.test(head) && (head !== 'x' || next === 0)
    : /^(?:poetry|uv|pipenv|hatch|pdm|rye)$/.test(name) && head === 'run';
  if (runs) {
    const at = behind.findIndex((arg, index) => index > 0 && !arg.startsWith('-'));
    return at < 0 ? words : unwrapCommand(behind.slice(at));
  }
  // `yarn PROGRAM` runs what the project has installed.
  if (/^(?:yarn|pnpm|bun)$/.test(name) && /^(?:prisma|supabase|sequelize(?:-cli)?)$/.test(head))
    return behind;
  if (/^(?:docker|podman|kubectl|oc|ssh|docker-compose)$/.test(name)) {
    // `sh -c "rails db:drop"`: the words of a text.
    const at = args.findIndex((arg) => INNER.test(findName(listWords(arg)[0] ?? '')));
    const runsIt = name === 'ssh' || args.slice(0, Math.max(0, at)).some((arg) => /^(?:exec|run)$/.test(arg));
    const text = args[at] ?? '';
    if (at >= 0 && runsIt) return /\s/.test(text) ? listWords(text) : args.slice(at);
    return words;
  }
  return words;
}
