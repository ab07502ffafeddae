// Knows what a command destroys, by the program's subcommand and its own options in their places.

import type { CommandPack } from '../../../settings/guardrail-options.ts';
import { isMigration, judgeStatements } from './database-losses.ts';
import {
  beginsWith,
  findName,
  type Row,
  readArguments,
  type Spoken,
  type Takes,
  type Words,
} from './spoken.ts';

/** `lost`: the end of the sentence that begins with the command; `safer`: null where no form of it is. */
export interface Loss {
  pack: CommandPack;
  lost: string;
  safer: string | null;
}
const NOT_COMMITTED = 'throws away every change that is not committed';
const STASHED = '`git stash push -u` first';
const GIT_GLOBAL = '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source';
const GIT_TAKES: Record<string, string> = {
  clean: '-e --exclude',
  stash: '-m --message --pathspec-from-file',
  push: '-o --push-option --repo --receive-pack --exec',
  branch: '--sort -u --set-upstream-to --format --contains --no-contains --points-at',
  checkout: '-b -B --orphan --conflict --pathspec-from-file',
  switch: '-c -C --create --force-create --orphan --conflict',
  restore: '-s --source --conflict --pathspec-from-file',
};
const isAll = ({ words, has }: Spoken): boolean =>
  !has('-p', '--patch') && words.some((word) => /^(?:\.{1,2}\/?|:\/|\*)$/.test(word));

/** By verb. */
const GIT: Record<string, readonly Row[]> = {
  reset: [[({ has }) => has('--hard'), NOT_COMMITTED, `${STASHED}, or \`git reset --keep\``]],
  clean: [
    [
      ({ has }) => has('-f', '--force') && !has('-n', '-i', '--interactive'),
      'removes files that git does not have',
      '`git clean -n` shows them, `git stash push -u` keeps them',
    ],
  ],
  push: [
    [
      ({ words, has }) =>
        !has('-n') && (has('-d', '--delete') || words.slice(1).some((word) => /^:./.test(word))),
      'removes a branch or tag from the remote',
      'ask those who work on it first',
    ],
    [
      ({ words, has }) =>
        !has('-n') && (has('-f', '--force', '--mirror') || words.some((word) => /^\+./.test(word))),
      'overwrites what others have pushed',
      '`git push --force-with-lease`',
    ],
  ],
  branch: [
    [
      ({ has }) => has('-D') || (has('-d', '--delete') && has('-f', '--force')),
      'removes a branch with commits that may be on no other',
      '`git branch -d`, which keeps those',
    ],
  ],
  stash: [
    [
      beginsWith(/^(?:drop|clear)\b/),
      'throws away stashed work',
      '`git stash show -p` shows it, `git stash branch NAME` keeps it',
    ],
  ],
  reflog: [
    [
      (said) => /^(?:expire|delete)\b/.test(said.text) && !said.has('-n'),
      'forgets commits that only the reflog still finds',
      'leave it to git',
    ],
  ],
  gc: [
    [
      ({ value }) => /^(?:now|all)$/.test(value('--prune') ?? ''),
      'removes commits that no branch holds',
      '`git gc`, which keeps younger ones',
    ],
  ],
  worktree: [
    [
      beginsWith(/^remove\b/, '-f', '--force'),
      'removes a worktree with what is not committed in it',
      '`git worktree remove`, which keeps it',
    ],
  ],
};
const MOVED: Row = [({ has }) => has('-f', '--force', '--discard-changes'), NOT_COMMITTED, STASHED];
const whole = (when: (said: Spoken) => boolean): Row => [
  (said) => isAll(said) && when(said),
  'throws away every change that is not staged',
  `${STASHED}, or name the files`,
];
GIT.switch = [MOVED];
GIT.checkout = [whole(() => true), MOVED];
GIT.rm = [whole(({ has }) => !has('--cached', '-n'))];
GIT.restore = [whole(({ has }) => !has('-S', '--staged') || has('-W', '--worktree'))];
const REWRITES: Row = [
  ({ has }) => !has('--analyze'),
  'rewrites the history of every branch',
  'do it in a fresh clone',
];
GIT['filter-branch'] = GIT['filter-repo'] = [REWRITES];

