// Separates the arguments of a command into options, their values and operands; those of an unknown one by what they may mean.

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

// What a program of which nobody knows what it does may do with its words: run a known one, or change a file that it names.
/** They act on another machine or in a container; a file here is what they write last, or into. */
const ELSEWHERE =
  /^(?:docker|podman|nerdctl|kubectl|oc|helm|gh|glab|aws|gcloud|gsutil|az|heroku|fly|flyctl|vagrant|multipass|rclone)$/;
const FETCHES = /^(?:cp|copy|copyto|sync|pull|clone|download|mv)$/;
const OUTPUT = /^(?:-o|-O|--?out(?:put)?(?:-?(?:file|dir|document|path))?|--dir)$/i;

/** They read the files that they are told of, whatever else they do. */
const READS =
  /^(?:ssh|ssh-add|ssh-copy-id|bat|batcat|code|cursor|open|xdg-open|objdump|readelf|nm|ldd|gron|fx|serve|http-server|http\.server|\.|source)$/;
/** They check what they are told of, unless a word says that they write. */
const CHECKS =
  /^(?:vitest|jest|mocha|ava|tap|pytest|tox|nox|unittest|doctest|tsc|vue-tsc|mypy|pyright|pyre|flake8|pylint|bandit|shellcheck|hadolint|yamllint|markdownlint(?:-cli2)?|actionlint|eslint|oxlint|biome|stylelint|ruff|rubocop|golangci-lint|staticcheck|semgrep|gitleaks|trufflehog|trivy|snyk|knip|cspell|codespell|typos|phpunit|phpstan|rspec|ctest|openssl|gpgv?|psql|mysql|mongosh|redis-cli|http|https|xh|keytool|ssh-keygen|swiftlint|ktlint|detekt|checkov|tflint|sqlfluff|vale|lychee|wrk|ab|promtool|jq)$/;
const WRITES =
  /^(?:--?(?:fix(?!-dry)|write|in-?place|apply|auto-?(?:fix|correct)|format|unsafe|save|update-snapshot)[\w-]*(?:=.*)?|--?(?:out|output|out(?:put)?-?[fF]ile|out(?:put)?-?[dD]ir|keyout)(?:=.*)?|-[oaA]|format|fmt|fix)$/;
const SHOWS_KEY = /^-[a-zA-Z]*[lyBe]/;
/** Words of task runners after which the files that are named are read. */
const READING_TASK =
  /^(?:t|test|tests|vet|lint|check|types?|type-?check|tsc|build|bench|coverage|doc|audit|why|ls|list|view|dev|start|watch|serve|e2e|unit)(?:[:_-](?!.*(?:fix|write|format|fmt)).*)?$/;
const RUNS_TASKS =
  /^(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mix|rake|mvn|gradle|gradlew|make|just|task|uv|poetry|hatch|nx|turbo|lerna|moon|playwright|cypress|ng|vite|next|astro|dart|flutter|swift|zig|bazel|sbt|lein|stack|cabal|dune|forge|hardhat|artisan|pants|meson|ninja)$/;
/** Options that name what is read, in whatever program. */
const READING_OPTION =
  /^--?(?:env-?file|in|inkey|input|infile|certs?|cacert|ca-?file|cafile|ca|CAkey|key|private-?key|identity(?:-file)?|kube-?config|config(?:-file)?|c|m|keystore|truststore|var-file|values|settings|schema|from-(?:file|env-file)|password-file|project|tsconfig|require|import|loader|signkey|grep|message|title|body)$/;

/** What installs programs by their names runs none of them. */
const NO_WRAPPER =
  /^(?:install|i|add|remove|uninstall|upgrade|update|search|info|show|reinstall|purge|use|which|what|help|pkg|config|set|get|cache|env|tool|plugin|list|ls)$/;

/**
 * Where the words of a known program begin among those of one that nobody knows; -1 where none does. A text of shell in one
 * word is known by its first.
 */
export function findPassedOn(
  name: string,
  args: readonly string[],
  isProgram: (word: string) => boolean,
): number {
  if ((ELSEWHERE.test(name) && args[0] !== 'unshare') || READS.test(name) || CHECKS.test(name)) return -1;
  const first = (word: string): string => /^\s*(\S+)/.exec(word)?.[1] ?? '';
  const at = args.findIndex((word) => isProgram(first(word)));
  return args.slice(0, Math.max(0, at)).some((word) => NO_WRAPPER.test(word)) ? -1 : at;
}

/** The words that a program may write to. */
export function listNamed(name: string, args: readonly string[]): string[] {
  if (READS.test(name) || args.some((arg) => READING_TASK.test(arg) && isTask(name, args, arg))) return [];
  if (name === 'ssh-keygen' && args.some((arg) => SHOWS_KEY.test(arg))) return [];
  const writes = args.some((arg) => WRITES.test(arg));
  if (CHECKS.test(name) && !writes && name !== 'ssh-keygen') return [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [, option = '', value] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const isRead = READING_OPTION.test(option) || (/^-[ef]$/.test(option) && /env|foreman|honcho/.test(name));
    if (isRead && !args.includes('set')) at += value === undefined && !/\s/.test(args[at + 1] ?? '') ? 1 : 0;
    else if (value !== undefined) words.push(value);
    else if (option !== '' && option.startsWith('--')) continue;
    else if (/^-[a-zA-Z][./\w]/.test(arg)) words.push(arg.slice(2));
    else if (!arg.startsWith('-')) words.push(arg, ...(/^\w+=(.+)$/s.exec(arg)?.slice(1) ?? []));
  }
  // `host:path` and addresses are elsewhere.
  const isHere = (word: string): boolean =>
    word !== '' && !word.includes(UNKNOWN_PART) && !/^[\w.+@-]{2,}:/.test(word);
  // It reads the first, and writes the second.
  if (name === 'json.tool') return words.slice(1).filter(isHere);
  const named = words.filter(isHere).slice(0, 200);
  if (!ELSEWHERE.test(name)) return named;
  const outputs = args.flatMap((arg, at) => (OUTPUT.test(arg) ? [args[at + 1] ?? ''] : []));
  return [
    ...outputs.filter(isHere),
    ...(args.some((arg) => FETCHES.test(arg)) ? words.slice(-1).filter(isHere) : []),
  ];
}

/** Whether a program that is told of a folder seems to write in it: many are told which one to read. */
export const writesFolder = (args: readonly string[]): boolean =>
  args.some((arg) => WRITES.test(arg) || /^(?:-[a-z]*[iw]|--?[\w-]*out[\w-]*(?:=.*)?)$/.test(arg));

/** Whether a word is the task of a runner: the first that is no option, or the one behind `run`. */
function isTask(name: string, args: readonly string[], task: string): boolean {
  if (!RUNS_TASKS.test(name) || args.some((arg) => WRITES.test(arg))) return false;
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  return first === task || (/^run(?:-script)?$/.test(first) && second === task);
}

/** The words behind the script that an interpreter runs: that one it reads. `-m` names a program. */
export function listOfScript(args: readonly string[]): { name: string; args: readonly string[] } | null {
  if (args.some((arg) => /^--(?:test|check|env-file-if-exists|version|help)$/.test(arg))) return null;
  const module = args.indexOf('-m');
  if (module >= 0) return { name: args[module + 1] ?? '', args: args.slice(module + 2) };
  const at = args.findIndex(
    (arg, index) => !arg.startsWith('-') && !READING_OPTION.test(args[index - 1] ?? '') && arg !== 'run',
  );
  return at < 0 ? null : { name: '', args: args.slice(at + 1) };
}
