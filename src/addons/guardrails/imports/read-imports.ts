// Reads the imports of a file in the language that its name tells.

import { codeOfNotebook } from '../../../hosts/claude-code/tools/after-edit.ts';
import { findLanguage, type Import, type Imports } from './found-import.ts';
import { readJavaScriptImports } from './javascript.ts';
import { readPythonImports } from './python.ts';

/** Comments, strings, runes, words and signs. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|`[^`]*`?|'(?:\\.|[^'\\\n])+'?|[\p{L}_][\p{L}\p{N}_]*|\n|[^\s]/gu;

function readGoImports(text: string): Imports {
  const imports: Import[] = [];
  let line = 1;
  let depth = 0;
  let state: 'none' | 'one' | 'block' = 'none';
  let doubt: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    const here = line;
    line += token === '\n' ? 1 : token.split('\n').length - 1;
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (/^["`]./s.test(token) && token.endsWith(token[0] ?? '')) {
      if (state !== 'none')
        imports.push({
          module: token.slice(1, -1),
          names: [],
          line: here,
          isTypeOnly: false,
          isDynamic: false,
        });
      if (state === 'one') state = 'none';
    } else if (/^["`]/.test(token)) doubt ??= `an open string at line ${here}`;
    else if (token === 'import' && depth === 0) state = 'one';
    // Imports stand before all else.
    else if (depth === 0 && /^(?:func|type|var|const)$/.test(token)) return { imports, classes: [], doubt };
    else if (token === '(' && state === 'one') state = 'block';
    else if (token === ')' && state === 'block') state = 'none';
    else if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    if (depth < 0) doubt ??= `a "${token}" too many at line ${here}`;
  }
  if (state === 'block' || depth > 0) doubt ??= 'an open bracket at the end';
  return { imports, classes: [], doubt };
}

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
