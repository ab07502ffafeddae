// Decides whether a command must be parsed: only if it holds a word that writes, a sign that could make one, or a guarded name.

/**
 * `>` redirects; `$`, backtick, `\`, `{`, `*`, `?`, `[` and `~` at a word's start make other words of words;
 * what is behind a `<` may be read as a script.
 */
const SIGNS = /[>$`\\{*?[<]|(?:^|[\s;&|(=])~|[\u0000-\u0008\u000e-\u001f]|[^\u0000-\u007f]/;

/** Programs and builtins that change files, move the shell, or run something else. */
const WORDS = new RegExp(
  `(?:^|[^\\w.-])(?:${[
    // files
    'tee|sponge|touch|truncate|chmod|chown|chgrp|chattr|setfacl|fallocate|mkfifo|mknod|mkdir|rmdir|rm|unlink|trash(?:-put)?|rimraf|shred|cp|mv|ln|link|rsync|scp|dd|patch|split|g?sed|sort|uniq|xxd|ed|ex|vim?|nvim|emacs',
    'prettier|gofmt|rustfmt|black|yq|\\.?plimsoll(?:@[\\w.-]*)?|cli\\.cjs',
    // downloads and archives
    'curl|wget|tar|bsdtar|gtar|unzip|zip|7z|cpio|g(?:un)?zip|b(?:un)?zip2|(?:un)?xz|zstd',
    // what runs others
    'g?find|g?xargs|parallel|env|sudo|doas|nohup|time|command|builtin|exec|nice|ionice|g?timeout|stdbuf|setsid|chronic|unbuffer|caffeinate|busybox|toybox|strace|chroot|flock|watch|su|script|eval|source|trap|alias|coproc|function',
    // interpreters
    '(?:ba|da|z|k|mk|a|fi|c|tc)?sh|python[\\d.]*|pypy[\\d.]*|ipython3?|node(?:js)?|bun|deno|ts-node|tsx|ruby|perl[\\d.]*|php\\d*|lua[\\d.]*|luajit|Rscript|R|julia|osascript|tclsh|pwsh|powershell|[gmn]?awk|jshell|groovy|scala|elixir|ghci?',
  ].join('|')})(?![\\w.-])`,
);
/** `. file` is `source file`, `./file` may be a script; `install` is a program here and a verb elsewhere. */
const FIRST = /(?:^|[;&|(\n])[^\S\n]*(?:\.\s|g?install\s|[\w.-]*\/)/;
const GIT =
  /(?:^|[^\w.-])git\s+(?:-|(?:checkout|restore|apply|am|rm|mv|clean|stash|reset|switch|merge|pull|rebase|cherry-pick|revert|checkout-index|read-tree|sparse-checkout|filter-branch|bisect|submodule|clone|init|worktree|archive|bundle|format-patch|config)\b)|--output/;
const RUNNERS =
  /(?:^|[^\w.-])(?:npx|bunx|npm|pnpm|yarn|uv|poetry|pipenv|rye|pdm|bundle|conda|mise|direnv)\s+(?!(?:-\w+\s+)*(?:install|ci|i|run|test|t|build|start|audit|outdated|ls|list|view|why|add|sync|lock|check|show|info|update|upgrade|remove)\b)/;

/** Words of commands that destroy something without writing a file, by name or with the option that makes them do it. */
const DESTROYING =
  /\b(?:destroy|uninstall|(?:un)?publish|yank|prune|terminate-\w+|delete(?:-\w+)?|rb|state rm|mkfs|wipefs|dropdb|mysqladmin|psql|mysql|mariadb|sqlite3?|mongo(?:sh)?|redis-cli|duckdb|sqlcmd|cockroach|twine|filter-(?:repo|branch)|manage\.py flush)\b|\b(?:db|migrate|pg|apps):\w|\b(?:migrate|db) reset\b|\bhelm\b.*\b(?:un|del) |\bgem push\b|\breflog (?:expire|delete)|\bgc\b.*--prune|\bdown\b.*(?: -v|--volumes)|\bpush\b.*\s(?:-\w*[fd]|--force|--mirror|--delete|[+:]\w)|\bbranch\b.*\s(?:-\w*[dD]|--delete)/i;

/** One of these stands in every command that DESTROYING finds: to look for them costs less than to compile that. */
const DESTROYING_PARTS =
  'destroy uninstall publish yank prune terminate- delete rb state_rm mkfs wipefs dropdb sql mariadb mongo redis-cli duckdb cockroach twine filter- flush db: migrate pg: apps: reset helm gem_push reflog down push branch'
    .split(' ')
    .map((part) => part.replace('_', ' '));

function mayDestroy(command: string): boolean {
  const lower = command.toLowerCase();
  return DESTROYING_PARTS.some((part) => lower.includes(part)) && DESTROYING.test(command);
}

/** Longer commands are not read: a person decides about them. */
export const LONGEST = 100_000;

/** One part of a guarded path that few others have: a hidden name, else the last name that is no pattern. */
function listRareNames(pattern: string): string[] {
  const hidden = pattern.match(/(?<![\w*}\]])\.[\w-]{2,}/g);
  if (hidden !== null) return hidden;
  const parts = pattern.split('/').filter((part) => !/^[*~]*$/.test(part));
  const last = parts.pop() ?? '';
  const stem = last.replace(/\.\{[^{}]*\}$/, '').replace(/^\*+|\*+$/g, '');
  const name = stem === '' || stem.startsWith('.') ? (parts.at(-1) ?? (stem || last)) : stem;
  const plain = name.split(/[*?[\]{},]+/).filter((part) => part.length > 2);
  return plain.length > 0 ? plain : [name.replace(/[*?[\]{},]/g, '')];
}

/** Whether a command, or the folder in which it runs, may name a guarded file; with any program, that is. */
export function findGuardedName(patterns: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  return patterns.some(
    (pattern) =>
      !pattern.startsWith('!') && listRareNames(pattern).some((name) => lower.includes(name.toLowerCase())),
  );
}

/** Whether a command must be parsed before anything can be said of it. A call costs well under a millisecond. */
export function shouldParse(command: string): boolean {
  // Quotes in the middle of a word do not hide it.
  const plain = command.replace(/['"]/g, '');
  return (
    SIGNS.test(plain) ||
    WORDS.test(plain) ||
    FIRST.test(plain) ||
    GIT.test(plain) ||
    RUNNERS.test(plain) ||
    mayDestroy(plain)
  );
}
