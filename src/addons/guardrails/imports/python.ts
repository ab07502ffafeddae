// Reads the imports of a Python file, and the public classes at its top.
import type { Import, Imports } from './found-import.ts';

interface Statement {
  /** Strings are empty quotes here: their texts are in `strings`, in order. */
  text: string;
  strings: string[];
  indent: number;
  line: number;
}

interface Statements {
  statements: Statement[];
  doubt: string | null;
}

const PREFIX = /[rRbBuUfFtT]{0,3}$/;

/** The end of a string that opens here, or -1. A format string may hold strings in its braces. */
function stringEnd(text: string, at: number, isFormat: boolean, isRaw: boolean): number {
  const quote = text[at] as string;
  const fence = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let depth = 0;
  for (let end = at + fence.length; end < text.length; end++) {
    const char = text[end] as string;
    if (char === '\\' && !(isRaw && depth > 0)) end++;
    else if (depth === 0 && text.startsWith(fence, end)) return end + fence.length;
    else if (char === '\n' && fence.length === 1 && depth === 0) return -1;
    else if (isFormat && char === '{') {
      if (depth === 0 && text[end + 1] === '{') end++;
      else depth++;
    } else if (isFormat && char === '}' && depth > 0) depth--;
    else if (depth > 0 && (char === '"' || char === "'")) {
      // Before 3.12 the same quote cannot be inside: it then ends the string, whatever is open.
      const inner = text.startsWith(fence, end) ? -1 : stringEnd(text, end, false, false);
      if (inner < 0) {
        if (text.startsWith(fence, end)) {
          const nested = stringEnd(text, end, false, false);
          const closes = text.slice(end, nested < 0 ? end : nested).includes('\n') || nested < 0;
          if (closes || !/^[^'"\n]*\}/.test(text.slice(nested))) return end + fence.length;
          end = nested - 1;
        }
      } else end = inner - 1;
    }
  }
  return -1;
}

/** @param last where the last word stands that matters; statements behind it are not read */
function statementsOf(text: string, last: number): Statements {
  const statements: Statement[] = [];
  let parts: string[] = [];
  let strings: string[] = [];
  let depth = 0;
  let line = 1;
  let begun = { indent: 0, line: 1 };
  let isStart = true;
  const close = (): void => {
    const joined = parts.join('').trim();
    if (joined !== '') statements.push({ text: joined, strings, ...begun });
    parts = [];
    strings = [];
  };
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const doubt = (what: string): Statements => ({ statements, doubt: `${what} at line ${line}` });

  while (at < text.length) {
    const char = text[at] as string;
    if (isStart) {
      const blank = /^[ \t\f]*/.exec(text.slice(at, at + 400))?.[0] ?? '';
      begun = { indent: widthOf(blank), line };
      at += blank.length;
      isStart = false;
      continue;
    }
    if (char === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (char === '"' || char === "'") {
      const prefix = PREFIX.exec((parts.at(-1) ?? '').slice(-3))?.[0] ?? '';
      const end = stringEnd(text, at, /[fFtT]/.test(prefix), /[rR]/.test(prefix));
      if (end < 0) return doubt('an open string');
      const isLong = text.startsWith(char.repeat(3), at) && end - at >= 6;
      const width = isLong ? 3 : 1;
      strings.push(text.slice(at + width, end - width));
      line += text.slice(at, end).split('\n').length - 1;
      parts.push('""');
      at = end;
    } else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = text.indexOf('\n', at) + 1;
      line++;
      parts.push(' ');
    } else if (char === '\n') {
      at++;
      line++;
      if (depth > 0) parts.push(' ');
      else {
        close();
        isStart = true;
        if (at > last) return { statements, doubt: null };
      }
    } else if (char === ';' && depth === 0) {
      close();
      begun = { ...begun, line };
      at++;
    } else {
      if ('([{'.includes(char)) depth++;
      else if (')]}'.includes(char) && --depth < 0) return doubt(`a "${char}" too many`);
      const end = plainEnd(text, at + 1);
      parts.push(text.slice(at, end));
      at = end;
    }
  }
  if (depth > 0) return doubt('an open bracket');
  close();
  return { statements, doubt: null };
}

/** Characters that mean nothing by themselves are taken together. */
function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[^#"'\\\n;([{)\]}]/.test(text[at] as string)) at++;
  return at;
}

/** Tabs go to the next multiple of eight. */
function widthOf(blank: string): number {
  let width = 0;
  for (const char of blank) width = char === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  return width;
}

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

export function readPythonImports(text: string): Imports {
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
