// Reads the imports of a file in the language that its name tells.
import { codeOfNotebook } from '../../../hosts/claude-code/tools/after-edit.ts';
import type { Imports } from './found-import.ts';
import { importsOfGo } from './go.ts';
import { importsOfJavaScript } from './javascript.ts';
import { languageOf } from './language.ts';
import { importsOfPython } from './python.ts';

/** Null for a language that is not read. */
export function importsOf(path: string, text: string): Imports | null {
  switch (languageOf(path)) {
    case 'javascript':
      return importsOfJavaScript(text);
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
