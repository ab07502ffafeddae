// What does a file import, by the language of its name?
import { codeOfNotebook } from '../after-edit.ts';
import { importsOfGo } from './go.ts';
import type { Imports } from './import.ts';
import { importsOfJavaScript } from './javascript.ts';
import { importsOfPython } from './python.ts';

export type Language = 'javascript' | 'python' | 'go';

export function languageOf(path: string): Language | null {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^[cm]?[jt]sx?$/.test(ending)) return 'javascript';
  if (/^(?:pyi?|ipynb)$/.test(ending)) return 'python';
  return ending === 'go' ? 'go' : null;
}

/** Null for a language that is not read. */
export function importsOf(path: string, text: string): Imports | null {
  switch (languageOf(path)) {
    case 'javascript':
      return importsOfJavaScript(path, text);
    case 'python': {
      const code = path.endsWith('.ipynb') ? codeOfNotebook(text) : text;
      return code === null
        ? { imports: [], classes: [], doubt: 'the notebook cannot be read' }
        : importsOfPython(code);
    }
    case 'go':
      return importsOfGo(text);
    default:
      return null;
  }
}
