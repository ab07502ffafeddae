// Asks a person before a command destroys what cannot be had again: what is lost, and what does less.

import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import {
  type CommandPack,
  describeSetter,
  type GuardrailOptions,
} from '../../../settings/guardrail-options.ts';
import { displayText, normalize, stripFolder, toSlashes } from '../../../text/path-text.ts';
import type { Changes, PathChange } from '../change.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { matchesArgument } from './tool-rule.ts';

/** `lost`: the end of the sentence that begins with the command. */
interface Loss {
  pack: CommandPack;
  lost: string;
  safer: string;
}
type Words = readonly string[];
type Row = readonly [told: RegExp, lost: string, safer: string];

const NOT_COMMITTED = 'throws away every change that is not committed';
const NOT_STAGED = 'throws away every change that is not staged';
const STASHED = '`git stash push -u` first';

/** By the words of git, joined, from the verb on. */
const GIT: readonly Row[] = [
  [/^reset\b.* --hard\b/, NOT_COMMITTED, `${STASHED}, or \`git reset --keep\``],
  [
    /^clean\b(?!.* (?:-\w*[ni]|--interactive)).* (?:-\w*f|--force)/,
    'removes files that git does not have',
    '`git clean -n` shows them, `git stash push -u` keeps them',
  ],
  [
    /^push\b(?!.* -\w*n\b).* (?:-d\b|--delete\b|:\S)/,
    'removes a branch or tag from the remote',
    'ask those who work on it first',
  ],
  [
    /^push\b(?!.* -\w*n\b).* (?:-\w*f(?: |$)|--force(?: |$)|--mirror\b|\+\S)/,
    'overwrites what others have pushed',
    '`git push --force-with-lease`',
  ],
  [
    /^branch\b(?:.* -\w*D|(?=.* (?:-\w*d|--delete)\b).* (?:-\w*f|--force)\b)/,
    'removes a branch with commits that may be on no other',
    '`git branch -d`, which keeps those',
  ],
  [
    /^stash (?:drop|clear)\b/,
    'throws away stashed work',
    '`git stash show -p` shows it, `git stash branch NAME` keeps it',
  ],
  [
    /^(?:checkout|rm(?!.* --cached)|restore(?! (?:.* )?(?:-S(?!W)|--staged)(?!.* (?:-W|--worktree))))\b.* (?:\.{1,2}\/?|:\/|\*)(?: |$)/,
    NOT_STAGED,
    `${STASHED}, or name the files`,
  ],
  [/^(?:checkout|switch)\b.* (?:-\w*f|--force|--discard-changes)(?: |$)/, NOT_COMMITTED, STASHED],
  [/^reflog (?:expire|delete)\b/, 'forgets commits that only the reflog still finds', 'leave it to git'],
  [
    /^gc\b.* --prune=(?:now|all)/,
    'removes commits that no branch holds',
    '`git gc`, which keeps younger ones',
  ],
  [/^filter-(?:branch|repo)\b/, 'rewrites the history of every branch', 'do it in a fresh clone'],
  [
    /^worktree remove\b.* (?:-f|--force)\b/,
    'removes a worktree with what is not committed in it',
    '`git worktree remove`, which keeps it',
  ],
];

function judgeGit(args: Words): Loss | null {
  let at = 0;
  while (args[at]?.startsWith('-')) at += /^-[cC]$/.test(args[at] ?? '') ? 2 : 1;
  const text = args.slice(at).join(' ');
  const row = GIT.find(([told]) => told.test(text));
  return row === undefined ? null : { pack: 'git', lost: row[1], safer: row[2] };
}

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|cockroach|clickhouse(?:-client)?|mongo(?:sh)?|redis-cli|dropdb|mysqladmin)$/;
const ROWS =
  'a dump first (`pg_dump`, `mysqldump`, `.backup`), or the same in a transaction that is rolled back';