function judgeGit(args: Words): Loss | null {
  // Options of git itself stand before its verb.
  let at = 0;
  while (args[at]?.startsWith('-')) at += GIT_GLOBAL.split(' ').includes(args[at] ?? '') ? 2 : 1;
  const verb = args[at] ?? '';
  if (!Object.hasOwn(GIT, verb)) return null;
  const said = readArguments(args.slice(at + 1), GIT_TAKES[verb] ?? '');
  const row = GIT[verb]?.find(([destroys]) => destroys(said));
  return row === undefined ? null : { pack: 'git', lost: row[1], safer: row[2] };
}

const ALL_BUT = (flags: RegExp) => (name: string) => !flags.test(name);
type Program = readonly [program: RegExp, takes: Takes, ...rows: Row[]];

const KINDS =
  /^(?:ns|namespaces?|pvc?|persistentvolume(?:claim)?s?|crds?|customresourcedefinitions?)(?:\.[\w.]+)?(?:\/|$)/;
const CLOUD_READS =
  /^(?:list|describe|show|get|create|update|set|read|logs?|ssh|config|help|lookup-events|wait)$/;
const DAEMON =
  '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection';
const FOR_GOOD = 'removes it for good';

const INFRASTRUCTURE: readonly Program[] = [
  [
    /^(?:terraform|tofu|terragrunt|pulumi|cdk|vagrant)$/,
    '-C --cwd -s --stack --color -a --app -c --context --profile --terragrunt-working-dir --working-dir',
    [
      ({ text, has }) =>
        /^(?:run-all |run )?(?:destroy\b(?!-)|state rm\b|stack rm\b|workspace delete\b)/.test(text) ||
        (/^(?:run-all |run )?apply\b/.test(text) && has('-destroy', '--destroy')),
      'removes what it manages',
      '`plan -destroy`, `preview` or `diff` shows what would go',
    ],
  ],
  [
    /^(?:kubectl|oc)$/,
    '-n --namespace --context --cluster --kubeconfig --user --token --as -s --server -f --filename -l --selector -o --output --grace-period --timeout --field-selector -k --kustomize --request-timeout -v',
    [
      ({ words: [verb, kinds = '', ...more], has, value }) =>
        verb === 'delete' &&
        (kinds.split(',').some((kind) => KINDS.test(kind)) ||
          more.some((word) => word.includes('/') && KINDS.test(word)) ||
          (has('--all') && value('--all') !== 'false')),
      'removes a namespace, a volume or all of a kind, with all in them',
      '`--dry-run=server`, or the name of one object',
    ],
  ],
  [
    /^helm$/,
    '-n --namespace --kube-context --kubeconfig --registry-config --repository-config --timeout',
    [beginsWith(/^(?:uninstall|delete|del|un) /), 'removes a release with all it has made', '`--dry-run`'],
  ],
  [
    /^aws$/,
    ALL_BUT(/^--(?:no-.*|debug|recursive|force|quiet|dryrun|v2)$/),
    [
      ({ text, has }) =>
        /^s3 rb\b/.test(text) ||
        (/^s3 rm\b/.test(text) && has('--recursive')) ||
        /^[\w-]+ (?:delete|terminate)-(?:bucket|db|table|stack|cluster|instances?|volume|snapshot|function|user|role|file-system)/.test(
          text,
        ),
      'removes it for good, with all in it',
      '`--dryrun`, or a copy first',
    ],
  ],
  [
    /^(?:gcloud|az|doctl|eksctl|ibmcloud)$/,
    ALL_BUT(/^(?:--(?:quiet|yes|force|async|no-.*|debug|verbose|only-show-errors|wait)|-[qyf])$/),
    [
      ({ words }) => {
        const at = words.indexOf('delete');
        return at >= 0 && at < 6 && !words.slice(0, at).some((word) => CLOUD_READS.test(word));
      },
      FOR_GOOD,
      'describe it first, and make a copy',
    ],
  ],
  [
    /^gsutil$/,
    '-o -h -u',
    [
      (said) => beginsWith(/^rb\b/)(said) || beginsWith(/^rm\b/, '-r', '-R')(said),
      'removes a bucket or all in it',
      'a copy first',
    ],
  ],
  [
    /^(?:heroku|fly|flyctl)$/,
    '-a --app -c --config -r --remote',
    [
      beginsWith(/^(?:apps[ :]destroy|pg:reset|(?:volumes?|machines?|postgres) destroy)\b/),
      FOR_GOOD,
      'a backup first',
    ],
  ],
  [
    /^gh$/,
    '-R --repo',
    [beginsWith(/^repo delete(?: |$)/), 'removes it from GitHub', '`gh repo archive`'],
    [beginsWith(/^release delete(?: |$)/), 'removes it from GitHub', '`gh release edit --draft`'],
  ],
  [
    /^(?:docker|podman)$/,
    `${DAEMON} --filter`,
    [
      (said) =>
        beginsWith(/^system prune\b/, '-a', '--all', '--volumes')(said) ||
        beginsWith(/^volume (?:rm|remove|prune)\b/)(said),
      'removes images or volumes with their data',
      '`docker system df` shows what there is; prune without `-a` and `--volumes`',
    ],
  ],
  [
    /^(?:docker|podman)$/,
    `${DAEMON} -f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel -t --timeout --rmi`,
    [
      beginsWith(/^compose down\b/, '-v', '--volumes'),
      'removes volumes with their data',
      '`down` without `-v`',
    ],
  ],
];

