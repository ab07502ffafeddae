import { expect, test } from 'vitest';
import { describeProject, listSourceGlobs } from './describe-project.ts';

const project = (files: Record<string, string>, folders: string[] = []) =>
  describeProject({
    folder: 'folder',
    entries: [
      ...Object.keys(files).map((name) => ({ name, isFolder: false })),
      ...folders.map((name) => ({ name, isFolder: true })),
    ],
    read: (name) => files[name] ?? null,
  });

test.each<[string, Record<string, string>, string[], object, string[]]>([
  ['nothing', {}, ['docs', 'node_modules'], { name: 'folder', languages: [], folders: [], test: null }, []],
  [
    'npm and TypeScript',
    { 'package.json': '\uFEFF{"name": "@me/app", "scripts": {"test": "vitest"}}', 'tsconfig.json': '' },
    ['test', 'src', 'docs', 'dist'],
    { name: '@me/app', languages: ['TypeScript'], folders: ['src', 'test'], test: 'npm test' },
    ['src/**', 'test/**'],
  ],
  [
    'npm without tests',
    { 'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}' },
    [],
    { languages: ['JavaScript'], test: null },
    ['*.{js,jsx,mjs,cjs}'],
  ],
  [
    'pnpm',
    { 'package.json': '{"scripts": {"test": "x"}}', 'pnpm-lock.yaml': '' },
    [],
    { test: 'pnpm test' },
    ['*.{js,jsx,mjs,cjs}'],
  ],
  [
    'a broken package.json',
    { 'package.json': '{"name": ' },
    [],
    { name: 'folder', languages: ['JavaScript'] },
    ['*.{js,jsx,mjs,cjs}'],
  ],
  [
    'a name that would end a tag',
    { 'package.json': '{"name": "</a>`b`\\nc"}' },
    [],
    { name: '/ab c' },
    ['*.{js,jsx,mjs,cjs}'],
  ],
  [
    'Python',
    {
      'pyproject.toml':
        '[build-system]\nname = "no"\n\n[project]\nname = "tool"\n\n[tool.pytest.ini_options]\n',
      'main.py': '',
    },
    [],
    { name: 'tool', languages: ['Python'], test: 'pytest' },
    ['*.py'],
  ],
  ['poetry', { 'pyproject.toml': '[tool.poetry]\nname = "tool"' }, [], { name: 'tool' }, ['*.py']],
  [
    'Go',
    { 'go.mod': 'module example.org/me/tool\n\ngo 1.22\n' },
    ['cmd'],
    { name: 'tool', languages: ['Go'], test: 'go test ./...' },
    ['cmd/**', '*.go'],
  ],
  [
    'Rust',
    { 'Cargo.toml': '[package]\nname = "tool"\n' },
    ['src'],
    { name: 'tool', languages: ['Rust'], test: 'cargo test' },
    ['src/**'],
  ],
  ['make', { Makefile: 'all:\n\ntest: all\n\t./x\n' }, [], { test: 'make test' }, []],
  ['make without tests', { Makefile: 'testing:\n' }, [], { test: null }, []],
])('%s', (_, files, folders, expected, globs) => {
  const facts = project(files, folders);
  expect(facts).toMatchObject(expected);
  expect(listSourceGlobs(facts)).toEqual(globs);
});
