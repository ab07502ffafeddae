// A tool run, and the one table of programs that only read, with the words by which they write or start others after all.

/** A call as the host tells of it after it was made. */
export interface ToolRun {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  ending: Ending;
  /** What it gave back, as text; '' where it was none. */
  output: string;
}

export type Ending =
  | { state: 'ok' | 'denied' | 'interrupted' | 'started' }
  /** `code`: the exit code of a command, where it is known. */
  | { state: 'failed'; code: number | null };

/** They print, and change neither a file nor anything else that lasts. */
const READS = new Set(
  [
    'ls dir vdir tree pwd echo printf cat tac nl head tail less more wc cut tr paste join column comm cmp diff diff3 rev fold fmt',
    'expand unexpand od hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum shasum cksum sum b2sum',
    'grep egrep fgrep zgrep rg ag ack fd fdfind locate which whereis whatis apropos man info help type hash',
    'test [ [[ true false : expr bc seq factor yes sleep wait stat file du df basename dirname realpath readlink',
    'date cal uname arch hostname nproc getconf id whoami who groups users w uptime free ps top pgrep lsof netstat ss vmstat',
    'env printenv locale tty stty clear tput history jobs fg bg dirs times ulimit umask exit return break continue shift let',
    'jq xmllint cloc tokei scc sw_vers lsb_release getent nslookup dig host ping zcat bzcat xzcat zless',
  ].flatMap((line) => line.split(' ')),
);

/** Arguments by which some of them, or git, write a file or start another program. */
const UNLESS: Readonly<Record<string, RegExp | undefined>> = {
  arch: /./,
  env: /^[^-=]+$/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/,
  rg: /^--(?:pre|hostname-bin)(?:=.*)?$/,
  man: /^(?:-P|--pager|-H|--html).*$/,
  ag: /^--pager/,
  ack: /^--(?:pager|output)/,
  less: /^(?:-[a-zA-Z]*[oO]|--(?:log-file|LOG-FILE))/,
  tree: /^-[a-zA-Z]*o/,
  date: /^(?:-[a-zA-Z]*s|--set)/,
  file: /^(?:-[a-zA-Z]*C|--compile)/,
  base64: /^(?:-o|--output)/,
  diff: /^--output/,
  history: /^-[a-z]*[acdnrw]/,
  xmllint: /^--(?:output|shell)/,
  cloc: /^--(?:out|report-file|.*=)/,
  scc: /^(?:-o|--output)/,
  git: /^(?:--(?:output|ext-diff|open-files)|-O)/,
};

/** What runs the project's own programs, and by which words it only tells. */
export const RUNNERS =
  /^(?:npx|bunx|npm|pnpm|yarn|uv|poetry|pipenv|rye|pdm|bundle|conda|mise|direnv|gem|pip\d?|cargo|go|rustup)$/;
const TELLS =
  /^(?:ls|list|view|info|show|why|explain|outdated|audit|search|freeze|tree|metadata|version|help|env|doc|--version|-v|-V|--help|-h)$/;

/** What they are told to do by one or two words, and by which of them they only tell. */
const TOLD: Readonly<Record<string, RegExp | undefined>> = {
  gh: /^(?:(?:pr|issue|run|release|repo|workflow|label|gist|cache|ruleset) (?:view|list|status|diff|checks)\b|search |status\b|auth status\b)/,
  docker: /^(?:ps|images|logs|inspect|version|info|top|port|stats|diff|history)\b/,
  podman: /^(?:ps|images|logs|inspect|version|info|top|port|stats|diff|history)\b/,
  kubectl: /^(?:get|describe|logs|top|explain|version|cluster-info|api-resources|api-versions)\b/,
};
/** Words by which those that usually tell do more. */
const DOES = /^(?:fix|-w|-u|--(?:web|fix|write))$/;

/** Words of git that only tell. */
const GIT_TELLS =
  /^(?:status|log|diff|show|rev-parse|ls-(?:files|tree|remote)|blame|annotate|describe|shortlog|grep|cat-file|rev-list|merge-base|name-rev|for-each-ref|help|version|count-objects|var|whatchanged|range-diff|show-(?:ref|branch)|check-(?:ignore|attr|mailmap)|diff-(?:tree|index|files)|cherry|verify-(?:commit|tag)|--version|--help)$/;
/** Words of git for the repository alone: the work tree stays as it is, unless a hook of the repository changes it. */
const GIT_KEEPS =
  /^(?:|add|commit|push|fetch|branch|tag|remote|reflog|notes|symbolic-ref|fsck|gc|hash-object|stripspace|maintenance|prune)$/;

const TELLS_ALONE = /^(?:--?version|-[vV]|--?help|-h)$/;

const isReading = (name: string, args: readonly string[]): boolean => {
  const unless = Object.hasOwn(UNLESS, name) ? UNLESS[name] : undefined;
  return READS.has(name) && !args.some((arg) => unless?.test(arg));
};

/**
 * Whether a simple command is known to change no file, by its program and its words. Git's words for the repository alone
 * (`add`, `commit`) count as that.
 *
 * @param name the program, without its folder
 */
export function isReadOnlyProgram(name: string, args: readonly string[]): boolean {
  if (READS.has(name)) return isReading(name, args);
  if (args.length === 1 && TELLS_ALONE.test(args[0] ?? '')) return true;
  if (args.some((arg) => DOES.test(arg)) && (RUNNERS.test(name) || name === 'gh')) return false;
  if (RUNNERS.test(name)) return TELLS.test(args[0] ?? '');
  const told = Object.hasOwn(TOLD, name) ? TOLD[name] : undefined;
  if (told !== undefined) return told.test(`${args[0] ?? ''} ${args[1] ?? ''}`);
  return name === 'git' && (GIT_TELLS.test(args[0] ?? '') || GIT_KEEPS.test(args[0] ?? ''));
}

/** Redirections, and commands in commands. */
const DOING = /[<>`(]/;
/** What is thrown away, or joined to another stream, is written nowhere. */
const NOWHERE = /\d?>(?:\s*\/dev\/null(?![\w/.-])|&\d)/g;

/**
 * Whether a whole command consists of programs that only read, told without parsing it: in doubt it does not. Quotes are
 * taken out, so that they hide no argument; what stands in them is looked at as if it stood alone.
 */
export function isReadOnlyCommand(command: string): boolean {
  const plain = command.replace(NOWHERE, ' ').replace(/['"\\]/g, '');
  if (DOING.test(plain)) return false;
  return plain.split(/[;&|\n\r]+/).every((part) => {
    const [name = '', ...args] = part.trim().split(/\s+/);
    if (name === '' || name === 'cd') return true;
    const words = args.flatMap((arg) => arg.split(/[{},]/));
    if (name === 'git') return GIT_TELLS.test(args[0] ?? '') && !words.some((word) => UNLESS.git?.test(word));
    return isReading(name, words);
  });
}
