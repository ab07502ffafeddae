// Splits a PowerShell command into statements and words: quotes, backticks, blocks and redirections.

export interface PowerShellStatement {
  words: string[];
  /** Targets of `>` and `>>`. */
  outputs: string[];
  text: string;
}

/** A quoted text from its quote on, and where it ends; null when it does not. */
function quoted(text: string, at: number): { value: string; end: number } | null {
  const quote = text[at] as string;
  let value = '';
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end] as string;
    if (char === '`' && quote === '"') value += text[++end] ?? '';
    else if (char !== quote) value += char;
    else if (text[end + 1] === quote) value += text[end++];
    else return { value, end: end + 1 };
  }
  return null;
}

/** `@'` … `'@` on lines of their own. */
function hereText(text: string, at: number): { value: string; end: number } | null {
  const quote = text[at + 1];
  const start = text.indexOf('\n', at);
  const end = text.indexOf(`\n${quote}@`, start);
  return start < 0 || end < 0 ? null : { value: text.slice(start + 1, end), end: end + 3 };
}

/** Every statement, those in blocks, parentheses and pipes among them; null for a text that does not end. */
export function statementsOf(text: string): PowerShellStatement[] | null {
  const found: PowerShellStatement[] = [];
  const variables = new Map<string, string>();
  let words: string[] = [];
  let outputs: string[] = [];
  // In pieces: asking a text that grows for its beginning copies all of it each time.
  let word: string[] | null = null;
  const add = (piece: string): void => {
    word ??= [];
    if (piece !== '') word.push(piece);
  };
  let isOutput = false;
  let from = 0;
  const endWord = (): void => {
    if (word === null) return;
    const whole: string = word.join('');
    const known = variables.get(whole.toLowerCase());
    const value =
      known ?? whole.replace(/\$\{?(\w+)\}?/g, (all, name) => variables.get(`$${name.toLowerCase()}`) ?? all);
    (isOutput ? outputs : words).push(value);
    word = null;
    isOutput = false;
  };
  const endStatement = (at: number): void => {
    endWord();
    const [name = '', sign, value, ...rest] = words;
    if (
      /^\$\w+$/.test(name) &&
      sign === '=' &&
      rest.length === 0 &&
      value !== undefined &&
      !/[$(]/.test(value)
    ) {
      variables.set(name.toLowerCase(), value);
    }
    if (words.length > 0 || outputs.length > 0)
      found.push({ words, outputs, text: text.slice(from, at).trim() });
    words = [];
    outputs = [];
    from = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '`') {
      const next = text[++at];
      if (next !== '\n' && next !== '\r') add(next ?? '');
    } else if (/^@['"]\s*\n/.test(text.slice(at, at + 20))) {
      const here = hereText(text, at);
      if (here === null) return null;
      word = [here.value];
      endWord();
      at = here.end - 1;
    } else if (char === '"' || char === "'") {
      const text_ = quoted(text, at);
      if (text_ === null) return null;
      add(text_.value);
      at = text_.end - 1;
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end - 1;
    } else if (char === '<' && text[at + 1] === '#') {
      const end = text.indexOf('#>', at);
      if (end < 0) return null;
      at = end + 1;
    } else if (char === '>') {
      if (word?.length === 1 && /^[\d*]$/.test(word[0] ?? '')) word = null;
      else endWord();
      if (text[at + 1] === '>') at++;
      if (/^&\d/.test(text.slice(at + 1))) at += 2;
      else isOutput = true;
    } else if (/[;|\n{}()&]/.test(char)) {
      if (char === '&' && words.length === 0 && word === null && text[at + 1] !== '&') {
        words.push('&');
        continue;
      }
      endStatement(at);
    } else if (/\s/.test(char)) endWord();
    else if (char === '=' && word?.[0]?.startsWith('$')) {
      endWord();
      words.push('=');
    } else add(char);
  }
  endStatement(text.length);
  return found;
}
