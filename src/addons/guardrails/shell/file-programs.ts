// What the usual file commands change; one line each where the operands say it all.
import { CLIENT_SETTINGS_FILE, PROJECT_VARIABLE } from '../../../hosts/claude-code/names.ts';
import { normalize } from '../../../text/path-text.ts';
import { changeMode, splitArguments, type Takes } from './operands.ts';
import { type Command, type CommandContext, UNKNOWN_PART } from './shell-state.ts';

/** Every operand is written. */
const writes =
  (takes: Takes = {}, when: (hand: CommandContext) => boolean = () => true): Command =>
  (hand) => {
    if (!when(hand)) return;
    for (const path of splitArguments(hand.args, takes).operands) hand.write(path);
  };

const has = (pattern: RegExp) => (hand: CommandContext) => hand.args.some((arg) => pattern.test(arg));

const remove: Command = (hand) => {
  const { operands, has: hasOption } = splitArguments(hand.args, {});
  const whole = hasOption('-r', '-R', '--recursive') ? 'all' : false;
  for (const path of operands) hand.remove(path, { whole });
};

const makeFolders: Command = (hand) => {
  for (const path of splitArguments(hand.args, { short: 'mZ', long: ['mode', 'context'] }).operands) {
    hand.write(path);
    hand.made(path);
  }
};

const base = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//, '');

interface Copying {
  takes: Takes;
  moves?: boolean;
  links?: boolean;
  /** Folders are copied with what they hold. */
  deep?: (hand: CommandContext, options: ReturnType<typeof splitArguments>) => boolean;
}

/** Sources and a destination: the last operand, or that of `-t`. */
const copies =
  ({ takes, moves = false, links = false, deep }: Copying): Command =>
  (hand) => {
    const parsed = splitArguments(hand.args, takes);
    const { operands, has: hasOption, values } = parsed;
    if (hasOption('-d', '--directory') && hand.name === 'install') {
      for (const path of operands) hand.write(path);
      return;
    }
    const into = values('-t', '--target-directory')[0];
    const target = into ?? (operands.length > 1 ? operands.at(-1) : links ? '.' : undefined);
    if (target === undefined) return;
    const sources = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
    const isExact = hasOption('-T', '--no-target-directory');
    const isInto = !isExact && (into !== undefined || sources.length > 1 || hand.isFolder(target));
    const isDeep = moves || (deep?.(hand, parsed) ?? false);
    for (const source of sources) {
      const place = isInto ? `${target.replace(/\/$/, '')}/${base(source)}` : target;
      const isTree = isDeep && (/(?:^|\/)\.$|\/$/.test(source) || hand.isFolder(source));
      const whole = isTree ? ('some' as const) : false;
      hand.write(/(?:^|\/)\.{1,2}$/.test(source) ? target : place, { whole, itself: moves || links });
      if (moves) hand.remove(source, { whole: isTree ? 'all' : false });
      // A second name, by which it can be written.
      if (links && !hasOption('-s', '--symbolic')) hand.mode(source);
      if (links && hasOption('-s', '--symbolic') && !source.includes(UNKNOWN_PART))
        linked(hand, place, source);
    }
  };

/** A symbolic link made here: later words that go through it mean its target. */
function linked(hand: CommandContext, place: string, target: string): void {
  const folder = place.includes('/') ? place.replace(/\/[^/]*$/, '') : '.';
  const [cwd] = hand.state.folders ?? [];
  if (cwd === undefined || place.includes(UNKNOWN_PART)) return;
  const from = folder.startsWith('/') ? folder : `${cwd}/${folder}`;
  hand.made(place, normalize(target.startsWith('/') ? target : `${from}/${target}`));
}

