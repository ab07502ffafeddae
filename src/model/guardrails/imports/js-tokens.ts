// Splits JavaScript or TypeScript into tokens, enough to tell code from strings, patterns and JSX.

export interface Token {
  is: 'word' | 'string' | 'sign' | 'other';
  text: string;
  at: number;
}

export interface Tokens {
  tokens: Token[];
  doubt: string | null;
}

/** What is open: brackets, a template, a JSX tag or what stands between two. */
interface Frame {
  is: '{' | '(' | '[' | '`' | 'tag' | 'children';
  /** Whether a pattern may stand behind its end. */
  thenPattern: boolean;
}

const WORD = /[\p{ID_Start}$_#@\\][\p{ID_Continue}\p{Join_Control}$\\]*/uy;
const NUMBER =
  /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)n?/y;
const SIGN = /=>|\?\.(?!\d)|\.\.\.|\+\+|--|&&|\|\||\?\?|[^\s]/y;
const BEFORE_PATTERN =
  /^(?:return|typeof|case|in|of|do|else|instanceof|new|delete|void|throw|await|yield|default|extends)$/;
const CONTROL = /^(?:if|while|for|with)$/;

const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

const isPlain = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;

/** The end of a word that begins here; here itself where none does. */
function wordEnd(text: string, from: number): number {
  let at = from;
  if (isPlain(text.charCodeAt(at))) {
    for (
      at++;
      isPlain(text.charCodeAt(at)) || (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57);
      at++
    );
    if (!(text.charCodeAt(at) > 127) && text[at] !== '\\') return at;
  }
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : from;
}

/** The end of a quoted string, or -1 where it does not end on its line. */
function stringEnd(text: string, at: number, quote: string): number {
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end];
    if (char === '\\') end++;
    else if (char === quote) return end + 1;
    else if (char === '\n') return -1;
  }
  return -1;
}

/** The end of a pattern with its flags, or -1 where it is none. */
function patternEnd(text: string, at: number): number {
  let isSet = false;
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end];
    if (char === '\\') end++;
    else if (char === '\n') return -1;
    else if (char === '[') isSet = true;
    else if (char === ']') isSet = false;
    else if (char === '/' && !isSet) {
      end++;
      while (/[A-Za-z]/.test(text[end] ?? '')) end++;
      return end;
    }
  }
  return -1;
}

/** Tokens after the last word that could belong to an import: more than the longest call needs. */
const MORE = 12;