/** What a text of SQL, or of the shell of MongoDB or Redis, destroys; null for nothing. */
function readStatements(text: string): string | null {
  if (/\bdropDatabase\s*\(|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)/.test(text))
    return 'removes whole collections';
  if (/\bflush(?:all|db)\b/i.test(text)) return 'removes every key';
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').replace(/'(?:[^']|'')*'/g, "''");
  for (const statement of plain.split(';')) {
    if (/\bdrop\s+(?:table|database|schema|column|keyspace|user|role|owned)\b/i.test(statement))
      return 'removes tables or whole databases';
    if (/\btruncate\s+(?:table\s+)?["`\w]/i.test(statement)) return 'removes every row of a table';
    const isWhole = /\bdelete\s+from\b|\bupdate\s+["`\w.]+\s+set\b/i.test(statement);
    if (isWhole && !/\bwhere\b/i.test(statement)) return 'changes every row of a table (it has no WHERE)';
  }
  return null;
}

function judgeDatabase(name: string, args: Words): Loss | null {
  if (name === 'dropdb' || (name === 'mysqladmin' && args.includes('drop')))
    return { pack: 'databases', lost: 'removes a whole database', safer: ROWS };
  const lost = readStatements(args.join('\n'));
  return lost === null ? null : { pack: 'databases', lost, safer: ROWS };
}

type ProgramRow = readonly [program: RegExp, ...Row];

/** By the words of a command, joined. */
const INFRASTRUCTURE: readonly ProgramRow[] = [
  [
    /^(?:terraform|tofu|terragrunt|pulumi|cdk|vagrant)$/,
    /^(?!.*\bplan\b).*(?:\bdestroy\b|-destroy\b|\bstate rm\b)/,
    'removes what it manages',
    '`plan -destroy` shows what would go',
  ],
  [
    /^(?:kubectl|oc)$/,
    /\bdelete (?:.* )?(?:(?:ns|namespaces?|pvc?|persistentvolume(?:claim)?s?|crds?)\b|--all(?:=true)?(?: |$))/,
    'removes a namespace, a volume or all of a kind, with all in them',
    '`--dry-run=server`, or the name of one object',
  ],
  [
    /^helm$/,
    /^(?:\S+ )*?(?:uninstall|delete|del|un) /,
    'removes a release with all it has made',
    '`--dry-run`',
  ],
  [
    /^aws$/,
    /\bs3 rb\b|\bs3 rm\b.*--recursive|\b(?:delete|terminate)-(?:bucket|db|table|stack|cluster|instances?|volume|snapshot|function|user|role|file-system)/,
    'removes it for good, with all in it',
    '`--dryrun`, or a copy first',
  ],
  [
    /^(?:gcloud|az|doctl|eksctl|ibmcloud)$/,
    / delete(?: |$)/,
    'removes it for good',
    'describe it first, and make a copy',
  ],
  [/^gsutil$/, /^(?:-m )?(?:rb|rm .*-\w*[rR])/, 'removes a bucket or all in it', 'a copy first'],
  [
    /^(?:heroku|fly|flyctl)$/,
    /(?:apps[ :]destroy|pg:reset|volumes destroy)/,
    'removes it for good',
    'a backup first',
  ],
  [/^gh$/, /^(?:repo|release) delete\b/, 'removes it from GitHub', '`gh repo archive`, or a draft'],
  [
    /^(?:docker|podman)$/,
    /^(?:system prune.*(?: -\w*a|--all|--volumes)|volume (?:rm|prune)|compose .*?down.*(?: -v|--volumes))/,
    'removes images or volumes with their data',
    '`docker system df` shows what there is; prune without `-a` and `--volumes`',
  ],
  [/^docker-compose$/, /down.*(?: -v|--volumes)/, 'removes volumes with their data', '`down` without `-v`'],
];
const PACKAGES: readonly ProgramRow[] = [
  [
    /^(?:npm|pnpm|yarn|bun|lerna|changeset|vsce|ovsx|jsr|deno|poetry|uv|hatch|flit|cargo)$/,
    /^(?!(?:.* )?run ).*(?:^| )(?:un)?publish(?: |$)/,
    'publishes a version that nobody can take back, or takes one from all who use it',
    '`--dry-run`',
  ],
  [/^(?:cargo|gem)$/, /^yank\b/, 'takes a version from all who use it', 'publish a newer version'],
  [
    /^(?:gem|twine|cargo)$/,
    /^(?:push|upload)\b/,
    'publishes a version that nobody can take back',
    'build it, and look at it',
  ],
];
const MIGRATIONS =
  /\bdb:(?:drop|reset|purge|wipe|migrate:reset)\b|\bmigrate(?::(?:fresh|reset|refresh)| reset)\b|\bmanage\.py flush\b|\b(?:supabase|dbt) db reset\b/;
const DISK = /^of=\/dev\/(?:sd|nvme|hd|vd|xvd|disk|rdisk|mmcblk)/;

function judgeWords(words: Words): Loss | null {
  const [first = '', ...args] = words;
  const name = first.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
  if (args.some((arg) => /^(?:--dry-?run(?:=(?!none).*)?|--help)$/.test(arg))) return null;
  if (name === 'git') return judgeGit(args);
  // A client in a container, on another machine.
  const client = CLIENTS.test(name)
    ? 0
    : /^(?:docker|podman|kubectl|ssh|docker-compose)$/.test(name)
      ? words.findIndex((word) => CLIENTS.test(word))
      : -1;
  if (client >= 0) {
    const found = judgeDatabase(client === 0 ? name : (words[client] ?? ''), words.slice(client + 1));
    if (found !== null) return found;
  }
  const text = args.join(' ');
  for (const [pack, rows] of [
    ['infrastructure', INFRASTRUCTURE],
    ['packages', PACKAGES],
  ] as const) {
    const row = rows.find(([program, told]) => program.test(name) && told.test(text));
    if (row !== undefined) return { pack, lost: row[2], safer: row[3] };
  }
  if (MIGRATIONS.test(`${name} ${text}`))
    return { pack: 'databases', lost: 'removes all data of the database', safer: 'a dump first' };
  return /^(?:mkfs(?:\..+)?|wipefs)$/.test(name) || (name === 'dd' && args.some((arg) => DISK.test(arg)))
    ? { pack: 'files', lost: 'overwrites a whole disk', safer: 'an image file' }
    : null;
}

/** Folders of the system, with what lies directly below them. */
const SYSTEM =
  /^\/(?:(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)(?:\/[^/]+)?)?$/;
const OF_HOME = /^(?:Documents|Desktop|Downloads|Pictures|Library|\.config|\.local)$/;
/** What is built or fetched anew: of other folders, git is asked. */
const BUILT =
  /^(?:node_modules|dist|build|target|out|coverage|__pycache__|\.?venv|tmp|\.(?:cache|next|nuxt|turbo|tox|gradle|(?:pytest|mypy|ruff)_cache)|.*\.egg-info|DerivedData|Pods)$/;
const base = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//, '');

/** What of value lies at a folder that is removed whole; null for nothing that we know. */
function findVital(path: string, call: GuardedCall, sight: FileSystemPort): string | null {
  const at = normalize(path);
  const [root, home] = [normalize(toSlashes(call.root)), normalize(toSlashes(call.home))];
  if (at === root || stripFolder(root, at) !== null)
    return at === root ? 'the whole project' : 'the project and more';
  if (at === home || stripFolder(home, at) !== null) return 'the home folder';
  const inside = stripFolder(at, root);
  if (inside !== null) {
    if (inside === '.git') return 'the history of the project';
    if (inside.includes('/') || sight.resolve(at, true).kind !== 'folder') return null;
    const isKept = sight.isCommitted?.(at) ?? !BUILT.test(inside);
    return isKept ? `${inside}/, with what is not committed in it` : null;
  }
  if (OF_HOME.test(stripFolder(at, home) ?? '')) return 'files of the user';
  return SYSTEM.test(at) ? 'a folder of the system' : null;
}

/** What `rm -r` would remove, by its path, or as far as that is known. */
function judgeRemoval(change: PathChange, call: GuardedCall, sight: FileSystemPort): string | null {
  const { act, whole, by, path, within, tail, found, written } = change;
  if (act !== 'remove' || whole !== 'all' || !/^(?:rm|rimraf|find)$/.test(by)) return null;
  if (path !== null) {
    // All that a folder holds is the folder.
    const isAll = /(?:^|\/)\.?\*$/.test(written);
    const held = isAll ? findVital(normalize(path).replace(/\/[^/]*$/, '/'), call, sight) : null;
    return held ?? findVital(path, call, sight);
  }
  if (found !== undefined || BUILT.test(base(tail ?? ''))) return null;
  if (within !== undefined && findVital(within, call, sight) === null) return null;
  return 'a folder that nobody knows before it runs ("…" is computed)';
}

/** The command of a removal, as it is written. */
const findCommand = ({ by, written }: PathChange, commands: readonly Words[]): string =>
  commands.find(([first = '', ...args]) => base(first) === by && args.includes(written))?.join(' ') ??
  `${by} -r ${written}`;

export function checkCommands(
  changes: Changes,
  call: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const { action, packs, allow } = options.commands;
  if (action === 'abstain' || packs.length === 0) return [];
  const commands = [...(changes.commands ?? []), ...changes.passedOn];
  const losses = new Map<string, Loss>();
  for (const words of commands) {
    const loss = judgeWords(words);
    if (loss !== null) losses.set(words.join(' '), loss);
  }
  for (const change of [...changes.changes, ...changes.named]) {
    const what = judgeRemoval(change, call, sight);
    if (what === null) continue;
    const safer = 'name the folder literally, or move it away instead';
    losses.set(findCommand(change, commands), { pack: 'files', lost: `removes ${what}`, safer });
  }
  return [...losses].flatMap(([text, { pack, lost, safer }]): GuardrailFinding[] => {
    if (!packs.includes(pack)) return [];
    const at = displayText(text.replace(/\s+/g, ' '), 80);
    const free = allow.find(({ command }) => matchesArgument(command, text));
    const found = { rule: 'commands', at, saw: `it ${lost} (pack ${pack})` } as const;
    if (free !== undefined) {
      const saw = `${found.saw}; "${free.command}" of commands.allow lets it run: ${free.reason}`;
      return [{ ...found, saw, decision: 'abstain', reason: null }];
    }
    const reason = `\`${at}\` ${lost}. Safer: ${safer} (guardrail rule "commands", pack "${pack}", ${describeSetter(options, 'commands.action')}).`;
    const next = 'Do that instead, or tell the user what it is needed for.';
    return [{ ...found, decision: action, reason, next }];
  });
}