/** `w file` and `s/a/b/w file` write; so does `-i`. */
const sed: Command = (hand) => {
  // `-i` takes its suffix attached or not at all; with `-i ''` the next word is the suffix of BSD.
  const args = hand.args.filter((arg, index) => !(arg === '' && hand.args[index - 1] === '-i'));
  const isInPlace = args.some((arg) => /^-[nErsuz]*i|^--in-place/.test(arg));
  const {
    operands,
    values,
    has: hasOption,
  } = splitArguments(
    args.map((arg) => arg.replace(/^(-[nErsuz]*)i.*$/, '$1r').replace(/^--in-place=.*$/, '--in-place')),
    { short: 'efl', long: ['expression', 'file', 'line-length'] },
  );
  const read = values('-f', '--file').map((path) => hand.read(path) ?? '');
  const scripts = [...values('-e', '--expression'), ...read];
  const files = hasOption('-e', '-f', '--expression', '--file') ? operands : operands.slice(1);
  if (
    scripts.length === 0 &&
    read.length === 0 &&
    operands[0] !== undefined &&
    files.length < operands.length
  )
    scripts.push(operands[0]);
  for (const raw of scripts) {
    // The two sides of a substitution are no commands; its flags may be.
    const script = raw.replace(
      /(^|[;{}\s\d$,/])s([^\w\s\\;])(?:\\.|(?!\2)[^\\])*\2(?:\\.|(?!\2)[^\\])*\2/g,
      '$1/',
    );
    for (const [, path = ''] of script.matchAll(/(?:^|[\s;{}/0-9$|,#])[wW] +([^\n;}]+)/g))
      hand.write(path.trim());
    if (/(?:^|[;\n{}]|\d|\$|\/)\s*e(?:\s|$)|\/[gipm0-9]*e[gipm0-9]*\s*(?:$|;|\n)/.test(script))
      hand.unknown('its script runs commands');
  }
  if (isInPlace) for (const path of files) hand.write(path, { by: 'sed -i' });
};

const dd: Command = (hand) => {
  for (const arg of hand.args) if (arg.startsWith('of=')) hand.write(arg.slice(3));
};

const RSYNC = [
  'rsh',
  'exclude',
  'include',
  'exclude-from',
  'include-from',
  'files-from',
  'filter',
  'log-file',
  'backup-dir',
  'suffix',
  'chmod',
  'chown',
  'bwlimit',
  'timeout',
  'max-size',
  'min-size',
  'partial-dir',
  'temp-dir',
  'link-dest',
  'compare-dest',
  'copy-dest',
  'out-format',
  'info',
  'debug',
  'rsync-path',
  'password-file',
  'port',
];

/** The last operand; `host:path` is another machine. */
const rsync: Command = (hand) => {
  const { operands, has: hasOption } = splitArguments(hand.args, { short: 'efTBMPF@', long: RSYNC });
  const target = operands.at(-1);
  if (hasOption('-n', '--dry-run') || operands.length < 2 || target === undefined) return;
  if (/^[^/]+:/.test(target)) return;
  const source = operands[0] as string;
  const isTree = operands.length > 2 || /\/$/.test(source) || hand.isFolder(source);
  const isInto = isTree || hand.isFolder(target);
  const name = isInto && !/\/$/.test(source) ? `${target.replace(/\/$/, '')}/${base(source)}` : target;
  hand.write(name, {
    whole: hasOption('--delete', '--del', '--delete-after', '--delete-before', '--delete-during')
      ? 'all'
      : isTree
        ? 'some'
        : false,
  });
};

const sort: Command = (hand) => {
  for (const path of splitArguments(hand.args, {
    short: 'okStT',
    long: ['output', 'key', 'field-separator', 'buffer-size', 'temporary-directory'],
  }).values('-o', '--output'))
    hand.write(path);
};

/** `uniq in out`, `xxd in out`: the second operand. */
const second =
  (takes: Takes = {}): Command =>
  (hand) => {
    const path = splitArguments(hand.args, takes).operands[1];
    if (path !== undefined) hand.write(path);
  };

const shred: Command = (hand) => {
  for (const path of splitArguments(hand.args, { short: 'ns', long: ['iterations', 'size', 'random-source'] })
    .operands)
    hand.remove(path);
};

const CP: Takes = {
  short: 'tS',
  long: ['target-directory', 'suffix', 'context', 'sparse', 'reflink', 'backup'],
};
const INSTALL: Takes = {
  short: 'tSmog',
  long: ['target-directory', 'suffix', 'mode', 'owner', 'group', 'strip-program'],
};

/** Editors that are driven by their arguments: what they write is in their commands. */
const editor: Command = (hand) => {
  const isReading = hand.args.includes('-R') && !hand.args.some((arg) => /^(?:\+|-[cesS]|--cmd)/.test(arg));
  if (hand.args.length > 0 && !isReading)
    hand.unknown('an editor writes what its commands say', {
      mentions: hand.args.flatMap((arg) => [arg, ...arg.split(/[\s'"()!]+/)]),
    });
};

/** Commands of ours that change what an agent may do or hear, each with the file that stands for what it writes. */
const OWN: Readonly<Record<string, string | undefined>> = {
  init: CLIENT_SETTINGS_FILE,
  uninstall: CLIENT_SETTINGS_FILE,
  'config set': '.plimsoll/config.toml',
  'config unset': '.plimsoll/config.toml',
};

export const FILES: Record<string, Command> = {
  tee: writes({ long: ['output-error'] }),
  sponge: writes(),
  touch: writes({ short: 'drt', long: ['date', 'reference', 'time'] }),
  truncate: writes({ short: 'sr', long: ['size', 'reference'] }),
  fallocate: writes({ short: 'ol', long: ['offset', 'length'] }),
  mkfifo: writes({ short: 'm', long: ['mode'] }),
  mknod: writes({ short: 'm', long: ['mode'] }),
  mkdir: makeFolders,
  rm: remove,
  rmdir: remove,
  unlink: remove,
  trash: remove,
  'trash-put': remove,
  rimraf: (hand) => {
    for (const path of splitArguments(hand.args, {}).operands) hand.remove(path, { whole: 'all' });
  },
  shred,
  chmod: changeMode,
  chown: changeMode,
  chgrp: changeMode,
  cp: copies({
    takes: CP,
    deep: (_, { has: hasOption }) => hasOption('-r', '-R', '-a', '--recursive', '--archive'),
  }),
  mv: copies({ takes: CP, moves: true }),
  ln: copies({ takes: { short: 'tS', long: ['target-directory', 'suffix', 'backup'] }, links: true }),
  link: second(),
  install: copies({ takes: INSTALL }),
  ginstall: copies({ takes: INSTALL }),
  rsync,
  scp: rsync,
  dd,
  sed,
  gsed: sed,
  sort,
  uniq: second({ short: 'fsw' }),
  xxd: second({ short: 'cglosn' }),
  split: (hand) => {
    const prefix = splitArguments(hand.args, { short: 'abClnt' }).operands[1];
    hand.write(`${prefix ?? 'x'}aa`);
  },
  prettier: writes({}, has(/^(?:-w|--write)$/)),
  gofmt: writes({}, has(/^-w$/)),
  rustfmt: writes(),
  black: writes({ short: 'l' }, (hand) => !has(/^(?:--check|--diff)$/)(hand)),
  yq: (hand) => {
    const { operands, has: hasOption } = splitArguments(hand.args, {});
    if (hasOption('-i', '--inplace')) for (const path of operands.slice(1)) hand.write(path);
  },
  ed: editor,
  ex: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  emacs: editor,
  plimsoll: (hand) => {
    const [verb = '', action = ''] = hand.args;
    const call = verb === 'config' ? `config ${action}` : verb;
    const file = OWN[call];
    if (file === undefined || hand.args.includes('--dry-run')) return;
    hand.write(`${hand.state.variables.get(PROJECT_VARIABLE)?.[0]}/${file}`);
  },
};
