// What git commands change in the files of the work tree, by their own words.

import { isReadOnlyProgram } from '../../../hosts/read-only-commands.ts';
import { type Arguments, splitArguments, type Takes } from './operands.ts';
import { config, listPatchedFiles } from './output-programs.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

const GLOBAL: Takes = {
  short: 'Cc',
  long: ['git-dir', 'work-tree', 'namespace', 'exec-path', 'super-prefix', 'config-env', 'attr-source'],
  stops: true,
};

/** Path arguments: what stands behind `--`, else what is no option. */
function pathspecs(
  args: readonly string[],
  takes: Takes,
): { before: string[]; paths: string[] } & Pick<Arguments, 'has' | 'values'> {
  const at = args.indexOf('--');
  const head = splitArguments(at < 0 ? args : args.slice(0, at), takes);
  return { ...head, before: head.operands, paths: at < 0 ? [] : args.slice(at + 1) };
}

/** A pathspec as a path: `:/` is the top, other magic is not followed. */
const pathOf = (spec: string): string =>
  /^:(?:\/|\(top\))/.test(spec) ? `${UNKNOWN_PART}/${spec.replace(/^:(?:\/|\(top\))/, '')}` : spec;

function put(
  hand: CommandContext,
  specs: readonly string[],
  act: 'write' | 'remove' | 'restore' = 'write',
): void {
  for (const spec of specs) {
    const path = pathOf(spec);
    const whole = hand.isFolder(path) ? ('some' as const) : (false as const);
    const how = { by: hand.name, whole, restores: act === 'restore' && !whole };
    if (act === 'remove') hand.remove(path, how);
    else hand.write(path, how);
  }
}

/** By the commit that a file is taken from: what is committed last is put back, anything else is written. */
const actFrom = (...commits: string[]): 'write' | 'restore' =>
  commits.every((each) => each === 'HEAD' || each === '@') ? 'restore' : 'write';

const tree = (hand: CommandContext): void => hand.unknown('it changes the whole work tree');

const checkout: Command = (hand) => {
  const { before, paths, has } = pathspecs(hand.args, {
    short: 'bB',
    long: ['orphan', 'conflict', 'pathspec-from-file'],
  });
  if (paths.length > 0) return put(hand, paths, actFrom(...before));
  if (has('--pathspec-from-file')) return tree(hand);
  // `git checkout x`: a branch, or a file. What is a folder or has an ending is taken for a file as well.
  const files = before.filter(
    (each) => /^\.{1,2}$|\.\w+$|\/$/.test(each) || each.startsWith('./') || hand.isFolder(each),
  );
  if (files.length > 0) put(hand, files, files.length === before.length ? 'restore' : 'write');
  if (files.length < before.length && before.length - files.length > 0 && !has('-b', '-B', '--orphan'))
    tree(hand);
};

const apply: Command = (hand) => {
  const { operands, values, has } = splitArguments(hand.args, {
    short: 'pC',
    long: ['directory', 'exclude', 'include', 'whitespace'],
  });
  if (has('--check', '--stat', '--numstat', '--summary', '--cached')) return;
  const strip = Number(values('-p')[0] ?? 1);
  const folder = values('--directory')[0];
  const texts =
    operands.length === 0 || operands[0] === '-'
      ? [hand.state.input]
      : operands.map((path) => hand.read(path));
  for (const text of texts) {
    const files = text === null ? null : listPatchedFiles(text, strip);
    if (files === null) hand.unknown('its patch cannot be read');
    else
      put(
        hand,
        files.map((path) => (folder === undefined ? path : `${folder}/${path}`)),
      );
  }
};

