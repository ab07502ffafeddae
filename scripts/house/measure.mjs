// Measures how src is laid out: files, lines, folders, imports and names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';

/**
 * One source file without its tests.
 * @typedef {{ path: string, text: string, lines: number, exports: string[],
 *   imports: { path: string, isType: boolean, isLazy: boolean }[], reachesOut: boolean }} Source
 */

const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts');

function filesIn(folder, isWanted) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const isExported = (node) =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** Names that a file defines itself; what it only passes on is defined elsewhere. */
function exportedNames(file) {
  return file.statements.filter(isExported).flatMap((node) => {
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    return node.name ? [node.name.text] : [];
  });
}

/** Imports of own files, from the root of the project. */
function importsOf(file, path) {
  const found = [];
  const add = (node, isType, isLazy) => {
    if (!node || !ts.isStringLiteral(node) || !node.text.startsWith('.')) return;
    found.push({ path: join(dirname(path), node.text), isType, isLazy });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      const { importClause: clause } = node;
      const named = clause?.namedBindings;
      const onlyTypes =
        !clause?.name && named && ts.isNamedImports(named) && named.elements.every((each) => each.isTypeOnly);
      add(node.moduleSpecifier, clause?.isTypeOnly || onlyTypes || false, false);
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const NODE_MODULE = /^node:(?!path)/;

/** Whether a file itself asks Node, the process, the clock or chance for something. */
function reachesOut(file) {
  const asks = (node) =>
    (ts.isImportDeclaration(node) && NODE_MODULE.test(node.moduleSpecifier.text)) ||
    (ts.isPropertyAccessExpression(node) &&
      /^(?:Date\.now|Math\.random|process\.(?:env|cwd|pid|argv|exit|kill))$/.test(node.getText(file))) ||
    (ts.isNewExpression(node) && node.expression.getText(file) === 'Date' && !node.arguments?.length) ||
    ts.forEachChild(node, asks) === true;
  return asks(file);
}

/** Paths of all files of src without tests, from the root of the project, with `/`. */
export const listSources = (root) =>
  filesIn(join(root, 'src'), isSource).map((path) => relative(root, path).replaceAll('\\', '/'));

/** @returns {Source[]} */
export function readSources(root) {
  return listSources(root).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    return {
      path,
      text,
      lines: text.split('\n').length - 1,
      exports: exportedNames(file),
      imports: importsOf(file, path),
      reachesOut: reachesOut(file),
    };
  });
}

const isBesideOthers = (path) => /^(?:index|README)\./.test(basename(path));

/** Values of which a list holds more than one, with how often. */
function repeated(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
}

export const namesTwice = (sources) => repeated(sources.flatMap((each) => [...new Set(each.exports)]));

export const fileNamesTwice = (sources) =>
  repeated(
    sources
      .map(({ path }) => path)
      .filter((path) => !isBesideOthers(path))
      .map((path) => basename(path)),
  );

/** Folders with more source files than `most`. */
export const crowdedFolders = (sources, most) =>
  repeated(sources.map(({ path }) => dirname(path))).filter(([, count]) => count > most);

/** Files that exactly one other file imports. */
export function filesWithOneImporter(sources) {
  const importers = new Map(sources.map(({ path }) => [path, new Set()]));
  for (const { path, imports } of sources) for (const each of imports) importers.get(each.path)?.add(path);
  return [...importers].filter(([, from]) => from.size === 1).map(([path]) => path);
}

/** What each file imports and runs at once. */
const runImports = (sources) =>
  new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ isType, isLazy }) => !isType && !isLazy).map((each) => each.path),
    ]),
  );

/** Every file that runs when these are imported, themselves included. */
function reachedFrom(paths, imports) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path) || !imports.has(path)) return;
    seen.add(path);
    imports.get(path).forEach(visit);
  };
  paths.forEach(visit);
  return seen;
}

/** Every file that runs when a file is imported, itself included. */
export const initialisedBy = (sources, entry) => [...reachedFrom([entry], runImports(sources))];

/** Files that import themselves over others, by imports that run at once. */
export function filesInCycles(sources) {
  const imports = runImports(sources);
  return [...imports].filter(([path, own]) => reachedFrom(own, imports).has(path)).map(([path]) => path);
}

/** The library hands everything on, an add-on's index registers what reaches out. */
const MAY_REACH_OUT =
  /^src\/(?:platform\/|index\.ts$|addons\/(?:registry|addon|\w+\/index)\.ts$)|\.(?:io|command)\.ts$/;

/** Files that know the disk, the clock or the process, and whose name does not say so. */
export const impureFiles = (sources) =>
  sources
    .filter(({ path }) => !MAY_REACH_OUT.test(path))
    .filter(
      ({ reachesOut, imports }) =>
        reachesOut || imports.some(({ path, isType }) => !isType && MAY_REACH_OUT.test(path)),
    )
    .map(({ path }) => path);

export const questionHeaders = (sources) =>
  sources.filter(({ text }) => /\?\s*$/.test(text.split('\n')[0])).map(({ path }) => path);

/** Test files in which a module is replaced. */
export const moduleMocks = (root) =>
  [join(root, 'src'), join(root, 'test')]
    .flatMap((folder) => filesIn(folder, (name) => name.endsWith('.ts')))
    // The fence's own test has one as an example.
    .filter(
      (path) => !path.endsWith('fence.test.ts') && /\bvi\.(?:mock|doMock)\(/.test(readFileSync(path, 'utf8')),
    )
    .map((path) => relative(root, path));

/** Files outside addons/ that import an add-on; the registry is for all. */
export const importersOfAddons = (sources) =>
  sources
    .filter(
      ({ path, imports }) =>
        !path.startsWith('src/addons/') && imports.some((each) => /^src\/addons\/[^/]+\//.test(each.path)),
    )
    .map(({ path }) => path);
