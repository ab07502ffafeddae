// Tells what a command of Bash would change, by parsing it.

import * as bash from 'unbash';
import type { Changes } from '../change.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { findShellChanges } from '../shell/command-changes.ts';
import type {
  Assignment,
  ParameterChange,
  Redirect,
  ShellNode,
  ShellScript,
  Word,
  WordPart,
} from '../shell/command-tree.ts';

type Part = bash.WordPart;

/** The first thing that the parser could not read; nested scripts add theirs. */
interface Notes {
  doubt: string | null;
}

function scriptOf(
  script: bash.Script & { errors?: readonly bash.ParseError[] | undefined },
  notes: Notes,
): ShellNode {
  const error = script.errors?.[0];
  if (error) notes.doubt ??= error.message;
  return listOf(script.commands, notes);
}

function listOf(statements: readonly bash.Statement[], notes: Notes): ShellNode {
  const parts = statements.map((each) => ({ node: nodeOf(each.command, notes), after: ';' as const }));
  return { is: 'list', parts };
}

/** All scripts below a node, for nodes of which nothing else matters. */
function scriptsIn(node: bash.SyntaxNode, notes: Notes): ShellNode[] {
  const found: ShellNode[] = [];
  bash.forEachChild(node, (child) => {
    if (child.type === 'Script') found.push(scriptOf(child, notes));
    else found.push(...scriptsIn(child, notes));
  });
  return found;
}

const CHANGES: Record<string, ParameterChange['kind']> = {
  Default: 'default',
  Remove: 'remove',
  Replace: 'replace',
  CaseModification: 'case',
  Slice: 'slice',
};

function changeOf(part: bash.ParameterExpansionPart, notes: Notes): ParameterChange | null {
  const { operation, prefix } = part;
  if (prefix === '!') return { kind: 'indirect', operator: '!', words: [] };
  if (prefix === '#') return { kind: 'length', operator: '#', words: [] };
  if (operation === undefined) return null;
  const words: Word[] = [];
  bash.forEachChild(operation, (child) => {
    if (child.type === 'Word') words.push(wordOf(child, notes));
  });
  return { kind: CHANGES[operation.type] ?? 'other', operator: operation.operator, words };
}

function variableOf(text: string, quoted: boolean): WordPart {
  return { is: 'variable', name: text.replace(/^\$/, ''), quoted, change: null };
}

function pieceOf(part: Part, quoted: boolean, notes: Notes): WordPart[] {
  switch (part.type) {
    case 'Literal':
      return [{ is: 'text', text: part.value, quoted }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ is: 'text', text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString': {
      const pieces = part.parts.flatMap((each) => pieceOf(each, true, notes));
      return pieces.length > 0 ? pieces : [{ is: 'text', text: '', quoted: true }];
    }
    case 'Glob':
      return [{ is: 'glob', text: part.text }];
    case 'ExtendedGlob':
      return [{ is: 'glob', text: '*' }];
    case 'BraceExpansion': {
      const inner = part.parts ?? [];
      const pieces: WordPart[] =
        inner.length > 0
          ? inner.flatMap((each) => pieceOf(each, false, notes))
          : [{ is: 'text', text: part.text.slice(1, -1), quoted: false }];
      return [{ is: 'braces', pieces }];
    }
    case 'SimpleExpansion':
      return [variableOf(part.text, quoted)];
    case 'ParameterExpansion':
      return [
        {
          is: 'variable',
          name: part.index === undefined ? part.parameter : `${part.parameter}[${part.index.value}]`,
          quoted,
          change: changeOf(part, notes),
        },
      ];
    case 'CommandExpansion':
      if (part.script === undefined) notes.doubt ??= 'a command substitution that cannot be read';
      return part.script === undefined
        ? [{ is: 'number', scripts: [] }]
        : [{ is: 'output', script: scriptOf(part.script, notes), quoted }];
    case 'ProcessSubstitution':
      return part.script === undefined ? [] : [{ is: 'process', script: scriptOf(part.script, notes) }];
    case 'ArithmeticExpansion':
      return [{ is: 'number', scripts: scriptsIn(part, notes) }];
    default:
      return [];
  }
}

function wordOf(word: bash.Word, notes: Notes): Word {
  const { parts, text, value } = word;
  const pieces = parts?.flatMap((part) => pieceOf(part, false, notes)) ?? [];
  // A word without parts is plain text, quoted if it held a backslash.
  if (parts === undefined || parts.length === 0)
    pieces.push({ is: 'text', text: value, quoted: text !== value });
  return { pieces, tilde: text.startsWith('~'), written: text };
}

function assignmentOf(each: bash.Assignment, notes: Notes): Assignment {
  const isArray = each.value.type === 'ArrayValue';
  const values = each.value.type === 'ArrayValue' ? each.value.elements : [each.value];
  return {
    name: each.name,
    isElement: each.index !== undefined,
    append: each.append === true,
    values: values.map((word) => wordOf(word, notes)),
    isArray,
  };
}

