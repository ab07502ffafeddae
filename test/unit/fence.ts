// Finds lines that break the layout rules of the design, in sources as plain text.
import ts from 'typescript';
import { importBreachesOf } from './fence-imports.ts';

export interface Source {
  /** Path from the root of the project, with `/`: `src/text/json.ts`. */
  path: string;
  source: string;
}

/** Files that may ask the clock, the process and chance: their name says so. */
const MAY_REACH_OUT = /^src\/platform\/|\.(?:io|command)\.ts$/;
/** The folders of the design, section 3. */
const FOLDERS = [
  ...['hosts', 'context', 'compaction', 'handoff', 'sessions', 'addons', 'settings', 'text', 'platform'],
  ...['doctor', 'install', 'statusline', 'replay', 'report', 'hook', 'module', 'cli', 'mcp'],
];
const NAMELESS = ['core', 'utils', 'shared', 'common', 'services', 'lib', 'domain', 'helpers', 'managers'];
const EXITS = ['src/hook/start.io.ts', 'src/cli/main.io.ts', 'src/statusline/statusline-main.io.ts'];
const MOST_LINES = 300;

const isTest = (path: string): boolean => path.endsWith('.test.ts');
function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
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
function breachesIn({ path, source }: Source, say: (line: number, message: string) => void): void {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const isSource = path.startsWith('src/') && !isTest(path);
  const namesWhatIsSkipped = /not-run\.ts['"]/.test(source);

  visitAll(tree, (node) => {
    if (isSource) {
      const reach = reachOf(node);
      if (reach !== null && !MAY_REACH_OUT.test(path) && IMPURE.test(reach)) {
        say(lineOf(node), `uses ${reach}: the file is pure; pass the value in, or name the file *.io.ts`);
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
  const length = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  if (length > MOST_LINES) {
    say(
      MOST_LINES + 1,
      `${length} lines: find the second concept in this file and give it a file of its own`,
    );
  }
  if (isSource) {
    const folder = /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
    if (folder !== null && !FOLDERS.includes(folder)) {
      say(1, `the design does not know the folder ${folder}: put the file into one of ${FOLDERS.join(', ')}`);
    }
    const nameless = path
      .split('/')
      .slice(0, -1)
      .find((each) => NAMELESS.includes(each));
    if (nameless)
      say(1, `a folder named ${nameless}: name it after what it is about, or put the file where it is used`);
  }
}

/** Every line that breaks a rule of the layout, as `path:line message`; the message says where it should go. */
export function breachesOf(files: readonly Source[]): string[] {
  const breaches: string[] = [];
  for (const file of files)
    breachesIn(file, (line, message) => void breaches.push(`${file.path}:${line} ${message}`));
  return [...breaches, ...importBreachesOf(files)];
}
