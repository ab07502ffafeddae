// Tests that all sources keep to the layout rules (DESIGN section 3); each message says what to do instead.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breachesOf, type Source } from './fence.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const sourcesIn = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(ROOT, path).replaceAll('\\', '/'),
      source: readFileSync(path, 'utf8'),
    }));

test('everything in src, test and scripts lies where the design puts it', () => {
  const files = ['src', 'test', 'scripts'].flatMap(sourcesIn);
  expect(files.length).toBeGreaterThan(80);
  expect(breachesOf(files)).toEqual([]);
});

/** Programs are started here too: what they run is named by the person, or is ourselves. */
const STARTS = [
  'src/hosts/claude-code/install/files.io.ts',
  'src/replay/probe-files.io.ts',
  'src/store/evaluator.ts',
  'src/store/hook-run.ts',
  'src/store/replay-compaction.ts',
  'src/store/wrapped.ts',
];

test.each([
  ['files', /['"](?:node:)?fs(?:\/promises)?['"]/, []],
  ['programs', /['"](?:node:)?child_process['"]/, STARTS],
])('only platform/ knows %s, whatever way they are asked for', (_, named, besides) => {
  const found = sourcesIn('src')
    .filter(({ path, source }) => !path.endsWith('.test.ts') && named.test(source))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('src/platform/'));
  expect(found.sort()).toEqual(besides);
});

describe('breachesOf()', () => {
  const one = (path: string, source: string): string[] => breachesOf([{ path, source }]);
  const from = (target: string): string => `import { x } from '${target}';\n`;

  // [path, source, what the message says]
  const bad: [string, string, RegExp][] = [
    [
      'src/model/a.ts',
      from('../store/paths.ts'),
      /^src\/model\/a\.ts:1 imports \.\.\/store\/paths\.ts, which is in layer "store".*hooks\//,
    ],
    ['src/model/a.ts', from('../config/settings.ts'), /is in layer "config"; layer "model"/],
    ['src/model/a.ts', from('node:path'), /imports node:path, .*model\/ is pure/],
    ['src/model/a.ts', from('valibot'), /imports valibot, which is a package.*model\/ is pure/],
    [
      'src/model/a.ts',
      from('../version.ts'),
      /imports \.\.\/version\.ts, .*layer "model" may import only model/,
    ],
    ['src/model/a.ts', `\n\nconst a = process.env.HOME;\n`, /^src\/model\/a\.ts:3 model\/ uses process\.env/],
    ['src/model/a.ts', 'const { env } = process;\n', /model\/ uses process/],
    ['src/model/a.ts', 'const a = Date.now();\n', /model\/ uses Date\.now/],
    ['src/model/a.ts', 'const a = new Date();\n', /model\/ uses new Date\(\)/],
    ['src/model/a.ts', 'const a = Math.random();\n', /model\/ uses Math\.random/],
    ['src/model/a.ts', "const a = Buffer.from('x');\n", /model\/ uses Buffer\.from/],
    ['src/model/a.ts', 'export const a = (b: Buffer) => b;\n', /model\/ uses Buffer/],
    ['src/tags/a.ts', 'const a = performance.now();\n', /tags\/ uses performance\.now/],
    ['src/hosts/a.ts', 'const a = crypto.randomUUID();\n', /hosts\/ uses crypto\.randomUUID/],
    ['src/tags/a.ts', from('../store/git.ts'), /layer "tags" may import only tags, model/],
    ['src/tags/a.ts', from('../hosts/entry.ts'), /is in layer "hosts"; layer "tags"/],
    ['src/hosts/a.ts', from('../tags/escape.ts'), /is in layer "tags"; layer "hosts"/],
    ['src/store/a.ts', from('../config/settings.ts'), /is in layer "config"; layer "store".*config\//],
    ['src/store/a.ts', from('../tags/escape.ts'), /is in layer "tags"; layer "store"/],
    [
      'src/store/a.ts',
      "export type { X } from '../config/settings.ts';\n",
      /is in layer "config"; layer "store"/,
    ],
    ['src/store/a.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/replay/a.io.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/config/a.ts', from('../tags/escape.ts'), /is in layer "tags"; layer "config"/],
    ['src/config/a.ts', from('../hooks/snapshot.ts'), /is in layer "hooks"; layer "config"/],
    ['src/config/a.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/hooks/a.ts', from('node:fs/promises'), /imports node:fs\/promises, .*for platform\//],
    ['src/hooks/a.ts', from('fs'), /imports fs, .*for platform\//],
    ['src/cli/a.ts', from('node:child_process'), /imports node:child_process, .*only platform\//],
    [
      'src/cli/a.ts',
      "const os = await import('node:os');\n",
      /imports at run time node:os, .*only platform\//,
    ],
    ['src/index.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/index.ts', from('./hooks/run.ts'), /is in layer "hooks".*below the doors/],
    [
      'src/hooks/a.ts',
      from('../cli/main.ts'),
      /is in layer "cli"; layer "hooks".*doors never import each other/,
    ],
    [
      'src/cli/a.ts',
      from('../hooks/snapshot.ts'),
      /is in layer "hooks"; layer "cli".*doors never import each other/,
    ],
    ['src/cli/a.ts', "import type { X } from '../hooks/snapshot.ts';\n", /is in layer "hooks"; layer "cli"/],
    ['src/cli/a.ts', "const a = await import('../hooks/run.ts');\n", /at run time .*layer "cli"/],
    ['src/cli/a.ts', from('../index.ts'), /is in layer "library"; layer "cli"/],
    [
      'src/hooks/snapshot.ts',
      from('../store/apply.ts'),
      /"src\/store\/apply\.ts" in forbid of layer "hooks".*return an action/,
    ],
    ['src/hooks/start.ts', from('../store/claim.ts'), /only run-actions\.ts applies and takes them/],
    ['src/hooks/run-actions.ts', from('../platform/stdio.ts'), /only the entries read stdin and print/],
    [
      'src/hooks/run.ts',
      'process.exit(0);\n',
      /process\.exit: only src\/hooks\/start\.ts, src\/cli\/main\.ts/,
    ],
    ['src/store/a.ts', 'export const a = () => process.exit(1);\n', /process\.exit/],
    ['src/hooks/a.ts', 'export default function a() {}\n', /a default export/],
    ['src/hooks/a.ts', 'const a = 1;\nexport default a;\n', /^src\/hooks\/a\.ts:2 a default export/],
    ['src/hooks/a.ts', 'const a = 1;\nexport { a as default };\n', /a default export/],
    ['src/model/utils/a.ts', '', /a folder named utils/],
    ['src/store/lib/deep/a.ts', '', /a folder named lib/],
    ['src/things/a.ts', from('../model/json.ts'), /does not know this folder/],
    ['src/hooks/a.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['src/model/a.test.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['test/unit/a.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['scripts/a.mjs', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['src/model/a.test.ts', "vi.mock('./tier.ts');\n", /vi\.mock: no mocks/],
    ['test/hooks/a.test.ts', "vi.spyOn(console, 'log');\n", /vi\.spyOn: no mocks/],
    ['test/hooks/a.test.ts', "test.skip('x', () => {});\n", /test\.skip: a test runs/],
    ['test/hooks/a.test.ts', "describe.only('x', () => {});\n", /describe\.only: a test runs/],
    ['src/model/a.test.ts', "it.todo('x');\n", /it\.todo: a test runs/],
    ['src/model/a.test.ts', "test.concurrent.only('x', () => {});\n", /test\.concurrent\.only/],
    ['test/unit/a.test.ts', "test.skipIf(true)('x', () => {});\n", /test\.skipIf/],
    ['test/unit/a.test.ts', "test('x', (ctx) => ctx.skip());\n", /ctx\.skip: say by notRun\(\)/],
  ];
  test.each(bad)('finds what is wrong in %s: %j', (path, source, message) => {
    const breaches = one(path, source);
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toMatch(message);
  });

  // [path, source]
  const good: [string, string][] = [
    ['src/model/a.ts', from('./tier.ts')],
    ['src/model/a.ts', 'export const a = (ms: number) => new Date(ms).toISOString();\n'],
    ['src/model/a.ts', 'export const a = (text: string) => Date.parse(text) + Math.max(1, 2);\n'],
    [
      'src/model/a.ts',
      "// process.env, Date.now() and node:fs are not for us\nexport const a = 'process.exit(1)';\n",
    ],
    ['src/model/a.ts', 'export const a = (b: { process: number }) => b.process;\n'],
    ['src/tags/a.ts', `${from('../model/json.ts')}${from('./escape.ts')}`],
    ['src/hosts/a.ts', "import type { Event } from '../model/event.ts';\n"],
    ['src/store/a.ts', `${from('canonicalize')}${from('../model/json.ts')}${from('./files.ts')}`],
    ['src/config/a.ts', `${from('valibot')}${from('../store/paths.ts')}${from('../model/json.ts')}`],
    ['src/hooks/a.ts', `${from('../tags/escape.ts')}${from('../store/git.ts')}${from('../version.ts')}`],
    ['src/hooks/run-actions.ts', `${from('../store/apply.ts')}${from('../store/claim.ts')}`],
    ['src/hooks/start.ts', from('../platform/stdio.ts')],
    ['src/hooks/start.ts', 'process.exit(0);\n'],
    ['src/cli/main.ts', 'process.exit(2);\n'],
    ['src/cli/a.ts', `${from('../store/apply.ts')}${from('commander')}${from('node:path')}`],
    ['src/index.ts', `export { x } from './model/json.ts';\n${from('./store/transcript.ts')}`],
    ['src/hooks/a.ts', 'const a = 1;\n'.repeat(300)],
    ['src/model/a.test.ts', `${from('node:fs')}${from('../store/git.ts')}${from('vitest')}process.env.X;\n`],
    ['src/model/a.test.ts', 'const a = 1;\n'.repeat(300)],
    ['scripts/a.mjs', 'const a = 1;\n'.repeat(300)],
    ['test/unit/a.test.ts', `${from('../kit/not-run.ts')}test('x', (ctx) => ctx.skip());\n`],
    ['test/unit/a.test.ts', "test.each([1])('skip only todo', () => {});\n"],
    ['test/kit/a.ts', 'export default { port: 1 };\n'],
  ];
  test.each(good)('finds nothing wrong in %s: %j', (path, source) => {
    expect(one(path, source)).toEqual([]);
  });

  test('finds a cycle, and names its files', () => {
    const files = [
      { path: 'src/model/a.ts', source: from('./b.ts') },
      { path: 'src/model/b.ts', source: "import type { x } from './c.ts';\n" },
      { path: 'src/model/c.ts', source: "export const x = () => import('./a.ts');\n" },
      { path: 'src/model/d.ts', source: from('./a.ts') },
    ];
    expect(breachesOf(files)).toEqual([
      'src/model/a.ts:1 an import cycle: src/model/a.ts → src/model/b.ts → src/model/c.ts → src/model/a.ts; what two of them need goes to a file below both',
    ]);
    expect(breachesOf(files.slice(1))).toEqual([]);
  });

  test('finds every breach of a file', () => {
    const source = `${from('node:fs')}${from('../store/git.ts')}const a = Date.now();\nexport default a;\n`;
    expect(one('src/model/a.ts', source)).toHaveLength(4);
  });
});
