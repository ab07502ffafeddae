// Builds dist/: hook chunks (CommonJS, minified), the command line, the library and its types.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { askedOnce, LOADER, withoutDetours } from './chunk-code.mjs';
import { CHUNKS, EAGER, ENTRIES, LATE, RUN } from './chunks.mjs';
import { compiledAtOnce } from './eager.mjs';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Names of the values that a source file exports. @throws on an export in another form than these two */
function exportedBy(path) {
  const exports = readFileSync(path, 'utf8').match(/^export (?!type |interface ).+/gm) ?? [];
  return exports.flatMap((line) => {
    const [, name, names] =
      /^export (?:(?:(?:async )?function|const|class) (\w+)|\{ (.+) \} from)/.exec(line) ?? [];
    if (name === undefined && names === undefined)
      throw new Error(`${path}: a chunk cannot export "${line}"`);
    return name ?? names.split(', ');
  });
}

/**
 * Assigns the exports of a chunk: the bundler's getters for them take 400 bytes in each chunk, and time to run.
 *
 * Makes each dynamic import in a hook a chunk of its own: required when needed, never bundled in. It becomes a plain
 * `require`, because what a bundler makes of `import()` in CommonJS costs the hot entry 600 bytes and a turn of promises.
 */
const lazyChunks = {
  name: 'lazy-chunks',
  setup(builder) {
    builder.onResolve({ filter: /^chunk:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'chunk' }));
    builder.onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => {
      const { entry } = CHUNKS[path];
      const names = exportedBy(join(root, entry)).join(', ');
      return {
        contents: `import { ${names} } from './${entry}';\nmodule.exports = { ${names} };`,
        resolveDir: root,
      };
    });
    builder.onLoad(
      { filter: /src[\\/](?:(?:hooks|store)[\\/].*|cli[\\/]statusline[^\\/]*)\.ts$/, namespace: 'file' },
      ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(/\bimport\((?='\.)/g, 'require('),
        loader: 'ts',
      }),
    );
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, path, namespace }) => {
      if (namespace === 'chunk') return undefined;
      const chunk = basename(path, '.ts').replace(/\.io$/, '');
      if (kind === 'import-statement' && chunk in LATE) return { path: chunk, namespace: 'late' };
      if (kind !== 'require-call') return undefined;
      if (!(chunk in CHUNKS))
        return { errors: [{ text: `"${path}" is imported lazily but is no chunk in scripts/chunks.mjs` }] };
      return { path: `./${chunk}.cjs`, external: true };
    });
    builder.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: LATE[path]
        .map((name) => `export const ${name} = (...given) => require('./${path}.ts').${name}(...given);`)
        .join('\n'),
    }));
  },
};

/** The first text of every chunk; the bundler leaves it out where exports are assigned. */
const STRICT = '"use strict";';

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  define: { PLIMSOLL_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};

/** Returns the exports of a TypeScript file that needs nothing of Node. */
async function exportsOf(entry) {
  const { outputFiles } = await build({ ...shared, entryPoints: [entry], format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/**
 * The whole plugin, as the client installs it: nothing of it may lie outside its folder. Its `bin` is put on the PATH of
 * the agent's shell.
 */
async function buildPlugin(dist) {
  const folder = join(dist, 'plugin');
  const lib = join(folder, 'lib');
  cpSync(join(root, 'plugin'), folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), join(folder, 'THIRD-PARTY-LICENSES.txt'));
  mkdirSync(lib, { recursive: true });
  for (const name of [...Object.keys(CHUNKS), 'cli'])
    copyFileSync(join(dist, `${name}.cjs`), join(lib, `${name}.cjs`));
  chmodSync(join(folder, 'bin', 'plimsoll'), 0o755);
  const { pluginHooks } = await exportsOf('src/agents/claude-code-plugin.ts');
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks', 'hooks.json'), json(pluginHooks()));
  const manifest = join(folder, '.claude-plugin', 'plugin.json');
  writeFileSync(manifest, json({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
  // As it is written, not minified: the client reads from the source what a module asks for, and so may people.
  await build({
    ...shared,
    platform: 'neutral',
    target: 'es2022',
    entryPoints: { register: 'src/plugin/register.ts' },
    outdir: join(folder, 'hooks'),
    format: 'esm',
  });
}

export async function buildAll() {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const hooks = await build({
    ...shared,
    entryPoints: Object.fromEntries(
      Object.entries(CHUNKS).map(([name, { entry }]) => [name, RUN.includes(name) ? entry : `chunk:${name}`]),
    ),
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    write: false,
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
    // `import()` would start the ESM loader, which costs more than the whole hook.
    supported: { 'dynamic-import': false },
    plugins: [lazyChunks],
  });
  const { code: loader } = await transform(LOADER, { minify: true });
  mkdirSync(dist, { recursive: true });
  for (const { path, text: bundled } of hooks.outputFiles) {
    const name = basename(path);
    const text = bundled.startsWith(STRICT) ? bundled : STRICT + bundled;
    const plain = askedOnce(withoutDetours(text));
    const code = ENTRIES.includes(name) ? plain.replace(STRICT, STRICT + loader.trim()) : plain;
    writeFileSync(path, EAGER.includes(basename(name, '.cjs')) ? compiledAtOnce(code) : code);
  }
  const cli = await build({
    ...shared,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    // jsonc-parser's UMD build requires its parts by computed names; its ES modules bundle.
    mainFields: ['module', 'main'],
  });
  await build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    outdir: dist,
    format: 'esm',
    external: Object.keys(dependencies),
  });
  chmodSync(join(dist, 'cli.cjs'), 0o755);
  writeFileSync(
    join(dist, 'THIRD-PARTY-LICENSES.txt'),
    `${licences(root, [hooks.metafile, cli.metafile]).join('\n\n---\n\n')}\n`,
  );
  await buildPlugin(dist);
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
    {
      stdio: 'inherit',
    },
  );
  for (const [name, { limit }] of Object.entries(CHUNKS)) {
    const { size } = statSync(join(dist, `${name}.cjs`));
    if (size > limit)
      throw new Error(
        `dist/${name}.cjs has ${size} bytes, more than ${limit}: load what is cold in a chunk of its own`,
      );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildAll();
  for (const name of Object.keys(CHUNKS))
    console.log(`dist/${name}.cjs  ${statSync(join(root, 'dist', `${name}.cjs`)).size} bytes`);
}
