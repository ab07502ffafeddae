// Finds what a PowerShell command would change on disk; coarser than for Bash: by words and known verbs.

import type { ToolCall } from './call.ts';
import type { Change, Changes } from './change.ts';
import { absolute, isAbsolute, slashed } from './path-text.ts';
import { statementsOf } from './powershell-words.ts';
import { tellsOnly } from './reading.ts';

/** Parameters that name what is written, by command; the first name is also the first operand. */
interface Verb {
  act: Change['act'];
  /** Parameters of the written path. */
  paths: string[];
  /** Which operands are such paths. */
  operands: 'first' | 'second' | 'all' | 'none';
}

const write = (operands: Verb['operands'], ...paths: string[]): Verb => ({ act: 'write', operands, paths });
const REMOVE: Verb = { act: 'remove', operands: 'all', paths: ['path', 'literalpath'] };
const MOVE = write('second', 'destination');

const VERBS: Record<string, Verb> = {
  'set-content': write('first', 'path', 'literalpath'),
  'add-content': write('first', 'path', 'literalpath'),
  'clear-content': write('first', 'path', 'literalpath'),
  'out-file': write('first', 'filepath', 'literalpath'),
  'tee-object': write('first', 'filepath', 'literalpath'),
  'export-csv': write('first', 'path', 'literalpath'),
  'export-clixml': write('first', 'path', 'literalpath'),
  'new-item': write('first', 'path', 'name'),
  'invoke-webrequest': write('none', 'outfile'),
  'invoke-restmethod': write('none', 'outfile'),
  'start-bitstransfer': write('second', 'destination'),
  'expand-archive': write('second', 'destinationpath'),
  'compress-archive': write('second', 'destinationpath'),
  'remove-item': REMOVE,
  'rename-item': { act: 'remove', operands: 'all', paths: ['path', 'literalpath', 'newname'] },
  'move-item': MOVE,
  'copy-item': MOVE,
};

const ALIASES: Record<string, string> = {
  sc: 'set-content',
  ac: 'add-content',
  clc: 'clear-content',
  tee: 'tee-object',
  epcsv: 'export-csv',
  ni: 'new-item',
  md: 'new-item',
  mkdir: 'new-item',
  iwr: 'invoke-webrequest',
  irm: 'invoke-restmethod',
  curl: 'invoke-webrequest',
  wget: 'invoke-webrequest',
  ri: 'remove-item',
  rm: 'remove-item',
  del: 'remove-item',
  erase: 'remove-item',
  rd: 'remove-item',
  rmdir: 'remove-item',
  ren: 'rename-item',
  rni: 'rename-item',
  mi: 'move-item',
  mv: 'move-item',
  move: 'move-item',
  ci: 'copy-item',
  cp: 'copy-item',
  cpi: 'copy-item',
  copy: 'copy-item',
};

/** Switches of these commands: no value follows them. */
const SWITCHES =
  /^-(?:r(?:ecurse)?|f(?:orce)?|confirm|whatif|append|passthru|nonewline|noclobber|verbose|container|usebasicparsing|notypeinformation)(?::.*)?$/i;

/** What runs other code, or leaves the shell: not followed. */
const RUNS =
  /^(?:iex|invoke-expression|invoke-command|icm|start-process|saps|start-job|powershell|pwsh|cmd|python[\d.]*|node|bash|sh|wsl|git|add-type|&|\.)$/;
