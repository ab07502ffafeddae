// Tests that the documents people read first stay short and lead somewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withMap } from '../../scripts/house/map.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const markdownIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));

test('the README has at most 900 words', () => {
  expect(read('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});

test.each([...markdownIn('.'), ...markdownIn('docs'), ...markdownIn('docs/decisions')])(
  'every link of %s leads to a file, and so does every path of the sources that it names',
  (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link ?? '');
    const broken = links.filter((link) => !existsSync(path.resolve(ROOT, path.dirname(name), link)));
    expect(broken).toEqual([]);
    // A pattern that ends with /** is an example of a setting.
    const paths = [...read(name).matchAll(/`((?:src|test|scripts)\/[\w./*-]+)`/g)].map(
      ([, each]) => each ?? '',
    );
    const named = paths.filter((each) => !each.endsWith('/**')).map((each) => each.replace(/[^/]*\*.*$/, ''));
    expect(named.filter((each) => !existsSync(path.resolve(ROOT, each)))).toEqual([]);
  },
);

test('ARCHITECTURE.md maps the folders as they are, each with a line of its README', () => {
  const text = read('ARCHITECTURE.md');
  expect(withMap(ROOT, text)).toBe(text);
  expect(text).not.toContain('NO README');
});
