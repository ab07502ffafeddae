// Follows one simple command by its name: a function, an alias, a builtin, a wrapper or a known program.

import { isReadOnlyProgram, RUNNERS } from '../../../hosts/read-only-commands.ts';
import { quoteText } from '../../../text/escape.ts';
import { normalize } from '../../../text/path-text.ts';
import { BUILTINS, WRAPPERS } from './builtins.ts';
import type { ShellNode } from './command-tree.ts';
import { change, namesFolder, readPaths, recordChange, showPart } from './effects.ts';
import { plain } from './expand.ts';
import { FILES } from './file-programs.ts';
import { analyzeGit, isGitKnown } from './git-commands.ts';
import { INTERPRETERS, interpreter } from './interpreters.ts';
import { findPassedOn, listNamed, listOfScript, splitArguments, writesFolder } from './operands.ts';
import { FETCHING } from './output-programs.ts';
import { SEARCHING } from './searches.ts';
import type { Command, CommandContext, EvalContext, ShellState } from './shell-state.ts';
import { copyState, SPLIT, UNKNOWN_PART } from './shell-state.ts';

type Walk = (node: ShellNode, state: ShellState, run: EvalContext) => void;

const COMMANDS: Record<string, Command> = {
  ...FILES,
  ...FETCHING,
  ...SEARCHING,
  ...WRAPPERS,
  ...BUILTINS,
  git: analyzeGit,
};

const DEEPEST = 24;
/** Longer script files are not followed. */
const LONGEST_FILE = 20_000;

/** The program that a first word names: without its folder, and without `.exe`. */
export const findProgram = (word: string): string =>
  plain(word)
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '');

function script(
  text: string,
  positional: readonly string[],
  state: ShellState,
  run: EvalContext,
  walk: Walk,
): void {
  if (text.includes(UNKNOWN_PART)) {
    recordChange(run, unknown(showPart(text), 'a part of its code is computed', 'a nested shell'));
    return;
  }
  const parsed = run.parse(plain(text.replaceAll(SPLIT, ' ')));
  if (parsed.isTooMuch) run.limit ??= parsed.doubt;
  if (parsed.doubt !== null) run.doubt ??= parsed.doubt;
  positional.forEach((value, index) => void state.variables.set(String(index), [value]));
  state.variables.set('@', [positional.slice(1).join(SPLIT)]);
  state.variables.set('*', [positional.slice(1).join(SPLIT)]);
  walk(parsed.node, state, run);
}

const unknown = (written: string, why: string, by: string) => ({
  path: null,
  written,
  act: 'write' as const,
  whole: false as const,
  follows: true,
  by,
  why,
});

function handOf(
  name: string,
  args: string[],
  state: ShellState,
  run: EvalContext,
  walk: Walk,
): CommandContext {
  return {
    name,
    args,
    state,
    write: (path, how = {}) => change(path, 'write', { by: name, ...how }, state, run),
    remove: (path, how = {}) => change(path, 'remove', { by: name, itself: true, ...how }, state, run),
    mode: (path, how = {}) => change(path, 'mode', { by: name, ...how }, state, run),
    unknown: (why, { tail, mentions, written } = {}) =>
      recordChange(run, {
        ...unknown(showPart(written ?? [name, ...args].join(' ')), why, name),
        ...(tail === undefined ? {} : { tail }),
        ...(mentions === undefined ? {} : { mentions }),
      }),
    run: (words, input) => {
      const outer = state.input;
      if (input !== undefined) state.input = input;
      command(words, state, run, walk);
      state.input = outer;
    },
    script: (text, positional = []) => {
      if (run.depth > DEEPEST) run.limit ??= 'it is nested too deeply';
      else {
        run.depth++;
        script(text, positional, state, run, walk);
        run.depth--;
      }
    },
    isFolder: (path) => namesFolder(path, state, run),
    read: (path) => {
      const [only, ...others] = readPaths(path, state, run) ?? [];
      return only === undefined || others.length > 0 ? null : run.sight.read(only);
    },
    made: (path, target) => {
      for (const each of readPaths(path, state, run) ?? []) {
        const place = normalize(each);
        if (target === undefined) run.made.add(place);
        else if (target !== place) run.links.set(place, target);
      }
    },
  };
}

