// Finds the files that a piece of code in another language names and may write; the code is not followed.

/** Words that write, in whatever language. */
const WRITES =
  /['"](?:[wax]b?\+?|r\+b?)['"]|write|append(?:file|_)|put_contents|\bto_(?:csv|json|excel|parquet|pickle|html|sql)|\brm|\bcp(?:sync)?\b|unlink|remove|rename|rmtree|rmdir|mkdir|copy|move|truncate|chmod|replace|symlink|save|dump|delete|inplace|FileUtils|file\.(?:new|open)|new file|out-file|(?:set|add|clear)-content|new-item/i;
/** Words that run other programs, whose words may name any file. */
const RUNS = /system|exec|spawn|popen|subprocess|\bshell|\brun\(|\bsh\b|%x|\$`|\bBun\.\$/i;
/** Quotes in which some languages run a command. */
const RUNS_QUOTED = /^(?:ruby|perl|php)/;
/** Signs by which perl opens a file to write it, and by which a command in a text does. */
const OPENS = /['"`]\s*\+?>|['"`][^'"`]*>[^'"`]*['"`]/;

/** What looks like one of these words and only reads, or changes a value in memory. */
const HARMLESS = [
  /\bstd(?:out|err)\s*\.\s*write(?:lines)?\b/g,
  /\bjson\s*\.\s*dumps\b/g,
  /\bsafe_load\b|\bload_file\b|\breadFile(?:Sync)?\b|\bfile_get_contents\b/g,
  /\bFile\s*\.\s*(?:read\w*|exists?\?|foreach|basename|dirname|join)/g,
  /\bdeepcopy\b|\.\s*copy\(\s*\)/g,
  // Two operands: of a text. `os.replace` is the one that moves a file.
  /(?<!\b(?:os|shutil))\.\s*replace(?:All)?\(\s*(?:[rbf]*(['"`])(?:\\.|(?!\1)[^\\])*\1|\/(?:\\.|[^/\\\n])+\/\w*)\s*,/g,
];

const withoutHarmless = (code: string): string =>
  HARMLESS.reduce((text, each) => text.replace(each, ' '), code);

/** What a text takes from a value, as `${x.key}` and `{x.key}`: names of the code, not of files. */
const FILLED = /[$#]?\{[^{}]*\}\/?/g;

/**
 * The texts of a piece of code that may name a file. A name of the code itself (`item.key`) is none.
 *
 * @param words whether the words within longer texts count as well: where the code runs commands
 */
export function textsIn(code: string, words: boolean): string[] {
  const found = new Set<string>();
  const add = (text: string): void => {
    if (text.length > 0 && text.length < 300 && !text.includes('\n'))
      found.add(text.replace(FILLED, '').trim());
  };
  for (const [, , text = ''] of code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\]){0,300})\1/g)) add(text);
  // Whatever stands between two quotes: an apostrophe in a comment moves the pairs.
  for (const part of code.split(/['"`]/).slice(1, -1)) if (/^[\w.@~/-]+$/.test(part)) add(part);
  // Parts of a path that are joined: `join('src', 'a.ts')`, `Path('src') / 'a.ts'`.
  for (const [text] of code.matchAll(/(['"])[\w.~-]+\1(?:\)?\s*[,/]\s*(['"])[\w.-]+\2)+/g))
    add(text.replace(/['"]\)?\s*[,/]\s*['"]/g, '/').replace(/['"]/g, ''));
  if (words)
    for (const part of code.split(/['"`]/))
      for (const [word] of part.replace(FILLED, '').matchAll(/(?<![\w)\].])[\w.@~/-]{0,300}[./][\w.@~/-]+/g))
        found.add(word);
  return [...found].filter((text) => text !== '').slice(0, 200);
}

/** The files that a piece of code may write, as far as its texts name them. */
export function writtenIn(code: string, language: string): string[] {
  const plain = withoutHarmless(code);
  const opens = RUNS_QUOTED.test(language) && (OPENS.test(plain) || plain.includes('`'));
  // Words of PowerShell need no quotes.
  const runs = /^(?:pwsh|powershell|tclsh|osascript)/.test(language) || RUNS.test(plain) || opens;
  return runs || WRITES.test(plain) ? textsIn(code, runs) : [];
}
