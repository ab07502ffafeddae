// Lists the programs that only read, whatever their arguments; any other that is not followed may do anything.

/** They print, and change neither a file nor anything else that lasts. */
const READS = new Set(
  [
    'ls dir vdir tree pwd echo printf cat tac nl head tail less more wc cut tr paste join column comm cmp diff diff3 rev fold fmt',
    'expand unexpand od hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum shasum cksum sum b2sum',
    'grep egrep fgrep zgrep rg ag ack fd fdfind locate which whereis whatis apropos man info help type hash',
    'test [ [[ true false : expr bc dc seq factor yes sleep wait stat file du df basename dirname realpath readlink',
    'date cal uname arch hostname nproc getconf id whoami who groups users w uptime free ps top pgrep lsof netstat ss vmstat',
    'env printenv locale tty stty clear tput history jobs fg bg dirs times ulimit umask exit return break continue shift let',
    'jq xmllint cloc tokei scc sw_vers lsb_release getent nslookup dig host ping zcat bzcat xzcat zless',
  ].flatMap((line) => line.split(' ')),
);

/** Options by which some of them start other programs. */
const STARTS: Record<string, RegExp> = {
  fd: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/,
  rg: /^--(?:pre|hostname-bin)(?:=.*)?$/,
  man: /^(?:-P|--pager|-H|--html).*$/,
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

/** Words of git that leave the files of the work tree as they are; those that change them are followed elsewhere. */
const GIT =
  /^(?:|add|commit|push|fetch|log|diff|show|status|branch|tag|remote|rev-parse|ls-(?:files|tree|remote)|blame|annotate|describe|shortlog|reflog|grep|cat-file|rev-list|merge-base|name-rev|for-each-ref|help|version|notes|symbolic-ref|count-objects|fsck|gc|var|whatchanged|range-diff|show-(?:ref|branch)|check-(?:ignore|attr|mailmap)|diff-(?:tree|index|files)|cherry|hash-object|verify-(?:commit|tag)|stripspace|maintenance|prune|--version|--help)$/;

const TELLS_ALONE = /^(?:--?version|-[vV]|--?help|-h)$/;

/**
 * Whether a simple command is known to change nothing, by its program and its words. Git's words for the repository alone
 * (`add`, `commit`) count as that: no file of the work tree changes.
 *
 * @param name the program, without its folder
 */
export function readsOnly(name: string, args: readonly string[]): boolean {
  if (READS.has(name)) return !args.some((arg) => STARTS[name]?.test(arg));
  if (args.length === 1 && TELLS_ALONE.test(args[0] ?? '')) return true;
  if (args.some((arg) => DOES.test(arg)) && (RUNNERS.test(name) || name === 'gh')) return false;
  if (RUNNERS.test(name)) return TELLS.test(args[0] ?? '');
  const told = Object.hasOwn(TOLD, name) ? TOLD[name] : undefined;
  if (told !== undefined) return told.test(`${args[0] ?? ''} ${args[1] ?? ''}`);
  return name === 'git' && GIT.test(args[0] ?? '');
}

/**
 * Whether a whole command is plainly one that only reads, without parsing it: for those of which `needsLook` says that
 * there is no sign in them that could make other words of words.
 */
export const readsPlainly = (command: string): boolean =>
  command.split(/[;&|\n]+/).every((part) => {
    const [name = '', ...args] = part.trim().split(/\s+/);
    return (
      (name === '' || READS.has(name) || name === 'git' || name === 'cd') &&
      (name === 'cd' || name === '' || readsOnly(name, args))
    );
  });
