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
  'src/addons/tracks/commands/check-tracks.io.ts',
  'src/hosts/claude-code/install/files.io.ts',
  'src/hosts/claude-code/replay/replay-hooks.io.ts',
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
      'src/context/a.ts',
      from('../platform/read.ts'),
      /^src\/context\/a\.ts:1 imports \.\.\/platform\/read\.ts, which is in layer "platform"; layer "pure".*name it \*\.io\.ts/,
    ],
    ['src/context/a.ts', from('./a.io.ts'), /is in layer "io"; layer "pure"/],
    ['src/context/a.ts', from('node:path'), /imports node:path, .*the file is pure/],
    ['src/context/a.ts', from('valibot'), /imports valibot, which is a package.*the file is pure/],
    ['src/context/a.ts', from('./explain.command.ts'), /is in layer "commands"; layer "pure"/],
    ['src/context/a.ts', `\n\nconst a = process.env.HOME;\n`, /^src\/context\/a\.ts:3 uses process\.env/],
    ['src/context/a.ts', 'const { env } = process;\n', /uses process/],
    ['src/context/a.ts', 'const a = Date.now();\n', /uses Date\.now/],
    ['src/context/a.ts', 'const a = new Date();\n', /uses new Date\(\)/],
    ['src/context/a.ts', 'const a = Math.random();\n', /uses Math\.random/],
    ['src/context/a.ts', "const a = Buffer.from('x');\n", /uses Buffer\.from/],
    ['src/context/a.ts', 'export const a = (b: Buffer) => b;\n', /uses Buffer/],
    ['src/text/a.ts', 'const a = performance.now();\n', /uses performance\.now/],
    ['src/hosts/a.ts', 'const a = crypto.randomUUID();\n', /uses crypto\.randomUUID/],
    ['src/addons/tracks/a.ts', 'const a = Date.now();\n', /uses Date\.now/],
    ['src/text/a.ts', from('../context/tier.ts'), /layer "text" may import only text/],
    ['src/text/a.ts', from('../hosts/entry.ts'), /is in layer "hosts"; layer "text"/],
    ['src/platform/a.ts', from('../settings/settings.ts'), /layer "platform" may import only platform, text/],
    [
      'src/platform/a.ts',
      "export type { X } from '../sessions/session-state.ts';\n",
      /is in layer "pure"; layer "platform"/,
    ],
    ['src/sessions/a.io.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/replay/a.io.ts', from('node:fs'), /imports node:fs, .*only platform\//],
    ['src/settings/a.io.ts', from('./trust.command.ts'), /is in layer "commands"; layer "io"/],
    ['src/hook/a.io.ts', from('node:fs/promises'), /imports node:fs\/promises, .*for platform\//],
    ['src/hook/a.io.ts', from('fs'), /imports fs, .*for platform\//],
    ['src/cli/a.io.ts', from('node:child_process'), /imports node:child_process, .*only platform\//],
    [
      'src/doctor/a.command.ts',
      "const os = await import('node:os');\n",
      /imports at run time node:os, .*only platform\//,
    ],
    ['src/index.ts', from('node:fs'), /imports node:fs, .*below the doors/],
    ['src/index.ts', from('./hook/run.io.ts'), /is in layer "hook\/starts".*below the doors/],
    ['src/hook/a.io.ts', from('../cli/run.io.ts'), /is in layer "cli"; layer "hook"/],
    [
      'src/cli/a.io.ts',
      from('../hook/snapshot.io.ts'),
      /is in layer "hook"; layer "cli".*never import each other/,
    ],
    ['src/cli/a.io.ts', from('../index.ts'), /is in layer "library"; layer "cli"/],
    ['src/hook/start.io.ts', from('./claim.io.ts'), /only run-actions\.io\.ts applies and takes them/],
    ['src/hook/run-actions.io.ts', from('../platform/stdio.ts'), /only the starts read stdin and print/],
    [
      'src/hook/snapshot.io.ts',
      from('../platform/stdio.ts'),
      /which run-actions\.io\.ts and the starts see to/,
    ],
    [
      'src/hook/run.io.ts',
      'process.exit(0);\n',
      /process\.exit: only src\/hook\/start\.io\.ts, src\/cli\/main\.io\.ts/,
    ],
    ['src/sessions/a.io.ts', 'export const a = () => process.exit(1);\n', /process\.exit/],
    ['src/hook/a.io.ts', 'export default function a() {}\n', /a default export/],
    ['src/hook/a.io.ts', 'const a = 1;\nexport default a;\n', /^src\/hook\/a\.io\.ts:2 a default export/],
    ['src/hook/a.io.ts', 'const a = 1;\nexport { a as default };\n', /a default export/],
    ['src/context/utils/a.ts', '', /a folder named utils/],
    ['src/sessions/lib/deep/a.ts', '', /a folder named lib/],
    ['src/things/a.ts', '', /the design does not know the folder things/],
    ['src/hook/a.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['src/text/a.test.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['test/unit/a.ts', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['scripts/a.mjs', 'const a = 1;\n'.repeat(301), /301 lines: find the second concept/],
    ['src/text/a.test.ts', "vi.mock('./tier.ts');\n", /vi\.mock: no mocks/],
    ['test/hooks/a.test.ts', "vi.spyOn(console, 'log');\n", /vi\.spyOn: no mocks/],
    ['test/hooks/a.test.ts', "test.skip('x', () => {});\n", /test\.skip: a test runs/],
    ['test/hooks/a.test.ts', "describe.only('x', () => {});\n", /describe\.only: a test runs/],
    ['src/text/a.test.ts', "it.todo('x');\n", /it\.todo: a test runs/],
    ['src/text/a.test.ts', "test.concurrent.only('x', () => {});\n", /test\.concurrent\.only/],
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
    ['src/context/a.ts', from('./tier.ts')],
    ['src/context/a.ts', 'export const a = (ms: number) => new Date(ms).toISOString();\n'],
    ['src/context/a.ts', 'export const a = (text: string) => Date.parse(text) + Math.max(1, 2);\n'],
    [
      'src/context/a.ts',
      "// process.env, Date.now() and node:fs are not for us\nexport const a = 'process.exit(1)';\n",
    ],
    ['src/context/a.ts', 'export const a = (b: { process: number }) => b.process;\n'],
    ['src/context/a.ts', `${from('../text/json.ts')}${from('../hosts/entry.ts')}`],
    ['src/hosts/a.ts', "import type { Event } from './event.ts';\n"],
    [
      'src/sessions/a.io.ts',
      `${from('canonicalize')}${from('../text/json.ts')}${from('../platform/read.ts')}`,
    ],
    ['src/settings/a.ts', `${from('valibot')}${from('../text/json.ts')}`],
    [
      'src/hook/a.io.ts',
      `${from('../text/escape.ts')}${from('../platform/git-state.ts')}${from('../version.ts')}`,
    ],
    ['src/hook/run-actions.io.ts', `${from('./apply.io.ts')}${from('./claim.io.ts')}`],
    ['src/hook/start.io.ts', from('../platform/stdio.ts')],
    ['src/hook/start.io.ts', 'process.exit(0);\n'],
    ['src/cli/main.io.ts', 'process.exit(2);\n'],
    ['src/doctor/a.command.ts', `${from('../cli/output.io.ts')}${from('commander')}${from('node:path')}`],
    ['src/index.ts', `export { x } from './text/json.ts';\n${from('./hosts/transcript.io.ts')}`],
    ['src/hook/a.io.ts', 'const a = 1;\n'.repeat(300)],
    [
      'src/text/a.test.ts',
      `${from('node:fs')}${from('../platform/read.ts')}${from('vitest')}process.env.X;\n`,
    ],
    ['src/text/a.test.ts', 'const a = 1;\n'.repeat(300)],
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
      { path: 'src/context/a.ts', source: from('./b.ts') },
      { path: 'src/context/b.ts', source: "import type { x } from './c.ts';\n" },
      { path: 'src/context/c.ts', source: "export const x = () => import('./a.ts');\n" },
      { path: 'src/context/d.ts', source: from('./a.ts') },
    ];
    expect(breachesOf(files)).toEqual([
      'src/context/a.ts:1 an import cycle: src/context/a.ts → src/context/b.ts → src/context/c.ts → src/context/a.ts; what two of them need goes to a file below both',
    ]);
    expect(breachesOf(files.slice(1))).toEqual([]);
  });

  test('finds every breach of a file', () => {
    const source = `${from('node:fs')}${from('../platform/read.ts')}const a = Date.now();\nexport default a;\n`;
    expect(one('src/context/a.ts', source)).toHaveLength(4);
  });
});
