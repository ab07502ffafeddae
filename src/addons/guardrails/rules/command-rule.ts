// Asks a person before a command destroys what cannot be had again: what is lost, and what does less.

import { isParsedShell } from '../../../hosts/claude-code/tools/kinds.ts';
import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import {
  type CommandPack,
  describeSetter,
  type GuardrailOptions,
} from '../../../settings/guardrail-options.ts';
import { displayText, normalize, stripFolder, toSlashes } from '../../../text/path-text.ts';
import type { Changes, PathChange } from '../change.ts';
import { type FileSystemPort, type GuardedCall, readString } from '../guard-call.ts';
import { judgeWords } from './command-losses.ts';
import { unwrapCommand, type Words } from './spoken.ts';
import { matchesArgument } from './tool-rule.ts';

/** Folders of the system, with what lies directly below them. */
const SYSTEM =
  /^\/(?:(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)(?:\/[^/]+)?)?$/;
const OF_HOME = /^(?:Documents|Desktop|Downloads|Pictures|Library|\.config|\.local)$/;
/** What is built or fetched anew: of other folders, git is asked. */
const BUILT =
  /^(?:node_modules|dist|build|target|out|coverage|__pycache__|\.?venv|tmp|\.(?:cache|next|nuxt|turbo|tox|gradle|(?:pytest|mypy|ruff)_cache)|.*\.egg-info|DerivedData|Pods)$/;
const base = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//, '');

/** Where things lie for a while, or come back by themselves. */
const PASSING = /(?:^|\/)\.?te?mp(?:[-_.][^/]*)?(?:\/|$)|^(?:\/private)?\/(?:var\/folders|dev\/shm)(?:\/|$)/i;
const FETCHED =
  /(?:^|\/)(?:[^/]*cache[^/]*|\.(?:npm|nvm|m2|gradle|cargo|rustup|pnpm-store|yarn|nuget|ivy2|Trash)|Trash)(?:\/|$)/i;

/** What is removed, what goes with it, and what does less: null where nothing does. */
interface Removed {
  what: string;
  more?: string;
  safer: string | null;
}
const AWAY = 'move it away instead, or name what in it is to go';

/** What of value lies at a folder that is removed whole; null for nothing that we know. */
function findVital(path: string, call: GuardedCall, sight: FileSystemPort): Removed | null {
  const at = normalize(path);
  const [root, home] = [normalize(toSlashes(call.root)), normalize(toSlashes(call.home))];
  if (at === root) return { what: 'the whole project', safer: 'name what in it is to go' };
  if (at === home || stripFolder(home, at) !== null) return { what: 'the home folder', safer: null };
  if (stripFolder(root, at) !== null)
    return { what: 'the project and more', safer: SYSTEM.test(at) ? null : 'name what in it is to go' };
  const inside = stripFolder(at, root);
  if (inside !== null) {
    if (inside === '.git') return { what: 'the history of the project', safer: 'move it away instead' };
    if (inside.includes('/') || sight.resolve(at, true).kind !== 'folder') return null;
    const more = ', with what is not committed there';
    const safer = '`git rm -r`, which refuses where something is not committed, or move it away instead';
    const isKept = sight.isCommitted?.(at) ?? !BUILT.test(inside);
    return isKept ? { what: `${inside}/`, more, safer } : null;
  }
  const ofHome = stripFolder(at, home);
  if (OF_HOME.test(ofHome ?? '')) return { what: 'files of the user', safer: AWAY };
  if (SYSTEM.test(at)) return { what: 'a folder of the system', safer: null };
  const isPassing = BUILT.test(base(at)) || FETCHED.test(at) || PASSING.test(ofHome ?? at);
  if (isPassing || sight.resolve(at, true).kind === 'file') return null;
  return { what: 'a folder outside the project, which git does not bring back', safer: AWAY };
}

/** What `rm -r` would remove, by its path, or as far as that is known. */
function judgeRemoval(change: PathChange, call: GuardedCall, sight: FileSystemPort): Removed | null {
  const { act, whole, by, path, within, tail, found, written } = change;
  if (act !== 'remove' || !/^(?:rm|rimraf|find)$/.test(by)) return null;
  if (whole !== 'all' && !(by === 'find' && whole === 'some')) return null;
  if (path !== null) {
    // All that a folder holds is the folder.
    const isAll = /(?:^|\/)\.?\*$/.test(written);
    const held = isAll ? findVital(normalize(path).replace(/\/[^/]*$/, '/'), call, sight) : null;
    return held ?? findVital(path, call, sight);
  }
  const last = base(tail ?? written);
  if (found !== undefined || BUILT.test(last) || FETCHED.test(last)) return null;
  if (within !== undefined && findVital(within, call, sight) === null) return null;
  return {
    what: 'a folder that nobody knows before it runs ("…" is computed)',
    safer: 'name the folder literally',
  };
}

