// Reads the imports of a Python file, and the public classes at its top.
import type { Import, Imports } from './import.ts';
import type { Statement } from './python-lines.ts';
import { statementsOf } from './python-lines.ts';

const TYPE_CHECKING = /^(?:if|elif)\s*\(?\s*(?:[\w.]+\.)?TYPE_CHECKING\s*\)?\s*:/;
/** `if x:`, `else:`, `with a as b:` and an import behind it on the same line. */
const AFTER_COLON =
  /^(?:if|elif|else|try|except|finally|with|for|while|class|async|def)\b.*?:\s*((?:import|from)\s.*)$/;
const CALLS =
  /(?:(?<![\w.])__import__|\bimportlib\s*\.\s*(?:import_module|__import__)|(?<![\w.])import_module)\s*\(\s*[rRuU]?""(?=\s*[,)])/g;

/** `a.b as c, d` as its modules or names. */
const namesIn = (list: string): string[] =>
  list
    .replace(/[()]/g, ' ')
    .split(',')
    .map((each) => each.trim().split(/\s+as\s+/)[0] ?? '')
    .map((each) => each.replace(/\s*\.\s*/g, '.').trim())
    .filter((each) => each !== '');

function importsIn(text: string, line: number, isTypeOnly: boolean): Import[] {
  const more = { line, isTypeOnly, isDynamic: false };
  const from = /^from\s*(\.[\s.]*|)\s*([\w.\s]*?)\s*\bimport\b\s*(.*)$/s.exec(text);
  if (from) {
    const module = `${from[1] ?? ''}${from[2] ?? ''}`.replace(/\s+/g, '');
    return module === '' ? [] : [{ module, names: namesIn(from[3] ?? ''), ...more }];
  }
  const plain = /^import\s+(.*)$/s.exec(text);
  return plain ? namesIn(plain[1] ?? '').map((module) => ({ module, names: [], ...more })) : [];
}

/** Imports by a call with a text; which of the statement's texts it is follows from those before it. */
function callsIn({ text, strings, line }: Statement, isTypeOnly: boolean): Import[] {
  const found: Import[] = [];
  let before = -1;
  let counted = 0;
  for (const match of text.matchAll(CALLS)) {
    const end = match.index + match[0].length;
    before += text.slice(counted, end).split('""').length - 1;
    counted = end;
    const module = strings[before];
    if (module !== undefined) found.push({ module, names: [], line, isTypeOnly, isDynamic: true });
  }
  return found;
}

const CLASS = /^class\s+([A-Za-z]\w*)\s*(?:\((.*?)\))?\s*:/s;
/** Enumerations and frozen data classes share a file by custom. */
const isExempt = (bases: string, decorators: readonly string[]): boolean =>
  /\b(?:Str|Int)?Enum\b|\b(?:Int)?Flag\b/.test(bases) ||
  decorators.some((each) => /dataclass\s*\(.*\bfrozen\s*=\s*True\b/.test(each));

function classesIn(statements: readonly Statement[]): Imports['classes'] {
  const classes: Imports['classes'] = [];
  let decorators: string[] = [];
  for (const { text, indent, line } of statements) {
    if (indent > 0) continue;
    const found = CLASS.exec(text);
    if (found && !isExempt(found[2] ?? '', decorators)) classes.push({ name: found[1] as string, line });
    if (text.startsWith('@')) decorators.push(text);
    else decorators = [];
  }
  return classes;
}

export function importsOfPython(text: string): Imports {
  const last = Math.max(text.lastIndexOf('import'), text.lastIndexOf('class'));
  const { statements, doubt } = statementsOf(text, last);
  const imports: Import[] = [];
  /** The indent of the `if TYPE_CHECKING:` that we are in. */
  let typesFrom: number | null = null;
  for (const statement of statements) {
    if (typesFrom !== null && statement.indent <= typesFrom) typesFrom = null;
    const isTypeOnly = typesFrom !== null;
    const behind = AFTER_COLON.exec(statement.text)?.[1];
    const isGuard = TYPE_CHECKING.test(statement.text);
    if (isGuard && typesFrom === null) typesFrom = statement.indent;
    imports.push(
      ...importsIn(behind ?? statement.text, statement.line, isTypeOnly || (isGuard && behind !== undefined)),
      ...callsIn(statement, isTypeOnly),
    );
  }
  return { imports, classes: classesIn(statements), doubt };
}
