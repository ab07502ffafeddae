// The syntax tree of a shell command that rules walk, whatever parser made it.

/** A part of a word. `quoted`: no splitting at blanks, no patterns. */
export type WordPart =
  | { is: 'text'; text: string; quoted: boolean }
  | { is: 'glob'; text: string }
  | { is: 'braces'; pieces: WordPart[] }
  | { is: 'variable'; name: string; quoted: boolean; change: ParameterChange | null }
  /** `$(…)`, backticks. */
  | { is: 'output'; script: ShellNode; quoted: boolean }
  /** `<(…)`, `>(…)`. */
  | { is: 'process'; script: ShellNode }
  /** `$((…))` and the like: a value that is not computed, and the scripts within. */
  | { is: 'number'; scripts: ShellNode[] };

/** `${name:-word}` and its relatives. */
export interface ParameterChange {
  kind: 'default' | 'remove' | 'replace' | 'case' | 'slice' | 'indirect' | 'length' | 'other';
  operator: string;
  words: Word[];
}

export interface Word {
  pieces: WordPart[];
  /** Begins with a `~` that is not quoted. */
  tilde: boolean;
  written: string;
}

export interface Assignment {
  name: string;
  /** An element `a[i]=x`. */
  isElement: boolean;
  append: boolean;
  /** Several for an array. */
  values: Word[];
  isArray: boolean;
}

export type Redirect =
  | { is: 'file'; operator: string; target: Word }
  /** A text on standard input: `<<` and `<<<`. */
  | { is: 'input'; word: Word };

export type ShellNode =
  | { is: 'command'; assignments: Assignment[]; words: (Word | Assignment)[]; redirects: Redirect[] }
  | { is: 'pipe'; parts: ShellNode[] }
  /** One after the other; `and` holds for parts that run only after the success of the one before. */
  | { is: 'list'; parts: { node: ShellNode; after: ';' | '&&' | '||' }[] }
  /** Branches of which each may run or not: `if`, `case`, `while`. `first` runs; with `one`, so does exactly one branch. */
  | { is: 'branches'; first: ShellNode[]; branches: ShellNode[]; one: boolean; words: Word[] }
  | { is: 'for'; name: string; words: Word[] | null; body: ShellNode }
  | { is: 'subshell'; body: ShellNode }
  | { is: 'redirected'; body: ShellNode; redirects: Redirect[] }
  | { is: 'function'; name: string; body: ShellNode }
  /** `[[ … ]]`, `(( … ))`: nothing but the scripts within. */
  | { is: 'scripts'; scripts: ShellNode[] };

export interface ShellScript {
  node: ShellNode;
  /** What the parser did not understand; null when it understood all of it. */
  doubt: string | null;
  /** It gave up: the text is too much for it. */
  isTooMuch?: true;
}

export type ShellParser = (text: string) => ShellScript;