/** The command of a removal. */
const findCommand = ({ by, written }: PathChange, commands: readonly Words[]): Words =>
  commands.findLast(([first = '', ...args]) => base(first) === by && args.includes(written)) ?? [
    by,
    '-r',
    written,
  ];

const join = (parts: Iterable<string>): string => [...new Set(parts)].join(' and ');

/** What is removed by one command: things of one kind together. */
function describeRemoved(all: readonly Removed[]): { lost: string; safer: string | null } {
  const lost = [...new Set(all.map(({ more = '' }) => more))]
    .sort()
    .map(
      (more) => `${join(all.filter((each) => (each.more ?? '') === more).map(({ what }) => what))}${more}`,
    );
  const safer = all.flatMap((each) => each.safer ?? []);
  return { lost: `removes ${join(lost)}`, safer: safer.length < all.length ? null : join(safer) };
}

/** Words as the command has them: in its quotes, and what a client reads apart. */
function showCommand(words: Words, call: GuardedCall): string {
  const raw = readString(call.input.command) ?? '';
  const input = words.lastIndexOf('<<<');
  const shown = words.slice(0, input < 0 ? undefined : input).map((each) => {
    const ofHome = /(?:^|[\s;&|(])~/.test(raw) ? stripFolder(each, normalize(toSlashes(call.home))) : null;
    const word = ofHome === null ? each : `~/${ofHome}`.replace(/\/$/, '');
    if (/^[^\s'"$`\\;&|<>()]+$/.test(word)) return word;
    return raw.includes(`'${word}'`) || word.includes('"') ? `'${word}'` : `"${word}"`;
  });
  const read = input < 0 ? '' : displayText((words[input + 1] ?? '').trim().replace(/\s+/g, ' '), 60);
  return `\`${displayText(shown.join(' ').replace(/\s+/g, ' '), 80)}\`${read === '' ? '' : ` (it reads "${read}")`}`;
}

interface Found {
  pack: CommandPack;
  /** As it is written, and as a launcher runs it. */
  texts: string[];
  shown: string;
  lost: string;
  safer: string | null;
}

/** Each command that destroys, once, whatever launches it. */
function findLosses(changes: Changes, call: GuardedCall, sight: FileSystemPort): Iterable<Found> {
  const commands = [...(changes.commands ?? []), ...changes.passedOn];
  const found = new Map<string, Found>();
  const removed = new Map<Words, Removed[]>();
  for (const words of commands) {
    const inner = unwrapCommand(words);
    const key = inner.join(' ');
    const loss = judgeWords(inner, isParsedShell(call.tool));
    if (loss === null) continue;
    const shown = found.get(key)?.shown ?? showCommand(words, call);
    found.set(key, { ...loss, shown, texts: [...(found.get(key)?.texts ?? []), words.join(' ')] });
  }
  for (const change of [...changes.changes, ...changes.named]) {
    const what = judgeRemoval(change, call, sight);
    if (what === null) continue;
    const words = findCommand(change, commands);
    const key = [...removed.keys()].find((each) => each.join(' ') === words.join(' ')) ?? words;
    removed.set(key, [...(removed.get(key) ?? []), what]);
  }
  for (const [words, all] of removed) {
    const text = words.join(' ');
    found.set(text, {
      pack: 'files',
      texts: [text],
      shown: showCommand(words, call),
      ...describeRemoved(all),
    });
  }
  return found.values();
}

export function checkCommands(
  changes: Changes,
  call: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const { action, packs, allow } = options.commands;
  if (action === 'abstain' || packs.length === 0) return [];
  return [...findLosses(changes, call, sight)].flatMap((each): GuardrailFinding[] => {
    const { pack, texts, shown, lost, safer } = each;
    if (!packs.includes(pack)) return [];
    const at = displayText((texts[0] ?? '').replace(/\s+/g, ' '), 80);
    const free = allow.find(({ command }) => texts.some((text) => matchesArgument(command, text)));
    const found = { rule: 'commands', at, saw: `it ${lost} (pack ${pack})` } as const;
    if (free !== undefined) {
      const saw = `${found.saw}; "${free.command}" of commands.allow lets it run: ${free.reason}`;
      return [{ ...found, saw, decision: 'abstain', reason: null }];
    }
    const advice = safer === null ? 'No form of it is safer' : `Safer: ${safer}`;
    const reason = `${shown} ${lost}. ${advice} (guardrail rule "commands", pack "${pack}", ${describeSetter(options, 'commands.action')}).`;
    const next =
      safer === null
        ? 'Tell the user what it is needed for.'
        : 'Do that instead, or tell the user what it is needed for.';
    return [{ ...found, decision: action, reason, next }];
  });
}