function redirectsOf(redirects: readonly bash.Redirection[], notes: Notes): Redirect[] {
  const found: Redirect[] = [];
  for (const each of redirects) {
    if (each.type === 'HereDoc') {
      const { parts, text } = each.body;
      const pieces =
        each.delimiter?.quoted || parts === undefined
          ? [{ is: 'text' as const, text, quoted: true }]
          : parts.flatMap((part) => pieceOf(part, true, notes));
      found.push({ is: 'input', word: { pieces, tilde: false, written: '<<' } });
    } else if (each.target !== undefined) {
      const word = wordOf(each.target, notes);
      found.push(
        each.type === 'HereString'
          ? { is: 'input', word }
          : { is: 'file', operator: each.operator, target: word },
      );
    }
  }
  return found;
}

const isRedirection = (each: { type: string }): each is bash.Redirection =>
  each.type === 'Redirect' || each.type === 'HereDoc' || each.type === 'HereString';

function commandOf(node: bash.Command, notes: Notes): ShellNode {
  const words = node.name === undefined ? [] : [wordOf(node.name, notes)];
  return {
    is: 'command',
    assignments: node.prefix
      .filter((each) => !isRedirection(each))
      .map((each) => assignmentOf(each as bash.Assignment, notes)),
    words: [
      ...words,
      ...node.args.map((each) => (each.type === 'Word' ? wordOf(each, notes) : assignmentOf(each, notes))),
    ],
    redirects: redirectsOf(node.redirects, notes),
  };
}

type Node = bash.PipelineNode | bash.AndOr | bash.CompoundList | bash.Command;

function nodeOf(node: Node, notes: Notes): ShellNode {
  switch (node.type) {
    case 'Command':
      return commandOf(node, notes);
    case 'Pipeline':
      return { is: 'pipe', parts: node.commands.map((each) => nodeOf(each, notes)) };
    case 'AndOr':
      return {
        is: 'list',
        parts: node.commands.map((each, index) => ({
          node: nodeOf(each, notes),
          after: index === 0 ? ';' : (node.operators[index - 1] ?? ';'),
        })),
      };
    case 'CompoundList':
      return listOf(node.commands, notes);
    case 'BraceGroup':
      return nodeOf(node.body, notes);
    case 'Subshell':
      return { is: 'subshell', body: nodeOf(node.body, notes) };
    case 'Redirected':
      return {
        is: 'redirected',
        body: nodeOf(node.command, notes),
        redirects: redirectsOf(node.redirects, notes),
      };
    case 'Function':
      return { is: 'function', name: node.name.value, body: nodeOf(node.body, notes) };
    case 'Coproc':
      return { is: 'subshell', body: nodeOf(node.body, notes) };
    case 'For':
    case 'Select':
      return {
        is: 'for',
        name: node.name.value,
        words: node.wordlist?.map((each) => wordOf(each, notes)) ?? null,
        body: nodeOf(node.body, notes),
      };
    case 'ArithmeticFor': {
      const heads = [node.initialize, node.test, node.update].filter((each) => each !== undefined);
      const first = heads.flatMap((each) => scriptsIn(each, notes));
      return { is: 'branches', first, branches: [nodeOf(node.body, notes)], one: false, words: [] };
    }
    case 'While':
      return {
        is: 'branches',
        first: [nodeOf(node.clause, notes)],
        branches: [nodeOf(node.body, notes)],
        one: false,
        words: [],
      };
    case 'If': {
      const branches = [node.then, ...node.elif.map((each) => each.then), node.else];
      return {
        is: 'branches',
        first: [node.clause, ...node.elif.map((each) => each.clause)].map((each) => nodeOf(each, notes)),
        branches: branches.filter((each) => each !== undefined).map((each) => nodeOf(each, notes)),
        one: node.else !== undefined,
        words: [],
      };
    }
    case 'Case':
      return {
        is: 'branches',
        first: [],
        branches: node.items.map((each) => nodeOf(each.body, notes)),
        // `;&` falls through to the next.
        one:
          node.items.some((each) => each.pattern.some((word) => word.value === '*')) &&
          node.items.every((each) => each.terminator === undefined || each.terminator === ';;'),
        words: [node.word, ...node.items.flatMap((each) => each.pattern)].map((each) => wordOf(each, notes)),
      };
    default:
      return { is: 'scripts', scripts: scriptsIn(node, notes) };
  }
}

/** Parses Bash into our tree. Never throws: anything unreadable is reported as `doubt`. */
function parseShell(text: string): ShellScript {
  const notes: Notes = { doubt: null };
  try {
    return { node: scriptOf(bash.parse(text), notes), doubt: notes.doubt };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { node: { is: 'list', parts: [] }, doubt: `the parser failed: ${why}`, isTooMuch: true };
  }
}

export const findCommandChanges = (command: string, call: GuardedCall, sight: FileSystemPort): Changes =>
  findShellChanges(command, call, sight, parseShell);