const PUBLISHES =
  /^(?:workspace \S+ |workspaces foreach |recursive |multi |m )?(?:npm )?(?:un)?publish(?: |$)/;
const TAKEN = 'publishes a version that nobody can take back';
const LOOKED = 'build it, and look at it';
const PUBLISHING =
  '--workspace --prefix --registry --tag --access --otp --userconfig --filter -F -C --dir --cwd --directory --project --manifest-path --config -Z --color --from --include --exclude -j --jobs';
const PUBLISHED: Row = [
  ({ text }) => PUBLISHES.test(text.replace(/^\+\S+ /, '')),
  `${TAKEN}, or takes one from all who use it`,
  '`--dry-run`',
];
const PACKAGES: readonly Program[] = [
  // `-w` of pnpm takes no value.
  [/^npm$/, `-w ${PUBLISHING}`, PUBLISHED],
  [
    /^(?:pnpm|yarn|bun|lerna|changeset|vsce|ovsx|jsr|deno|poetry|uv|hatch|flit|cargo)$/,
    PUBLISHING,
    PUBLISHED,
  ],
  [
    /^(?:cargo|gem)$/,
    '',
    [beginsWith(/^yank\b/), 'takes a version from all who use it', 'publish a newer version'],
    [beginsWith(/^push\b/), TAKEN, LOOKED],
  ],
  [/^twine$/, '', [beginsWith(/^upload\b/), TAKEN, LOOKED]],
];

const DISK = /^of=\/dev\/(?:sd|nvme|hd|vd|xvd|disk|rdisk|mmcblk)/;
const isTried = (arg: string): boolean => /^(?:--dry-?run(?:=(?!none|false).*)?|--help)$/.test(arg);

/** What a simple command destroys; null for nothing that is known. `isParsed`: its words are those of a shell. */
export function judgeWords(words: Words, isParsed: boolean): Loss | null {
  const [first = '', ...rest] = words;
  const isCompose = findName(first) === 'docker-compose';
  const name = isCompose ? 'docker' : findName(first);
  const args = isCompose ? ['compose', ...rest] : rest;
  const end = args.indexOf('--');
  if (args.slice(0, end < 0 ? undefined : end).some(isTried)) return null;
  if (name === 'git') return judgeGit(args);
  const lost = judgeStatements(name, args, isParsed);
  if (lost !== null) return { pack: 'databases', ...lost };
  for (const [pack, programs] of [
    ['infrastructure', INFRASTRUCTURE],
    ['packages', PACKAGES],
  ] as const) {
    for (const [program, takes, ...rows] of programs) {
      if (!program.test(name)) continue;
      const said = readArguments(args, takes);
      const row = rows.find(([destroys]) => destroys(said));
      if (row !== undefined) return { pack, lost: row[1], safer: row[2] };
    }
  }
  if (isMigration(name, args))
    return { pack: 'databases', lost: 'removes all data of the database', safer: 'a dump first' };
  const overwrites =
    /^mkfs(?:\..+)?$/.test(name) ||
    (name === 'wipefs' && readArguments(args, '').has('-a', '--all', '-o', '--offset')) ||
    (name === 'dd' && args.some((arg) => DISK.test(arg)));
  return overwrites ? { pack: 'files', lost: 'overwrites a whole disk', safer: 'an image file' } : null;
}
