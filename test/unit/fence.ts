// Which lines stand on the wrong side of a fence? The layout rules of the design, over sources as plain text.
import ts from 'typescript';

export interface Source {
  /** Path from the root of the project, with `/`: `src/model/tier.ts`. */
  path: string;
  source: string;
}

interface Import {
  /** Path from the root of the project, or the name of a package. */
  target: string;
  line: number;
  isTypeOnly: boolean;
}

/** What a folder of `src` may import besides itself, and what to do with a line that imports something else. */
const FOLDERS: Record<string, { imports: string[]; packages: boolean; advice: string }> = {
  model: {
    imports: [],
    packages: false,
    advice: 'what is read or said comes in as an argument: the line belongs to hooks/, which calls both',
  },
  tags: {
    imports: ['model'],
    packages: false,
    advice: 'words are made of values: read them in hooks/, decide in model/, and pass them in',
  },
  agents: {
    imports: ['model'],
    packages: false,
    advice: 'a host file only turns JSON into an Event and words into JSON: the rest belongs to hooks/',
  },
  store: {
    imports: ['model'],
    packages: true,
    advice:
      'the store keeps and gives back: decisions belong to model/, settings to config/, the rest to hooks/',
  },
  config: {
    imports: ['model', 'store'],
    packages: true,
    advice: 'settings know nothing of hosts, words and doors: move the line to the door that needs both',
  },
  hooks: {
    imports: ['model', 'tags', 'agents', 'store', 'config'],
    packages: true,
    advice: 'doors never import each other: what both need goes to model/, tags/, store/ or config/',
  },
  plugin: {
    imports: ['model'],
    packages: false,
    advice: 'the module runs inside the client, without Node: it reaches out through `$` alone',
  },
  cli: {
    imports: ['model', 'tags', 'agents', 'store', 'config'],
    packages: true,
    advice: 'doors never import each other: what both need goes to model/, tags/, store/ or config/',
  },
};
const PURE = ['model', 'tags', 'agents', 'plugin'];
const NAMELESS = ['core', 'utils', 'shared', 'common', 'services', 'lib', 'domain', 'helpers', 'managers'];
const DISK = /^(?:node:)?(?:fs|child_process|os)(?:\/|$)/;
const EXITS = ['src/hooks/main.ts', 'src/hooks/plugin.ts', 'src/cli/main.ts', 'src/cli/statusline-main.ts'];
const MOST_LINES = 300;

/** Files that one file of hooks/ alone may import, and what the others do instead. */
const RESERVED: Record<string, [only: string, advice: string]> = {
  'src/store/apply.ts': ['src/hooks/perform.ts', 'return a part with `keep`; perform.ts applies it'],
  'src/store/claim.ts': ['src/hooks/perform.ts', 'return a part with a `claim`; perform.ts takes it'],
  'src/store/stdio.ts': ['src/hooks/run.ts', 'return words; run.ts reads stdin and prints'],
};

const isTest = (path: string): boolean => path.endsWith('.test.ts');
/** `model` for `src/model/tier.ts`, null for `src/index.ts`. */
const folderOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;

function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
}

const isAllTypes = (elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): boolean =>
  elements.length > 0 && elements.every((each) => each.isTypeOnly);

function isTypeOnlyImport(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    isAllTypes(bindings.elements)
  );
}

function importOf(node: ts.Node): { specifier: string; isTypeOnly: boolean } | null {
  const text = (each: ts.Node | undefined): string | null =>
    each !== undefined && ts.isStringLiteralLike(each) ? each.text : null;
  let specifier: string | null = null;
  let isTypeOnly = false;
  if (ts.isImportDeclaration(node)) {
    specifier = text(node.moduleSpecifier);
    isTypeOnly = isTypeOnlyImport(node);
  } else if (ts.isExportDeclaration(node)) {
    specifier = text(node.moduleSpecifier);
    const clause = node.exportClause;
    isTypeOnly =
      node.isTypeOnly || (clause !== undefined && ts.isNamedExports(clause) && isAllTypes(clause.elements));
  } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    specifier = text(node.arguments[0]);
  } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    specifier = text(node.argument.literal);
    isTypeOnly = true;
  }
  return specifier === null ? null : { specifier, isTypeOnly };
}

/** `process.exit`, `Date.now`, `new Date()`: what a node reaches for outside its arguments, or null. */
function reachOf(node: ts.Node): string | null {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return 'new Date()';
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    return `${node.expression.text}.${node.name.text}`;
  }
  if (!ts.isIdentifier(node) || !/^(?:process|Buffer)$/.test(node.text)) return null;
  const { parent } = node;
  const isName =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) || ts.isPropertyAssignment(parent);
  return isName || ts.isPropertyAccessExpression(parent) || ts.isPropertySignature(parent) ? null : node.text;
}
const IMPURE =
  /^(?:process(?:\..*)?|Buffer(?:\..*)?|Date\.now|new Date\(\)|Math\.random|performance\.\w+|crypto\.\w+)$/;

const isDefaultExport = (node: ts.Node): boolean =>
  (ts.isExportAssignment(node) && node.isExportEquals !== true) ||
  (ts.isExportSpecifier(node) && node.name.text === 'default') ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some((each) => each.kind === ts.SyntaxKind.DefaultKeyword));

/** The root and the names of a chain: `test.concurrent.skip` is ['test', 'concurrent', 'skip']. */
function chainOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  return ts.isPropertyAccessExpression(node) ? [...chainOf(node.expression), node.name.text] : [];
}