/** A file that is started by its path: followed when it is a script of shell. */
function scriptFile(hand: CommandContext, file: string): void {
  const text = file.includes(UNKNOWN_PART) ? null : hand.read(file);
  if (text === null || text.length > LONGEST_FILE) return;
  const head = /^#!.*/.exec(text)?.[0];
  if (head === undefined ? /\.(?:ba|z|k)?sh$/.test(file) : /\b(?:ba|da|z|k)?sh\b/.test(head)) {
    hand.script(text, [file, ...hand.args]);
  }
}

/** Folders whose programs are the system's own. */
const SYSTEM = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

/**
 * Whether it is known what a command does that has run no other one: it is one of ours or reads only, or what it
 * changes is noted.
 */
function isKnown(first: string, name: string, args: readonly string[]): boolean {
  const isByPath = first.includes('/') && !SYSTEM.test(first);
  if (isByPath) return /^(?:\.\/)?node_modules\/\.bin\/plimsoll$/.test(first);
  if (name === 'plimsoll' || isReadOnlyProgram(name, args.map(plain))) return true;
  if (RUNNERS.test(name)) return false;
  if (INTERPRETERS.test(name)) return /awk$/.test(name);
  if (name === 'git') return isGitKnown(args.map(plain));
  return Object.hasOwn(COMMANDS, name);
}

const READS_STATEMENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|cockroach|clickhouse-client|mongo(?:sh)?|redis-cli|docker|podman|kubectl)$/;

/** What a client of a database reads besides its words: its input, and files of statements; as if it stood behind `<<<`. */
function readStatements({ args, state, read }: CommandContext): string[] {
  const { values, operands } = splitArguments(args, { short: 'f', long: ['file', 'init-command'] });
  const files = [...values('-f', '--file'), ...operands.filter((each) => /\.(?:sql|js)$/.test(each))];
  const texts = [state.input, ...files.map(read)].filter((text) => text !== null);
  return texts.length === 0 ? [] : ['<<<', showPart(texts.join('\n'))];
}

/** Programs whose names are words of other programs as well. */
const WORDS_TOO =
  /^(?:install|link|split|patch|script|watch|command|exec|time|sort|trash|env|black|yq|builtin|R|plimsoll)$/;
const isProgram = (word: string): boolean => {
  const name = findProgram(word);
  return (
    (Object.hasOwn(COMMANDS, name) && !Object.hasOwn(BUILTINS, name) && !WORDS_TOO.test(name)) ||
    INTERPRETERS.test(name)
  );
};

/** They take a command of the shell as the value of an option. */
const RUNS_BY_OPTION = /^(?:(?:bsd|g)?tar|rsync|scp|ssh|sort|split|zip|man|less|curl|wget)$/;

function runOptions(hand: CommandContext, run: EvalContext, walk: Walk): void {
  const texts = hand.args.flatMap((arg, at) => {
    const named = /^(?:--?[\w-]+=(?:exec=)?|\w+Command=)(.*)$/s.exec(arg)?.[1];
    const text = named ?? (/^-\w$/.test(hand.args[at - 1] ?? '') && hand.name !== 'ssh' ? arg : '');
    return /\s/.test(text) && isProgram(text.trim().split(/\s/)[0] ?? '') ? [text] : [];
  });
  if (texts.length > 0)
    runApart(hand, run, walk, (inner) => texts.forEach((text) => void inner.script(text)));
}

