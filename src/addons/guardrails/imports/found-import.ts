// The shape of an import, the same for every language, and the language that a file's name tells.

// Tells the language of a file by its name.
type Language = 'javascript' | 'python' | 'go';

export function findLanguage(path: string): Language | null {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^[cm]?[jt]sx?$/.test(ending)) return 'javascript';
  if (/^(?:pyi?|ipynb)$/.test(ending)) return 'python';
  return ending === 'go' ? 'go' : null;
}

export interface Import {
  /** As it is written: `./tier.ts`, `app.domain`, `example.org/x/y`. */
  module: string;
  /** Of Python's `from module import name`: the names, which may be modules themselves. */
  names: string[];
  line: number;
  /** Only types, nothing at run time. */
  isTypeOnly: boolean;
  /** By a call, at run time. */
  isDynamic: boolean;
}

export interface Imports {
  imports: Import[];
  /** Public classes at the top of a Python file, without those that share a file by custom. */
  classes: { name: string; line: number }[];
  /** Why the file cannot be read to its end; null when it can. */
  doubt: string | null;
}
