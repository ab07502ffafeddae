// Describes a project by the files at its root: its name, languages, source folders and test command.
import { isObject, type JsonObject } from '../../text/json.ts';

export interface ProjectProfile {
  name: string;
  languages: string[];
  /** Folders at the root that hold sources and tests, by name. */
  folders: string[];
  /** The command that runs its tests; null where none is found. */
  test: string | null;
}

interface RootFiles {
  /** Name of the root folder. */
  folder: string;
  /** Names at the root, and which of them are folders. */
  entries: readonly { name: string; isFolder: boolean }[];
  /** Text of a file at the root, null where there is none. */
  read: (name: string) => string | null;
}

const SOURCES =
  /^(?:src|source|sources|lib|libs|app|apps|packages|crates|cmd|internal|pkg|api|web|www|server|client|backend|frontend|services|modules|components|pages|scripts|tools|bin|include|tests?|spec|specs|e2e|__tests__|examples|benches|migrations|public|plugins?)$/i;

const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/^tsconfig.*\.json$/, 'TypeScript'],
  [/^package\.json$/, 'JavaScript'],
  [/^(?:pyproject\.toml|setup\.py|setup\.cfg|requirements.*\.txt)$|\.py$/, 'Python'],
  [/^go\.mod$/, 'Go'],
  [/^Cargo\.toml$/, 'Rust'],
  [/^(?:pom\.xml|build\.gradle)$/, 'Java'],
  [/^build\.gradle\.kts$/, 'Kotlin'],
  [/^(?:Gemfile|.*\.gemspec)$/, 'Ruby'],
  [/^composer\.json$/, 'PHP'],
  [/\.(?:csproj|sln)$/, 'C#'],
  [/^(?:CMakeLists\.txt|meson\.build)$/, 'C and C++'],
  [/^Package\.swift$/, 'Swift'],
  [/^mix\.exs$/, 'Elixir'],
];

/** Files that hold sources where there is no folder for them. */
const ENDINGS: Record<string, string> = {
  TypeScript: '*.{ts,tsx,mts,cts}',
  JavaScript: '*.{js,jsx,mjs,cjs}',
  Python: '*.py',
  Go: '*.go',
  Rust: '*.rs',
  Java: '*.java',
  Kotlin: '*.kt',
  Ruby: '*.rb',
  PHP: '*.php',
  'C#': '*.cs',
  'C and C++': '*.{c,cc,cpp,h,hpp}',
  Swift: '*.swift',
  Elixir: '*.{ex,exs}',
};

/** One line without what could end a tag or a code span. */
const plain = (text: string): string =>
  text
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[<>`]/g, '')
    .trim()
    .slice(0, 80);

const jsonOf = (text: string | null): JsonObject => {
  try {
    const value: unknown = JSON.parse((text ?? '').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** The value of a key in a table of simple TOML (`name = "x"` below `[project]`). */
const tomlName = (text: string | null, table: string): string | null => {
  const [, body = ''] =
    new RegExp(`^\\[${table}\\]\\s*$([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text ?? '') ?? [];
  return /^name\s*=\s*["']([^"'\n]+)["']/m.exec(body)?.[1] ?? null;
};

function nameOf({ folder, read }: RootFiles, manifest: JsonObject): string {
  const found =
    (typeof manifest.name === 'string' ? manifest.name : null) ??
    tomlName(read('pyproject.toml'), 'project') ??
    tomlName(read('pyproject.toml'), 'tool\\.poetry') ??
    tomlName(read('Cargo.toml'), 'package') ??
    /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(read('go.mod') ?? '')?.[1] ??
    folder;
  return plain(found) || plain(folder) || 'this project';
}

/** What npm writes into a new package for want of tests. */
const NO_TEST = /no test specified/;

function testOf({ entries, read }: RootFiles, manifest: JsonObject): string | null {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  const script = isObject(manifest.scripts) ? manifest.scripts.test : null;
  if (typeof script === 'string' && !NO_TEST.test(script)) {
    if (has('pnpm-lock.yaml')) return 'pnpm test';
    if (has('yarn.lock')) return 'yarn test';
    return has('bun.lockb') || has('bun.lock') ? 'bun run test' : 'npm test';
  }
  if (/^test\s*:/m.test(read('Makefile') ?? '')) return 'make test';
  const pyproject = read('pyproject.toml') ?? '';
  if (/pytest/.test(pyproject) || has('pytest.ini') || has('conftest.py'))
    return has('uv.lock') ? 'uv run pytest' : 'pytest';
  if (has('tox.ini')) return 'tox';
  if (has('go.mod')) return 'go test ./...';
  if (has('Cargo.toml')) return 'cargo test';
  return null;
}

export function describeProject(files: RootFiles): ProjectProfile {
  const manifest = jsonOf(files.read('package.json'));
  const names = files.entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  const languages = LANGUAGES.filter(([pattern]) => names.some((name) => pattern.test(name))).map(
    ([, word]) => word,
  );
  return {
    name: nameOf(files, manifest),
    // A project in TypeScript has a package.json too.
    languages: languages.filter((word) => word !== 'JavaScript' || !languages.includes('TypeScript')),
    folders: files.entries
      .filter(({ name, isFolder }) => isFolder && SOURCES.test(name))
      .map(({ name }) => name)
      .sort(),
    test: testOf(files, manifest),
  };
}

/** Globs of the files that work on the project writes: its folders, else files by the endings of its languages. */
export const listSourceGlobs = ({ folders, languages }: ProjectProfile): string[] =>
  folders.length > 0
    ? [...folders.map((name) => `${name}/**`), ...(languages.includes('Go') ? ['*.go'] : [])]
    : languages.flatMap((word) => ENDINGS[word] ?? []);

/** The globs of a text, with commas or blanks between; those within braces are one. */
export const parseGlobs = (text: string): string[] =>
  text
    .split(/[,\s]+(?![^{]*\})/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