const METHODS =
  /\[(?:System\.)?IO\.(?:File|Directory|StreamWriter|FileStream|FileInfo)\]|\.(?:WriteAll|AppendAll|Delete|MoveTo|CopyTo|Create|OpenWrite)\w*\s*\(/i;

const unknown = (written: string, by: string, why: string): Change => ({
  path: null,
  written,
  act: 'write',
  whole: false,
  follows: true,
  by,
  why,
  mentions: [...written.matchAll(/['"]([^'"]{1,200})['"]|([\w.@~\\/-]*[./\\][\w.@~\\/-]+)/g)].map((each) =>
    slashedAll(each[1] ?? each[2] ?? ''),
  ),
});

const slashedAll = (text: string): string => text.replaceAll('\\', '/');

function changeOf(
  path: string,
  act: Change['act'],
  by: string,
  whole: boolean,
  folder: string | null,
  call: ToolCall,
): Change {
  const text = slashedAll(path)
    .replace(/^\$(?:env:)?(?:HOME|USERPROFILE)(?=\/|$)/i, '~')
    .replace(/^\$PWD(?=\/|$)/i, '.');
  const base = {
    written: path,
    act,
    whole: whole ? ('all' as const) : (false as const),
    follows: act === 'write',
    by,
  };
  if (/[$`*?[]|^\(/.test(text)) return { ...base, path: null, why: 'a part of its path is computed' };
  const isFree = isAbsolute(text) || text.startsWith('~');
  if (folder === null && !isFree)
    return { ...base, path: null, why: 'the folder in which it runs is not known' };
  return { ...base, path: absolute(text, folder ?? call.cwd, call.home) };
}

/** Parameters by name, abbreviations included, and the operands. */
function argumentsOf(
  words: readonly string[],
  verb: Verb,
): { named: string[]; operands: string[]; isWhole: boolean } {
  const named: string[] = [];
  const operands: string[] = [];
  let isWhole = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (!/^-[A-Za-z]/.test(word)) {
      operands.push(...word.split(',').filter((each) => each !== ''));
      continue;
    }
    if (/^-r/i.test(word)) isWhole = true;
    if (SWITCHES.test(word)) continue;
    const [name = '', attached] = word.slice(1).toLowerCase().split(':');
    const value = attached !== undefined ? word.slice(word.indexOf(':') + 1) : (words[++at] ?? '');
    if (verb.paths.some((each) => each.startsWith(name))) named.push(...value.split(','));
  }
  return { named, operands, isWhole };
}

const chosen = (operands: readonly string[], which: Verb['operands']): string[] =>
  which === 'all'
    ? [...operands]
    : which === 'none'
      ? []
      : operands.slice(which === 'first' ? 0 : 1, which === 'first' ? 1 : 2);

const CHANGING_GIT = /^(?:checkout|restore|apply|mv|rm|clean|stash|reset|pull|merge|-)/;
const MOVES = /^(?:cd|chdir|sl|set-location|push-location|pushd|pop-location|popd)$/;

/** What only leads to other statements; those are looked at by themselves. */
const KEYWORD =
  /^(?:if|else|elseif|for|foreach|while|do|until|switch|default|try|catch|finally|return|throw|break|continue|exit|in|begin|process|end|param|function)$/;

/** Whether it is known what a command does: it is followed, noted as unknown, reads only, or is a value. */
const isFollowed = (name: string, rest: readonly string[]): boolean =>
  name === '' ||
  name === 'plimsoll' ||
  MOVES.test(name) ||
  (RUNS.test(name) && name !== 'git') ||
  Object.hasOwn(VERBS, ALIASES[name] ?? name) ||
  (name === 'git' && CHANGING_GIT.test(rest[0] ?? '')) ||
  /^[$([{'"\d]/.test(name) ||
  KEYWORD.test(name) ||
  tellsOnly(name, rest);

export function changesOfPowerShell(command: string, call: ToolCall): Changes {
  const read = statementsOf(command);
  if (read === null) {
    return {
      changes: [],
      commands: null,
      unread: [],
      doubt: 'the PowerShell command cannot be read to its end',
    };
  }
  const changes: Change[] = [];
  const commands: string[][] = [];
  const unread: string[] = [];
  let folder: string | null = slashed(call.cwd);
  for (const { words, outputs, text } of read) {
    for (const output of outputs)
      changes.push(changeOf(output, 'write', 'redirection >', false, folder, call));
    const [first = '', ...rest] = words;
    const name = first.toLowerCase().replace(/\.exe$/, '');
    if (first !== '') commands.push([first, ...rest]);
    const verbName = ALIASES[name] ?? name;
    // `$x = npm test` runs what stands behind the sign.
    const [program = '', ...its] = rest[0] === '=' ? rest.slice(1) : [first, ...rest];
    if (!isFollowed(program.toLowerCase().replace(/\.exe$/, ''), its))
      unread.push([program, ...its].join(' '));
    const verb = Object.hasOwn(VERBS, verbName) ? VERBS[verbName] : undefined;
    if (MOVES.test(name)) {
      const target: string | undefined = rest.filter((word) => !word.startsWith('-'))[0];
      const moved: Change | null =
        target === undefined ? null : changeOf(target, 'write', name, false, folder, call);
      folder = moved?.path ?? null;
    } else if (verb) {
      const { named, operands, isWhole } = argumentsOf(rest, verb);
      const paths = named.length > 0 ? named : chosen(operands, verb.operands);
      for (const path of paths) changes.push(changeOf(path, verb.act, first, isWhole, folder, call));
      if (verbName === 'move-item') {
        for (const path of operands.slice(0, 1))
          changes.push(changeOf(path, 'remove', first, true, folder, call));
      }
    } else if (RUNS.test(name) && !/^git$/.test(name))
      changes.push(unknown(text, first, 'its code is not followed'));
    else if (name === 'git' && CHANGING_GIT.test(rest[0] ?? '')) {
      changes.push(unknown(text, 'git', 'what git changes is followed for Bash alone'));
    } else if (first.startsWith('$') || /^[([{]/.test(first)) {
      if (METHODS.test(text)) changes.push(unknown(text, 'a method', 'its code is not followed'));
    }
    if (METHODS.test(text) && !(first.startsWith('$') || /^[([{]/.test(first))) {
      changes.push(unknown(text, 'a method', 'its code is not followed'));
    }
  }
  return { changes, commands, unread, doubt: null };
}