const SUB: Record<string, Command> = {
  checkout,
  restore: (hand) => {
    const { before, paths, has, values } = pathspecs(hand.args, { short: 's', long: ['source', 'conflict'] });
    if (has('-S', '--staged') && !has('-W', '--worktree')) return;
    put(hand, [...before, ...paths], actFrom(...values('-s', '--source')));
  },
  apply,
  am: apply,
  rm: (hand) => {
    const { before, paths, has } = pathspecs(hand.args, {});
    if (!has('--cached', '-n', '--dry-run')) put(hand, [...before, ...paths], 'remove');
  },
  mv: (hand) => {
    const { before, paths, has } = pathspecs(hand.args, {});
    const all = [...before, ...paths];
    const target = all.at(-1);
    if (target === undefined || all.length < 2 || has('-n', '--dry-run')) return;
    put(hand, all.slice(0, -1), 'remove');
    const isInto = all.length > 2 || hand.isFolder(target);
    for (const source of all.slice(0, -1)) {
      const name = source.replace(/\/+$/, '').replace(/^.*\//, '');
      hand.write(isInto ? `${target.replace(/\/$/, '')}/${name}` : target);
    }
  },
  clean: (hand) => {
    const { before, paths, has } = pathspecs(hand.args, { short: 'e', long: ['exclude'] });
    if (has('-n', '--dry-run')) return;
    const specs = [...before, ...paths];
    if (specs.length > 0) put(hand, specs, 'remove');
    else {
      // What git ignores goes too: our state.
      if (has('-x', '-X'))
        hand.unknown("it would remove what git ignores, Plimsoll's state in .plimsoll/ with it", {
          mentions: ['.plimsoll/'],
        });
      else hand.unknown('it removes every file that git does not know');
    }
  },
  stash: (hand) => {
    if (/^(?:list|show|drop|clear|create|store|branch)$/.test(hand.args[0] ?? '')) return;
    const { before, paths } = pathspecs(hand.args, { short: 'm', long: ['message', 'pathspec-from-file'] });
    const files = [...(before[0] === 'push' ? before.slice(1) : []), ...paths];
    if (files.length > 0) put(hand, files, 'restore');
    else tree(hand);
  },
  reset: (hand) => {
    if (hand.args.some((arg) => /^--(?:hard|merge|keep)$/.test(arg))) tree(hand);
  },
  switch: tree,
  merge: tree,
  pull: tree,
  rebase: (hand) => {
    const { values } = splitArguments(hand.args, {
      short: 'xsXC',
      long: ['exec', 'onto', 'strategy', 'strategy-option'],
    });
    for (const text of values('-x', '--exec')) hand.script(text);
    tree(hand);
  },
  'cherry-pick': tree,
  revert: tree,
  'checkout-index': (hand) => {
    const { before, paths, values, has } = pathspecs(hand.args, { long: ['prefix', 'stage', 'temp'] });
    const prefix = values('--prefix')[0] ?? '';
    if (has('-a', '--all', '--stdin')) hand.write(prefix === '' ? '.' : prefix, { whole: 'some' });
    for (const path of [...before, ...paths]) hand.write(`${prefix}${path}`);
  },
  'merge-file': (hand) => {
    const { operands, has } = splitArguments(hand.args, { short: 'L', long: ['marker-size'] });
    if (operands[0] !== undefined && !has('-p', '--stdout')) hand.write(operands[0]);
  },
  'interpret-trailers': (hand) => {
    const { operands, has } = splitArguments(hand.args, { long: ['trailer', 'where', 'if-exists'] });
    if (has('--in-place')) put(hand, operands);
  },
  'read-tree': tree,
  'sparse-checkout': tree,
  'filter-branch': (hand) => hand.unknown('it runs commands on every commit'),
  'restore-mtime': tree,
  bisect: (hand) => {
    if (hand.args[0] === 'run') hand.run(hand.args.slice(1));
    else tree(hand);
  },
  submodule: (hand) => {
    const at = hand.args.indexOf('foreach');
    const { operands } = splitArguments(hand.args, { short: 'b', long: ['name', 'reference', 'depth'] });
    if (operands[0] === 'add' && operands[2] !== undefined) hand.write(operands[2], { whole: 'some' });
    if (at >= 0)
      hand.script(
        hand.args
          .slice(at + 1)
          .filter((arg) => arg !== '--recursive')
          .join(' '),
      );
  },
  clone: (hand) => {
    const { operands } = splitArguments(hand.args, {
      short: 'boujc',
      long: [
        'branch',
        'origin',
        'depth',
        'reference',
        'config',
        'filter',
        'template',
        'separate-git-dir',
        'shallow-since',
        'jobs',
      ],
    });
    const [url = '', folder] = operands;
    const name =
      folder ??
      url
        .replace(/\/+$/, '')
        .replace(/\.git$/, '')
        .replace(/^.*[/:]/, '');
    hand.write(name, { whole: 'some' });
    hand.made(name);
  },
  init: (hand) => {
    const { operands, has } = splitArguments(hand.args, {
      short: 'b',
      long: ['initial-branch', 'template', 'separate-git-dir', 'object-format', 'shared'],
    });
    const [folder] = operands;
    if (folder !== undefined) hand.write(folder);
    // Hooks of a template are copied into a repository that is there already.
    if (has('--template') || hand.state.variables.has('GIT_TEMPLATE_DIR'))
      hand.write(`${folder ?? '.'}/.git/hooks`, { whole: 'all' });
  },
  worktree: (hand) => {
    const [verb, ...rest] = hand.args;
    const { operands } = splitArguments(rest, { short: 'bB', long: ['reason', 'expire'] });
    if (verb === 'add' && operands[0] !== undefined) {
      hand.write(operands[0], { whole: 'some' });
      hand.made(operands[0]);
    }
    if (verb === 'remove' && operands[0] !== undefined) hand.remove(operands[0], { whole: 'all' });
    if (verb === 'move' && operands[1] !== undefined) hand.write(operands[1], { whole: 'some' });
  },
  archive: (hand) => {
    for (const path of splitArguments(hand.args, { short: 'o', long: ['output', 'format', 'prefix'] }).values(
      '-o',
      '--output',
    ))
      hand.write(path);
  },
  bundle: (hand) => {
    const [verb, file] = hand.args.filter((arg) => !arg.startsWith('-'));
    if (verb === 'create' && file !== undefined) hand.write(file);
  },
  'format-patch': (hand) => {
    const { values, has } = splitArguments(hand.args, { short: 'o', long: ['output-directory', 'output'] });
    // New files beside what is there, each named after its commit.
    const folder = values('-o', '--output-directory')[0] ?? '.';
    if (!has('--stdout')) hand.write(`${folder.replace(/\/+$/, '')}/0001.patch`);
  },
  config,
};

/** Whether we know what a call of git does to files, whatever stands before its verb; an alias may do anything. */
export function isGitKnown(args: readonly string[]): boolean {
  const [verb = ''] = splitArguments(args, GLOBAL).operands;
  return Object.hasOwn(SUB, verb) || isReadOnlyProgram('git', [verb]);
}

const RUN_BY_SETTING =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy)|pager\.\w+|sequence\.editor|gpg\.program|.+\.(?:external|command|textconv|cmd|driver|helper|process|clean|smudge))=(.*)$/is;
const RUN_BY_VARIABLE = [
  'GIT_EXTERNAL_DIFF',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_SSH_COMMAND',
  'EDITOR',
  'VISUAL',
  'PAGER',
];

