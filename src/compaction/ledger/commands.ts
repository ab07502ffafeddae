// Analyses a shell command for the ledger: its kern, the checks in it, the notes it keeps, the files it changes.

/** White space to single blanks. */
const normalise = (command: string): string => command.replace(/\s+/g, ' ').trim();

const PIPED = /\s*\|&?\s*(?:tail|head|grep|egrep|rg|tee|cat|less|sort|uniq|wc|awk|sed|cut)\b.*$/;

/** Characters of a command that are looked at for what it does; behind them stands what it writes. */
const LOOKED_AT = 4_000;

/** What a command does, without where it is run and how its output is shown. */
export function findKern(command: string): string {
  let kern = normalise(command.slice(0, LOOKED_AT));
  for (let before = ''; before !== kern; ) {
    before = kern;
    kern = kern.replace(/^cd (?:"[^"]*"|'[^']*'|[^\s&;|]+) ?(?:&&|;) ?/, '');
  }
  const shown = kern.indexOf(' 2>&1');
  if (shown > 0) kern = kern.slice(0, shown);
  return kern.replace(PIPED, '').trim();
}

const HERE = /<<-?[ \t]*(["']?)(\w+)\1/;

/** A command without what its here-documents hold; of one without an end, nothing behind its first line. */
function withoutHere(command: string): string {
  let kept = '';
  let rest = command;
  for (let found = HERE.exec(rest); found !== null; found = HERE.exec(rest)) {
    const line = rest.indexOf('\n', found.index);
    if (line < 0) break;
    kept += `${rest.slice(0, found.index)}<<${found[2]}${rest.slice(found.index + found[0].length, line)}`;
    const end = endOfHere(rest, line, found[2] ?? '');
    if (end === null) return kept;
    rest = rest.slice(end);
  }
  return kept + rest;
}

/** Where the line ends that closes a here-document, or null where none does. */
function endOfHere(text: string, from: number, word: string): number | null {
  for (let at = from; at >= 0; at = text.indexOf('\n', at + 1)) {
    const end = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, end < 0 ? undefined : end).trimStart();
    if (line === word || (line.startsWith(word) && /^\s/.test(line.slice(word.length)))) {
      return text.indexOf(word, at + 1) + word.length;
    }
  }
  return null;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|'[^']*'?|&&|\|\||[;\n]|[^"'&|;\n]+|[&|]/gs;

/** Characters of a command that are taken apart; a longer one writes what it holds. */
const PARTED = 16_000;

/** The parts of a command that run one after the other, as far as quotes and here-documents let see. */
export function splitCommand(command: string): string[] {
  const parts: string[] = [];
  let part = '';
  const short = command.slice(0, PARTED);
  const lines = short.includes('<<') ? withoutHere(short) : short;
  for (const token of lines.replace(/\\\r?\n/g, ' ').match(TOKEN) ?? []) {
    if (!/^(?:&&|\|\||[;\n])$/.test(token)) {
      part += token;
      continue;
    }
    parts.push(part);
    part = '';
  }
  parts.push(part);
  return parts.map(normalise).filter((each) => each !== '');
}

const WRAPPERS =
  /^(?:(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)|time|sudo|env|nice|timeout (?:-\S+ )*\d+[smh]?|!|\() )+/;
const SHOWN = /(?: \d?>{1,2} ?(?:&\d|\S+)|\s*\|&? ?.*)+$/;
/** A part without what runs it, and without redirection and pipe. */
const bareOf = (part: string): string => part.replace(WRAPPERS, '').replace(SHOWN, '').trim();

const SCRIPT =
  '\\S*(?:test|spec|lint|build|check|vet|fmt|format|typecheck|type-check|types|tsc|verify|validate|ci|e2e|cover|compile|bench)\\S*';
/** What programs whose runs are checks of the work are run through: `npx `, `poetry run `. */
const THROUGH =
  /^(?:(?:npx|bunx|pnpx)(?: -y| --yes)? |(?:pnpm|yarn|npm) (?:exec|dlx)(?: --)? |bundle exec |(?:uv|poetry|pipenv|pdm|hatch|rye) run |python3? -m |node_modules\/\.bin\/|\.\/node_modules\/\.bin\/|(?:\.\/)?vendor\/bin\/|docker compose (?:run|exec) (?:-\S+ )*\S+ )/;
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Programs whose every run is a check: tests, linters, type checks, formatters, builds. */
const ALWAYS = new Set(
  words(`just make gmake ninja bazel bazelisk buck2 pants meson scons ant invoke inv nox tox earthly dagger
    gofmt goimports golangci-lint staticcheck gotestsum ginkgo msbuild mvn mvnw gradle gradlew sbt lein rebar3 xcodebuild ctest elm-test prove
    bin/test`),
);
/** The same, also where something runs them. */
const TOOLS = new Set(
  words(`pytest py.test unittest nose2 mypy pyright basedpyright ruff flake8 pylint black isort bandit
    tsc vue-tsc svelte-check vitest jest mocha ava tap c8 nyc karma eslint biome oxlint prettier standard xo stylelint knip publint attw
    shellcheck shfmt hadolint actionlint yamllint markdownlint rspec rubocop standardrb phpunit phpstan psalm pest phpcs detekt ktlint
    checkstyle clang-tidy clang-format cppcheck luacheck stylua busted sqlfluff pre-commit lefthook lint-staged webpack rollup esbuild tsup`),
);
/** What a project's own scripts are run by, as the words between the program and the script allow. */
const RUNNERS = new Set(words('npm pnpm yarn bun deno mise rake composer nx turbo lerna moon task'));
const RUN_SCRIPT = `^\\S+(?: (?:run|run-many|task|-\\S+|--filter \\S+|-w \\S+|--workspace \\S+|-C \\S+|--prefix \\S+))* ${SCRIPT}(?: |$)`;
/** What a script is run by that is named as a file. */
const INTERPRETERS = new Set(words('bash sh node python python3 ruby'));
const RUN_FILE = `^(?:\\./|\\S+ )(?:\\S*/)?(?:run[-_])?${SCRIPT}(?: |$)`;

/** Programs that check with these words behind their name. */
const WITH_WORDS: Record<string, string> = {
  ...{ go: 'test|build|vet', dotnet: 'test|build|format', stack: 'test|build', cabal: 'test|build' },
  cargo: '(?:\\+\\S+ )?(?:test|t|build|b|check|c|clippy|fmt|nextest|bench|doc|deny|audit)',
  ...{ clj: '-M:test', mix: 'test|compile|format|credo|dialyzer', swift: 'test|build' },
  ...{ flutter: 'test|analyze|build', dart: 'test|analyze|format', zig: 'build|test', cmake: '--build' },
  ...{ php: 'artisan test|-l', rails: 'test', 'bin/rails': 'test', terraform: 'validate|fmt|plan' },
  ...{ helm: 'lint', docker: 'build', forge: 'test', hardhat: 'test', crystal: 'spec', nimble: 'test' },
  ...{ dune: 'build|runtest|test', gleam: 'test', perl: '-c', bun: 'test', deno: 'test|lint|check|fmt' },
  ...{ node: '(?:--\\S+ )*--test|--check', bash: '-n', sh: '-n', ruby: '-c' },
  ...{ python: '-m (?:unittest|pytest|mypy|compileall|build)' },
  ...{ python3: '-m (?:unittest|pytest|mypy|compileall|build)' },
};
const TOOLS_WITH_WORDS: Record<string, string> = {
  ...{ playwright: 'test', cypress: 'run', vite: 'build', next: 'build|lint', astro: 'check|build' },
  ng: 'test|build|lint',
};

/** An expression is made when a command needs it: to make all of them takes longer than all else that a hook does with commands. */
const made = new Map<string, RegExp>();
function matches(pattern: string, text: string): boolean {
  const known = made.get(pattern) ?? new RegExp(pattern);
  made.set(pattern, known);
  return known.test(text);
}

/** Whether a program with what stands behind it is one of those that check with these words. */
function hasWords(table: Record<string, string>, name: string, part: string): boolean {
  const wanted = Object.hasOwn(table, name) ? table[name] : undefined;
  return wanted !== undefined && matches(`^(?:${wanted})(?![\\w])`, part.slice(name.length + 1));
}

const nameOf = (part: string): string => part.split(' ', 1)[0] ?? '';

/** Whether a part of a command, without what runs and shows it, checks the work. */
function isCheck(part: string): boolean {
  const name = nameOf(part);
  if (ALWAYS.has(name.replace(/^\.?\//, '')) || hasWords(WITH_WORDS, name, part)) return true;
  if (RUNNERS.has(name) && matches(RUN_SCRIPT, part)) return true;
  if ((part.startsWith('./') || INTERPRETERS.has(name)) && matches(RUN_FILE, part)) return true;
  const tool = part.replace(THROUGH, '');
  return TOOLS.has(nameOf(tool)) || hasWords(TOOLS_WITH_WORDS, nameOf(tool), tool);
}

/** The checks of the commands seen last: each is asked for more than once. */
const known = new Map<string, string[]>();
const KNOWN = 200;

/** The checks in a command, each as it stands, without redirection and pipe. */
export function findChecks(command: string): string[] {
  const before = known.get(command);
  if (before !== undefined) return before;
  const parts = splitCommand(command.slice(0, LOOKED_AT)).map(bareOf);
  const checks = [...new Set(parts.filter((part) => part.length > 4 && isCheck(part)))];
  if (known.size >= KNOWN) known.clear();
  known.set(command, checks);
  return checks;
}

const LOOKS =
  /^(?:grep|egrep|fgrep|rg|ag|ls|cat|find|fd|which|type|command -v|test|\[|diff|cmp|head|tail|sed -n|wc|jq|stat|file|tree|pgrep|pidof|git (?:-\S+ )*(?:show|grep|diff|log|ls-\S+|status|rev-parse|show-ref|merge-base|check-ignore|config --get))\b/;

/** Whether a command only looks: that it finds nothing is an answer, no failure. */
export function onlyLooks(command: string): boolean {
  const kern = findKern(command);
  if (LOOKS.test(kern.replace(WRAPPERS, ''))) return true;
  // What stands last decides about the exit code: "ls -la; grep -r x src".
  const last = splitCommand(command).at(-1) ?? '';
  return LOOKS.test((last.split('|').at(-1) ?? '').trim().replace(WRAPPERS, ''));
}

/** Whether the exit code of a command is that of a pager or filter behind it. */
export const hidesExitCode = (command: string): boolean =>
  /\|\s*(?:tail|head|tee|cat|less|grep|sed|awk|sort)\b/.test(command) ||
  /\|\|\s*(?:true|:|echo)\b/.test(command);

const unquote = (word: string): string =>
  word.replace(/^"([\s\S]*)"$|^'([\s\S]*)'$/, (_, double?: string, single?: string) =>
    double === undefined ? (single ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
  );
const wordsOf = (part: string): string[] =>
  (part.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? []).map(unquote);

const OURS = /^(?:npx (?:-y )?)?plimsoll$|(?:^|\/)(?:plimsoll(?:\.cjs|\.js)?|cli\.cjs)$/;

/** The note that a command of ours keeps; null where it keeps none. */
export function readNote(command: string): { text: string; kind: 'note' | 'decision' } | null {
  if (!/\b(?:note|checkpoint)\b/.test(command)) return null;
  for (const part of splitCommand(command)) {
    const words = wordsOf(part.replace(WRAPPERS, ''));
    const at = words.findIndex((word) => OURS.test(word));
    if (at < 0 || at > 2) continue;
    const [verb, ...rest] = words.slice(at + 1);
    if (verb === 'checkpoint' && rest[0] === 'create') {
      const flag = rest.findIndex((word) => word === '--note' || word.startsWith('--note='));
      const text =
        flag < 0 ? '' : rest[flag] === '--note' ? (rest[flag + 1] ?? '') : (rest[flag] ?? '').slice(7);
      if (text.trim() !== '') return { text: text.trim(), kind: 'note' };
    }
    if (verb !== 'note') continue;
    const isKind = /^(?:decision|risk|task|invariant)$/.test(rest[0] ?? '');
    const text = rest
      .slice(isKind ? 1 : 0)
      .filter((word, index, all) => !word.startsWith('-') && !/^--?\w/.test(all[index - 1] ?? ''))
      .join(' ')
      .trim();
    if (text !== '') return { text, kind: rest[0] === 'decision' ? 'decision' : 'note' };
  }
  return null;
}

export interface FileChange {
  path: string;
  how: 'wrote' | 'deleted';
}

const PATH = /^[^\s<>|&;$`*?{}()]+$/;
const operands = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith('-'));

/** What stands in quotes, up to the end where they are open; with a redirection before it, it is a name. */
const QUOTED = /(> ?)?(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/g;

/** Files that a command that succeeded has changed, as far as its plain words say so. */
export function findFileChanges(command: string): FileChange[] {
  const changes: FileChange[] = [];
  const note = (how: FileChange['how'], ...paths: (string | undefined)[]): void => {
    for (const path of paths) {
      if (path !== undefined && PATH.test(path) && !path.startsWith('/dev/')) changes.push({ path, how });
    }
  };
  for (const part of splitCommand(command)) {
    // What is quoted redirects nothing, unless it is the name of the file.
    const bare = part.replace(QUOTED, (all, name) => (name === undefined ? 'q' : all));
    for (const [, path] of bare.matchAll(/(?:^|[^<>&\d])[12]?>{1,2} ?("[^"]+"|'[^']+'|[^\s&>|;()]+)/g)) {
      if (path !== undefined) note('wrote', unquote(path));
    }
    for (const piece of part.replace(/ [12]?>{1,2} ?\S+/g, '').split('|')) {
      const [program = '', ...rest] = wordsOf(piece.trim().replace(WRAPPERS, ''));
      const git = program === 'git' ? rest.find((word) => !word.startsWith('-')) : undefined;
      const words = git === undefined ? rest : rest.slice(rest.indexOf(git) + 1);
      switch (git ?? program) {
        case 'sed':
        case 'perl':
          if (rest.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)))
            note('wrote', operands(rest).at(-1));
          break;
        case 'tee':
        case 'touch':
          note('wrote', ...operands(words));
          break;
        case 'rm':
        case 'unlink':
          note('deleted', ...operands(words));
          break;
        case 'mv': {
          const [from, to, ...more] = operands(words);
          if (more.length > 0) break;
          note('deleted', from);
          note('wrote', to?.endsWith('/') ? `${to}${from?.split('/').at(-1) ?? ''}` : to);
          break;
        }
        case 'cp': {
          const [from, to, ...more] = operands(words);
          if (more.length === 0)
            note('wrote', to?.endsWith('/') ? `${to}${from?.split('/').at(-1) ?? ''}` : to);
          break;
        }
      }
    }
  }
  return changes;
}
