// Tests that no sentence of the product holds a name of its code, as a renaming by script may leave one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** A word such as `displayPath` that stands alone between words. */
const NAME = /(?<![\w.$'"`:/@{-])[a-z]+[A-Z][A-Za-z]+(?![\w(:'"`=.-])/g;

/** Names in the texts of a source that are sentences: they hold a blank. */
function namesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && node.text.includes(' '))
      found.push(...[...node.text.matchAll(NAME)].map(([name]) => `${file}: ${name}`));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

test('no text that is printed holds a name of the code', () => {
  const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => namesIn(path.relative(SRC, file), readFileSync(file, 'utf8')))).toEqual([]);
  expect(namesIn('a.ts', 'const a = `${b} is nearer and is displayPath instead`;')).toEqual([
    'a.ts: displayPath',
  ]);
});