/** `git log --output=file` and `git diff --output=file`. */
function outputs(hand: CommandContext): void {
  for (const path of splitArguments(hand.args, { long: ['output'] }).values('--output')) hand.write(path);
}

export const analyzeGit: Command = (hand) => {
  const { operands, values } = splitArguments(hand.args, GLOBAL);
  const [name = '', ...args] = operands;
  const { state } = hand;
  const outer = state.folders;
  for (const folder of [...values('-C'), ...values('--work-tree')]) {
    state.folders = folder.includes(UNKNOWN_PART)
      ? null
      : folder.startsWith('/')
        ? [folder]
        : (state.folders?.map((each) => `${each}/${folder}`) ?? null);
  }
  const inner: CommandContext = { ...hand, name: `git ${name}`, args };
  inner.write = (path, how = {}) => hand.write(path, { by: inner.name, ...how });
  inner.remove = (path, how = {}) => hand.remove(path, { by: inner.name, ...how });
  inner.unknown = (why, more = {}) =>
    hand.unknown(why, { written: [inner.name, ...args].join(' '), ...more });
  // An alias, or a program in a setting or a variable, runs as a text of shell.
  const codes = [
    ...values('-c').map((each) => /^alias\.[^=]+=!(.*)$/s.exec(each)?.[1] ?? RUN_BY_SETTING.exec(each)?.[1]),
    ...RUN_BY_VARIABLE.flatMap((each) => state.variables.get(each) ?? []),
  ];
  for (const code of codes) if (code !== undefined && /\s|!/.test(code)) hand.script(code);
  if (Object.hasOwn(SUB, name)) SUB[name]?.(inner);
  else outputs(inner);
  state.folders = outer;
};