/** @param last where the last word stands that matters; what is well behind it is not read */
export function tokensOf(text: string, jsx: boolean, last: number): Tokens {
  const tokens: Token[] = [];
  const frames: Frame[] = [];
  let at = text.startsWith('#!') ? text.indexOf('\n') : 0;
  if (at < 0) return { tokens, doubt: null };
  /** Whether a `/` here begins a pattern, and a `<` may begin JSX. */
  let pattern = true;
  let previous: Token | undefined;
  const top = (): Frame | undefined => frames.at(-1);
  const doubt = (what: string): Tokens => ({ tokens, doubt: `${what} at line ${lineAt(text, at)}` });
  const push = (is: Token['is'], end: number, value = text.slice(at, end)): void => {
    previous = { is, text: value, at };
    tokens.push(previous);
    at = end;
  };

  let left = MORE;
  let counted = 0;
  while (at < text.length) {
    if (at > last) {
      left -= tokens.length - counted;
      if (left < 0) return { tokens, doubt: null };
    }
    counted = tokens.length;
    const frame = top()?.is;
    const char = text[at] as string;
    if (frame === '`') {
      const next = template(text, at);
      if (next.end < 0) return doubt('an open template');
      at = next.end;
      if (next.isOpen) frames.push({ is: '{', thenPattern: false });
      else frames.pop();
      pattern = next.isOpen;
      continue;
    }
    if (frame === 'children') {
      if (char === '{') {
        frames.push({ is: '{', thenPattern: false });
        pattern = true;
        at++;
      } else if (char === '<') {
        if (text[at + 1] === '/') {
          const end = text.indexOf('>', at);
          if (end < 0) return doubt('an open tag');
          at = end + 1;
          frames.pop();
          pattern = false;
        } else {
          frames.push({ is: 'tag', thenPattern: false });
          at = tagName(text, at + 1);
        }
      } else at++;
      continue;
    }
    if (isBlank(text.charCodeAt(at))) {
      at++;
      continue;
    }
    if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      continue;
    }
    if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return doubt('an open comment');
      at = end + 2;
      continue;
    }
    if (frame === 'tag') {
      if (char === '"' || char === "'") {
        const end = text.indexOf(char, at + 1);
        if (end < 0) return doubt('an open attribute');
        at = end + 1;
      } else if (char === '{') {
        frames.push({ is: '{', thenPattern: false });
        pattern = true;
        at++;
      } else if (char === '/' && text[at + 1] === '>') {
        frames.pop();
        pattern = false;
        previous = { is: 'other', text: '', at };
        at += 2;
      } else if (char === '>') {
        frames.pop();
        frames.push({ is: 'children', thenPattern: false });
        at++;
      } else at++;
      continue;
    }
    if (char === '"' || char === "'") {
      const end = stringEnd(text, at, char);
      if (end < 0) return doubt('an open string');
      push('string', end, text.slice(at + 1, end - 1));
      pattern = false;
      continue;
    }
    if (char === '`') {
      const next = template(text, at + 1);
      if (next.end < 0) return doubt('an open template');
      if (!next.isOpen) push('string', next.end, text.slice(at + 1, next.end - 1));
      else {
        push('other', next.end);
        frames.push({ is: '`', thenPattern: false }, { is: '{', thenPattern: false });
      }
      pattern = next.isOpen;
      continue;
    }
    if (char === '/' && pattern) {
      const end = patternEnd(text, at);
      if (end > 0) {
        push('other', end);
        pattern = false;
        continue;
      }
    }
    if (jsx && char === '<' && pattern && isElement(text, at)) {
      frames.push({ is: 'tag', thenPattern: false });
      at = tagName(text, at + 1);
      continue;
    }
    NUMBER.lastIndex = at;
    if ((char === '.' || (char >= '0' && char <= '9')) && NUMBER.test(text)) {
      push('other', NUMBER.lastIndex);
      pattern = false;
      continue;
    }
    const word = wordEnd(text, at);
    if (word > at) {
      const isMember = previous?.is === 'sign' && /^\??\.$/.test(previous.text);
      push('word', word);
      pattern = !isMember && BEFORE_PATTERN.test(previous?.text ?? '');
      continue;
    }
    SIGN.lastIndex = at;
    SIGN.test(text);
    const before = previous;
    const sign = text.slice(at, Math.max(at + 1, SIGN.lastIndex));
    push('sign', at + sign.length);
    if (sign === '(' || sign === '[' || sign === '{') {
      frames.push({ is: sign, thenPattern: opensStatement(sign, before) });
      pattern = true;
    } else if (sign === ')' || sign === ']' || sign === '}') {
      const open = frames.pop();
      const fits = sign === ')' ? '(' : sign === ']' ? '[' : '{';
      if (open?.is !== fits) return doubt(`a "${sign}" too many`);
      pattern = open.thenPattern;
    } else if (sign === '!' || sign === '++' || sign === '--') {
      // `a! / b`, `a++ / b`: what stands before decides.
      pattern = pattern || before === undefined;
    } else pattern = true;
  }
  const open = top();
  return { tokens, doubt: open === undefined ? null : `an open "${open.is}" at the end` };
}

/** Whether a pattern may follow the end of what opens here: a block, or the head of `if (…)`. */
function opensStatement(sign: string, before: Token | undefined): boolean {
  if (sign === '(') return before?.is === 'word' && CONTROL.test(before.text);
  if (sign === '[') return false;
  if (before === undefined) return true;
  if (before.is === 'word') return !/^(?:return|typeof|case|in|of|new|throw|await|yield)$/.test(before.text);
  return before.is === 'sign' && /^(?:[);{}]|=>)$/.test(before.text);
}

function template(text: string, from: number): { end: number; isOpen: boolean } {
  for (let end = from; end < text.length; end++) {
    const char = text[end];
    if (char === '\\') end++;
    else if (char === '`') return { end: end + 1, isOpen: false };
    else if (char === '$' && text[end + 1] === '{') return { end: end + 2, isOpen: true };
  }
  return { end: -1, isOpen: false };
}

/** `<a`, `<>`; not the parameters of a generic function. */
const isElement = (text: string, at: number): boolean =>
  /^<(?:[\p{ID_Start}$_][\w$.:-]*|>)/u.test(text.slice(at, at + 80)) &&
  !/^<(?:const\s+)?[\w$]+\s*(?:,|=|extends\b)/.test(text.slice(at, at + 120));

/** The end of a tag's name, with its type arguments. */
function tagName(text: string, from: number): number {
  let at = from;
  while (/[\p{ID_Continue}$.:-]/u.test(text[at] ?? '')) at++;
  if (text[at] !== '<') return at;
  for (let depth = 0; at < text.length; at++) {
    if (text[at] === '<') depth++;
    else if (text[at] === '>' && text[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return at;
}

export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
