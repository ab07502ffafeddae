// Builds dist/: hook chunks (CommonJS, minified), the command line, the library and its types.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What the hot entry loads only when it is needed, and how large each may be in bytes. */
export const CHUNKS = {
  hook: { entry: 'src/hooks/main.ts', limit: 20 * 1024 },
  steady: { entry: 'src/hooks/steady.ts', limit: 40 * 1024 },
  attend: { entry: 'src/hooks/attend.ts', limit: 40 * 1024 },
  turn: { entry: 'src/hooks/turn.ts', limit: 40 * 1024 },
  'pre-compact': { entry: 'src/hooks/pre-compact.ts', limit: 40 * 1024 },
  alert: { entry: 'src/hooks/alert.ts', limit: 40 * 1024 },
  checkpoint: { entry: 'src/hooks/checkpoint.ts', limit: 40 * 1024 },
  checkpoints: { entry: 'src/store/checkpoints.ts', limit: 40 * 1024 },
  'checkpoint-files': { entry: 'src/store/checkpoint-files.ts', limit: 40 * 1024 },
  'session-start': { entry: 'src/hooks/session-start.ts', limit: 40 * 1024 },
  project: { entry: 'src/hooks/project.ts', limit: 40 * 1024 },
  resume: { entry: 'src/hooks/resume.ts', limit: 40 * 1024 },
  left: { entry: 'src/store/left.ts', limit: 40 * 1024 },
  workflow: { entry: 'src/hooks/workflow.ts', limit: 40 * 1024 },
  stop: { entry: 'src/hooks/stop.ts', limit: 40 * 1024 },
  'stop-gate': { entry: 'src/hooks/stop-gate.ts', limit: 40 * 1024 },
  'subagent-stop': { entry: 'src/hooks/subagent-stop.ts', limit: 40 * 1024 },
  'session-end': { entry: 'src/hooks/session-end.ts', limit: 40 * 1024 },
  retention: { entry: 'src/store/retention.ts', limit: 40 * 1024 },
  // The YAML parser comes with it: loaded only after a compaction, where `state.auto_merge` asks for it.
  'merge-checkpoint': { entry: 'src/store/merge-checkpoint.ts', limit: 160 * 1024 },
  failures: { entry: 'src/store/failures.ts', limit: 40 * 1024 },
  settings: { entry: 'src/hooks/settings.ts', limit: 40 * 1024 },
};

/**
 * A dynamic import in a hook is a chunk of its own: required when needed, never bundled in. It is written as a plain
 * `require`, because what a bundler makes of `import()` in CommonJS costs the hot entry 600 bytes and a turn of promises.
 */
const lazyChunks = {
  name: 'lazy-chunks',
  setup(builder) {
    builder.onLoad({ filter: /src[\\/](?:hooks|store)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bimport\((?='\.)/g, 'require('),
      loader: 'ts',
    }));
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      if (kind !== 'require-call') return undefined;
      const chunk = basename(path, '.ts');
      if (!(chunk in CHUNKS))
        return { errors: [{ text: `"${path}" is imported lazily but is no chunk in scripts/build.mjs` }] };
      return { path: `./${chunk}.cjs`, external: true };
    });
  },
};

/**
 * How a hook loads its chunks: read, compiled and run once, without what Node does to find a module, which costs a
 * process of 25 ms one of them for every chunk. Built-in modules go the usual way.
 */
const LOADER = `require = ((builtin) => {
  const loaded = {};
  const load = (id) => {
    if (id[0] !== '.') return builtin(id);
    if (loaded[id]) return loaded[id].exports;
    const { readFileSync } = builtin('node:fs');
    const { compileFunction } = builtin('node:vm');
    const module = { exports: {} };
    const filename = __dirname + id.slice(1);
    const run = compileFunction(readFileSync(filename, 'utf8'), ['exports', 'require', 'module'], { filename });
    loaded[id] = module;
    run(module.exports, load, module);
    return module.exports;
  };
  return load;
})(require);`;

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

/** Licences of everything that was bundled in, as their terms ask. */
function licences(metafiles) {
  const names = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (name) names.add(name);
    }
  }
  return [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENSE-MIT']
      .map(
        (file) =>
          statSync(join(folder, file), { throwIfNoEntry: false }) && readFileSync(join(folder, file), 'utf8'),
      )
      .find(Boolean);
    return `${about.name} ${about.version} (${about.license})\n\n${text || ''}`.trim();
  });
}

export async function buildAll() {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const hooks = await build({
    ...shared,
    entryPoints: Object.fromEntries(Object.entries(CHUNKS).map(([name, { entry }]) => [name, entry])),
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    write: false,
    // `import()` would start the ESM loader, which costs more than the whole hook.
    supported: { 'dynamic-import': false },
    plugins: [lazyChunks],
  });
  const { code: loader } = await transform(LOADER, { minify: true });
  mkdirSync(dist, { recursive: true });
  for (const { path, text } of hooks.outputFiles) {
    writeFileSync(
      path,
      basename(path) === 'hook.cjs' ? text.replace('"use strict";', `"use strict";${loader.trim()}`) : text,
    );
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
    `${licences([hooks.metafile, cli.metafile]).join('\n\n---\n\n')}\n`,
  );
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
