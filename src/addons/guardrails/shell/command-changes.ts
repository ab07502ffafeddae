// Finds what a Bash command would change on disk.

import type { Changes } from '../change.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import type { Redirect, ShellNode, ShellParser, Word } from './command-tree.ts';
import { assign, change, readPartText } from './effects.ts';
import { listPartValues, listTexts, listVectors, type Scripts } from './expand.ts';
import { command } from './parsed-command.ts';
import { asOutput, computePrinted } from './printed-text.ts';
import {
  copyState,
  createShellState,
  type EvalContext,
  joinSets,
  keepEarlier,
  mergeInto,
  SHELL_MARKS,
  type ShellState,
  SPLIT,
  UNKNOWN_PART,
} from './shell-state.ts';

const MOST_STEPS = 20_000;
const DEEPEST = 60;
/** Loops over more known words than this are walked once, with an unknown word. */
const MOST_ROUNDS = 100;

const isOutput = (operator: string): boolean => operator.includes('>');

function walk(node: ShellNode, state: ShellState, run: EvalContext): void {
  if (++run.steps > MOST_STEPS || run.depth > DEEPEST) {
    run.limit ??= 'it is nested too deeply or does too much';
    return;
  }
  run.depth++;
  visit(node, state, run);
  run.depth--;
}

/** Nested scripts: each in a shell of its own. */
const scriptsOf = (run: EvalContext): Scripts => ({
  walk: (script, state) => walk(script, copyState(state), run),
  output: (script, state) => {
    const inner = copyState(state);
    walk(script, inner, run);
    return printedBy(script, inner, run);
  },
});

const isSilent = (node: ShellNode): boolean =>
  node.is === 'command' &&
  node.words
    .slice(0, 1)
    .every((word) => 'written' in word && /^(?:cd|set|export|true|:|mkdir|umask|shopt)$/.test(word.written));

/** What a script prints, when it is one simple command; what stands before it may print nothing. */
function printedBy(script: ShellNode, state: ShellState, run: EvalContext): string[] {
  if (script.is === 'list' && script.parts.length > 1) {
    const last = script.parts.at(-1);
    const isKnown = script.parts.every((part) => part === last || isSilent(part.node));
    return last && isKnown ? printedBy({ is: 'list', parts: [last] }, state, run) : [UNKNOWN_PART];
  }
  const only = script.is === 'list' && script.parts.length === 1 ? script.parts[0]?.node : undefined;
  if (only?.is === 'list') return printedBy(only, state, run);
  if (only?.is === 'pipe') return pipeThrough(only.parts, state, run);
  if (only?.is !== 'command') return [UNKNOWN_PART];
  const input = inputOf(only.redirects, state, run);
  // `$(<file)` prints a file.
  if (only.words.length === 0) return [asOutput(only.redirects.length > 0 ? input : null)];
  const quiet: Scripts = { walk: () => {}, output: () => [UNKNOWN_PART] };
  const within = { ...state, input };
  const vectors = listVectors(only.words, within, quiet);
  return vectors.reduce<string[]>((all, words) => joinSets(all, computePrinted(words, within, run)), []);
}

function inputOf(redirects: readonly Redirect[], state: ShellState, run: EvalContext): string | null {
  const input = redirects.filter((each) => each.is === 'input').at(-1);
  if (input?.is === 'input') {
    const texts = listTexts(input.word, state, scriptsOf(run));
    return texts.length === 1 && texts[0] !== UNKNOWN_PART ? (texts[0] ?? null) : null;
  }
  const file = redirects.filter((each) => each.is === 'file' && each.operator === '<').at(-1);
  if (file?.is !== 'file') return state.input;
  const [piece] = file.target.pieces;
  if (piece?.is === 'process') {
    const [text = UNKNOWN_PART, ...more] = printedBy(piece.script, copyState(state), run);
    return more.length > 0 || text === UNKNOWN_PART ? null : text;
  }
  const [path, ...others] = listTexts(file.target, state, scriptsOf(run));
  if (path === undefined || others.length > 0 || path.includes(UNKNOWN_PART) || state.folders?.length !== 1)
    return null;
  return readPartText(path.startsWith('/') ? path : `${state.folders[0]}/${path}`, run);
}

function redirect(redirects: readonly Redirect[], state: ShellState, run: EvalContext): void {
  for (const each of redirects) {
    if (each.is === 'input') continue;
    const texts = listTexts(each.target, state, scriptsOf(run));
    if (!isOutput(each.operator)) continue;
    for (const text of texts) {
      // `2>&1` and `>&-` name descriptors.
      if (each.operator === '>&' && /^(?:\d+-?|-)$/.test(text)) continue;
      change(text, 'write', { by: `redirection ${each.operator}` }, state, run);
    }
  }
}

