// Reads the imports of a file in the language that its name tells.
import { codeOfNotebook } from '../../../hosts/claude-code/tools/after-edit.ts';
import type { Imports } from './found-import.ts';
import { readGoImports } from './go.ts';
import { readJavaScriptImports } from './javascript.ts';
import { findLanguage } from './language.ts';
import { readPythonImports } from './python.ts';

/** Null for a language that is not read. */
export function readImports(path: string, text: string): Imports | null {
  switch (findLanguage(path)) {
    case 'javascript':
      return readJavaScriptImports(text);
    case 'python': {
      const code = path.endsWith('.ipynb') ? codeOfNotebook(text) : text;
      return code === null
        ? { imports: [], classes: [], doubt: 'the notebook cannot be read' }
        : readPythonImports(code);
    }
    case 'go':
      return readGoImports(text);
    default:
      return null;
  }
}