/** What is wrong with one file, whatever the others say. */
function breachesIn({ path, source }: Source, say: (line: number, message: string) => void): Import[] {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const folder = folderOf(path);
  const imports: Import[] = [];
  const isSource = path.startsWith('src/') && !isTest(path);
  const namesWhatIsSkipped = /not-run\.ts['"]/.test(source);

  visitAll(tree, (node) => {
    const found = importOf(node);
    if (found)
      imports.push({
        target: resolve(path, found.specifier),
        line: lineOf(node),
        isTypeOnly: found.isTypeOnly,
      });
    if (isSource) {
      const reach = reachOf(node);
      if (reach !== null && folder !== null && PURE.includes(folder) && IMPURE.test(reach)) {
        say(lineOf(node), `${folder}/ uses ${reach}: it is pure; read it in hooks/ and pass the value in`);
      }
      if (reach === 'process.exit' && !EXITS.includes(path)) {
        say(lineOf(node), `process.exit: only ${EXITS.join(', ')} exit; return, or throw, and let them end`);
      }
      if (isDefaultExport(node)) say(lineOf(node), 'a default export: export it by its name');
    }
    if (isTest(path) && ts.isPropertyAccessExpression(node)) {
      const chain = chainOf(node);
      const last = chain.at(-1) ?? '';
      if (chain[0] === 'vi' && /^(?:mock|doMock|spyOn|fn|hoisted)$/.test(last)) {
        say(lineOf(node), `${chain.join('.')}: no mocks and spies; a temporary folder is the test double`);
      }
      if (
        /^(?:test|it|describe|suite|bench)$/.test(chain[0] ?? '') &&
        /^(?:skip|only|todo|skipIf|runIf|fails)$/.test(last)
      ) {
        say(lineOf(node), `${chain.join('.')}: a test runs, or says by notRun() that it did not`);
      } else if (last === 'skip' && chain.length === 2 && !namesWhatIsSkipped) {
        say(
          lineOf(node),
          `${chain.join('.')}: say by notRun() of test/kit/not-run.ts what did not run, and why`,
        );
      }
    }
  });
  if (isSource) {
    const length = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
    if (length > MOST_LINES) {
      say(
        MOST_LINES + 1,
        `${length} lines: find the second concept in this file and give it a file of its own`,
      );
    }
    const nameless = path
      .split('/')
      .slice(0, -1)
      .find((each) => NAMELESS.includes(each));
    if (nameless)
      say(1, `a folder named ${nameless}: name it after what it is about, or put the file where it is used`);
  }
  return imports;
}

function checkImport(path: string, each: Import, say: (line: number, message: string) => void): void {
  const { target, line } = each;
  const folder = folderOf(path);
  const isOwn = target.startsWith('src/');
  if (DISK.test(target) && folder !== 'store') {
    say(
      line,
      `imports ${target}: only store/ touches the disk and other programs; add a function there and call it`,
    );
    return;
  }
  const [only, instead] = RESERVED[target] ?? [];
  if (folder === 'hooks' && only !== undefined && path !== only) {
    say(line, `imports ${target}, which in hooks/ only ${only} may: ${instead}`);
    return;
  }
  if (folder === null) {
    const door = folderOf(target);
    if (isOwn && (door === 'hooks' || door === 'cli' || door === 'plugin'))
      say(line, `imports ${target}: a door; the library is what lies below`);
    return;
  }
  const rules = FOLDERS[folder];
  if (rules === undefined) {
    say(
      1,
      `a folder named ${folder} that the design does not know: who, when, what, say, keep; or add it to the fence`,
    );
    return;
  }
  if (!isOwn) {
    if (!rules.packages)
      say(
        line,
        `${folder}/ imports ${target}: it is pure and imports only ${[folder, ...rules.imports].join(' and ')}; ${rules.advice}`,
      );
    return;
  }
  const to = folderOf(target);
  if (to === null) {
    const isVersion = target === 'src/version.ts' && (folder === 'hooks' || folder === 'cli');
    if (!isVersion)
      say(
        line,
        `${folder}/ imports ${target}: nothing imports the library; import the file that it re-exports`,
      );
    return;
  }
  const isModelType = each.isTypeOnly && to === 'model';
  if (to !== folder && !rules.imports.includes(to) && !isModelType) {
    say(
      line,
      `${folder}/ imports ${target}: it imports only ${[folder, ...rules.imports].join(', ')}; ${rules.advice}`,
    );
  }
}

/** The first cycle among these imports, as a path that ends where it begins, or null. */
function cycleIn(graph: ReadonlyMap<string, string[]>): string[] | null {
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): string[] | null => {
    const at = trail.indexOf(path);
    if (at >= 0) return [...trail.slice(at), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return null;
}

/** Every line that breaks a rule of the layout, as `path:line message`; the message says where it should go. */
export function breachesOf(files: readonly Source[]): string[] {
  const breaches: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const say = (line: number, message: string): void =>
      void breaches.push(`${file.path}:${line} ${message}`);
    const imports = breachesIn(file, say);
    if (!file.path.startsWith('src/') || isTest(file.path)) continue;
    for (const each of imports) checkImport(file.path, each, say);
    graph.set(
      file.path,
      imports.map((each) => each.target).filter((target) => target.startsWith('src/')),
    );
  }
  const cycle = cycleIn(graph);
  if (cycle) {
    breaches.push(
      `${cycle[0]}:1 an import cycle: ${cycle.join(' → ')}; what two of them need goes to a file below both`,
    );
  }
  return breaches;
}