function visitCommand(
  node: Extract<ShellNode, { is: 'command' }>,
  state: ShellState,
  run: EvalContext,
): void {
  const { assignments, words, redirects } = node;
  const input = inputOf(redirects, state, run);
  if (words.length === 0) assign(assignments, state, scriptsOf(run));
  redirect(redirects, state, run);
  if (words.length === 0) return;
  const vectors = listVectors(words, state, scriptsOf(run));
  // What stands before a command holds for it alone, and not yet for its words.
  const names = assignments.flatMap(({ name }) => [name, `${name}[@]`]);
  const own = names.map((name) => [name, state.variables.get(name)] as const);
  assign(assignments, state, scriptsOf(run));
  const outer = state.input;
  state.input = input;
  if (vectors.length === 1) command(vectors[0] as string[], state, run, walk);
  else {
    const before = copyState(state);
    vectors.forEach((vector, index) => {
      const after = index === 0 ? state : copyState(before);
      command(vector, after, run, walk);
      if (index > 0) mergeInto(state, after);
    });
  }
  state.input = outer;
  for (const [name, value] of own) {
    if (value === undefined) state.variables.delete(name);
    else state.variables.set(name, value);
  }
}

function visitFor(node: Extract<ShellNode, { is: 'for' }>, state: ShellState, run: EvalContext): void {
  const values =
    node.words === null
      ? listPartValues('@', state).map((all) => all.split(SPLIT))
      : listVectors(node.words as Word[], state, scriptsOf(run));
  const rounds = joinSets([], values.flat()).slice(0, MOST_ROUNDS + 1);
  const before = copyState(state);
  for (const value of rounds.length > MOST_ROUNDS ? [UNKNOWN_PART] : rounds) {
    state.variables.set(node.name, [value]);
    walk(node.body, state, run);
  }
  mergeInto(state, before);
}

/** What the last part of a pipe prints, each part reading what the one before prints. */
function pipeThrough(
  parts: readonly ShellNode[],
  state: ShellState,
  run: EvalContext,
  visitPart: (part: ShellNode, inner: ShellState) => void = () => {},
): string[] {
  let input = state.input;
  let texts = [UNKNOWN_PART];
  for (const part of parts) {
    const inner = { ...copyState(state), input };
    visitPart(part, inner);
    texts = printedBy({ is: 'list', parts: [{ node: part, after: ';' }] }, inner, run);
    // Of what a search finds a part of each path is known.
    input = texts.length === 1 && texts[0] !== UNKNOWN_PART ? `${texts[0]}\n` : null;
  }
  return texts;
}

function visit(node: ShellNode, state: ShellState, run: EvalContext): void {
  switch (node.is) {
    case 'command':
      visitCommand(node, state, run);
      return;
    case 'list': {
      const isChain = node.parts.some((part) => part.after === '&&');
      const earlier = isChain ? copyState(state) : null;
      for (const { node: part, after } of node.parts) {
        if (after === '||') {
          const other = copyState(state);
          walk(part, other, run);
          mergeInto(state, other);
        } else walk(part, state, run);
      }
      if (earlier) keepEarlier(state, earlier);
      return;
    }
    case 'pipe':
      pipeThrough(node.parts, state, run, (part, inner) => walk(part, inner, run));
      return;
    case 'branches': {
      for (const word of node.words) listTexts(word, state, scriptsOf(run));
      for (const first of node.first) walk(first, state, run);
      const before = copyState(state);
      if (node.one) {
        node.branches.forEach((branch, index) => {
          const inner = index === 0 ? state : copyState(before);
          walk(branch, inner, run);
          if (index > 0) mergeInto(state, inner);
        });
        return;
      }
      // Twice: what one round of a loop assigns, the next one uses.
      for (const branch of [...node.branches, ...node.branches]) {
        const inner = copyState(before);
        walk(branch, inner, run);
        mergeInto(before, inner);
      }
      mergeInto(state, before);
      return;
    }
    case 'for':
      visitFor(node, state, run);
      return;
    case 'subshell':
      walk(node.body, copyState(state), run);
      return;
    case 'redirected': {
      redirect(node.redirects, state, run);
      const outer = state.input;
      state.input = inputOf(node.redirects, state, run);
      walk(node.body, state, run);
      state.input = outer;
      return;
    }
    case 'function':
      state.functions.set(node.name, node.body);
      return;
    case 'scripts':
      for (const script of node.scripts) walk(script, copyState(state), run);
  }
}

const doubtful = (doubt: string): Changes => ({
  changes: [],
  commands: null,
  unread: [],
  named: [],
  passedOn: [],
  doubt,
});

export function findShellChanges(
  command: string,
  call: GuardedCall,
  sight: FileSystemPort,
  parse: ShellParser,
): Changes {
  if (SHELL_MARKS.test(command)) return doubtful('the command has control characters');
  const { node, doubt, isTooMuch } = parse(command);
  const run: EvalContext = {
    call,
    sight,
    parse,
    changes: new Map(),
    commands: [],
    unread: new Set(),
    named: new Map(),
    passedOn: [],
    made: new Set(),
    links: new Map(),
    steps: 0,
    depth: 0,
    doubt: null,
    limit: null,
  };
  walk(node, createShellState(call), run);
  const why = run.limit ?? run.doubt ?? doubt;
  return {
    changes: [...run.changes.values()],
    commands: run.commands,
    unread: [...run.unread],
    named: [...run.named.values()],
    passedOn: run.passedOn,
    doubt: why === null ? null : `the command cannot be read to its end (${why})`,
    ...(run.limit === null && !isTooMuch ? {} : { isTooMuch: true as const }),
  };
}