/** A known program behind one that nobody knows. */
function passOn(hand: CommandContext, run: EvalContext, walk: Walk): void {
  const { input } = hand.state;
  const at = findPassedOn(hand.name, [...hand.args, ...(input === null ? [] : [input])], isProgram);
  if (at < 0) return;
  const rest = [...hand.args, input ?? ''].slice(at);
  const isText = (word = ''): boolean => /\s/.test(word.trim());
  runApart(hand, run, walk, (inner) => {
    if (isText(rest[0])) for (const text of rest.filter(isText)) inner.script(text);
    else inner.run(hand.args.slice(at));
  });
}

/** What may be run: what it would change is noted apart, for it may never run. */
function runApart(
  hand: CommandContext,
  run: EvalContext,
  walk: Walk,
  act: (inner: CommandContext) => void,
): void {
  const { changes, unread, commands, doubt } = run;
  Object.assign(run, { changes: new Map(), unread: new Set(), commands: run.passedOn });
  const state = copyState(hand.state);
  act(handOf(hand.name, hand.args, state, run, walk));
  for (const each of run.changes.values()) recordChange(run, each, run.named);
  Object.assign(run, { changes, unread, commands, doubt });
}

/** The files that it may change as far as it names them. */
function recordNamed(hand: CommandContext, run: EvalContext): void {
  const { name, args, state } = hand;
  const script = INTERPRETERS.test(name) ? listOfScript(args) : { name, args };
  const words = script === null ? [] : listNamed(script.name, script.args);
  // What a known program behind it does with a file is known better.
  const sure = new Set([...run.named.values()].flatMap((each) => (each.maybe ? [] : [each.path])));
  for (const word of words.flatMap((each) =>
    /\s/.test(each) ? each.split(/(?:^|[\s'"();]+)(?:\w+=)?/) : [each],
  )) {
    if (namesFolder(word, state, run) && !writesFolder(args)) continue;
    for (const path of (readPaths(word, state, run) ?? []).filter((each) => !sure.has(each))) {
      const how = { act: 'write', whole: false, follows: true, by: name, maybe: true } as const;
      recordChange(run, { path, written: showPart(word), ...how }, run.named);
    }
  }
}

export function command(words: string[], state: ShellState, run: EvalContext, walk: Walk): void {
  const [first, ...args] = words;
  if (first === undefined) return;
  if (run.depth > DEEPEST * 2) {
    run.limit ??= 'it is nested too deeply';
    return;
  }
  run.steps++;
  const told = words.map(showPart);
  run.commands.push(told);
  const name = findProgram(first);
  const body = state.functions.get(name);
  if (body !== undefined) {
    const inner = copyState(state);
    words.forEach((value, index) => void inner.variables.set(String(index), [value]));
    inner.variables.set('@', [args.join(SPLIT)]);
    inner.variables.set('*', [args.join(SPLIT)]);
    walk(body, inner, run);
    state.folders = inner.folders;
    return;
  }
  run.depth++;
  const hand = handOf(name, args, state, run, walk);
  if (READS_STATEMENTS.test(name)) told.push(...readStatements(hand));
  const alias = state.aliases.get(name);
  if (alias !== undefined) {
    state.aliases.delete(name);
    hand.script([alias, ...args.map((arg) => quoteText(plain(arg)))].join(' '));
    state.aliases.set(name, alias);
  } else if (first.includes(UNKNOWN_PART) && !/\/[^/\u0000]+$/.test(first)) {
    hand.unknown('the command itself is computed');
  } else {
    const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    const before = run.steps;
    const size = run.changes.size;
    if (known) known(hand);
    if (RUNS_BY_OPTION.test(name)) runOptions(hand, run, walk);
    else if (INTERPRETERS.test(name)) interpreter(hand);
    else if (first.includes('/')) scriptFile(hand, first);
    if (run.steps === before && !isKnown(first, name, args)) {
      run.unread.add(words.map(showPart).join(' '));
      passOn(hand, run, walk);
      if (run.changes.size === size) recordNamed(hand, run);
    }
  }
  run.depth--;
}
