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
import { compiledAtOnce } from './eager.mjs';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What the hot entry loads only when it is needed, and how large each may be in bytes. */
export const CHUNKS = {
  hook: { entry: 'src/hooks/main.ts', limit: 6 * 1024 },
  respond: { entry: 'src/hooks/respond.ts', limit: 16 * 1024 },
  current: { entry: 'src/hooks/current.ts', limit: 4 * 1024 },
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
  capture: { entry: 'src/hooks/capture.ts', limit: 40 * 1024 },
  'missed-calls': { entry: 'src/hooks/missed-calls.ts', limit: 40 * 1024 },
  transient: { entry: 'src/store/transient.ts', limit: 40 * 1024 },
  'recent-diff': { entry: 'src/store/recent-diff.ts', limit: 40 * 1024 },
  'track-told': { entry: 'src/store/track-told.ts', limit: 40 * 1024 },
  // Loaded before a compaction, where a track is worked on.
  'keep-compaction': { entry: 'src/store/keep-compaction.ts', limit: 40 * 1024 },
  'track-start': { entry: 'src/hooks/track-start.ts', limit: 40 * 1024 },
  stop: { entry: 'src/hooks/stop.ts', limit: 40 * 1024 },
  guard: { entry: 'src/hooks/guard.ts', limit: 20 * 1024 },
  'guard-verdict': { entry: 'src/hooks/guard-verdict.ts', limit: 48 * 1024 },
  // Loaded where guardrails are on and there are tracks.
  'track-gate': { entry: 'src/store/track-gate.ts', limit: 40 * 1024 },
  changed: { entry: 'src/hooks/changed.ts', limit: 20 * 1024 },
  'changed-verdict': { entry: 'src/hooks/changed-verdict.ts', limit: 40 * 1024 },
  'look-now': { entry: 'src/store/look-now.ts', limit: 20 * 1024 },
  'stop-gate': { entry: 'src/hooks/stop-gate.ts', limit: 40 * 1024 },
  'subagent-stop': { entry: 'src/hooks/subagent-stop.ts', limit: 40 * 1024 },
  'session-end': { entry: 'src/hooks/session-end.ts', limit: 40 * 1024 },
  retention: { entry: 'src/store/retention.ts', limit: 40 * 1024 },
  sessions: { entry: 'src/store/sessions.ts', limit: 40 * 1024 },
  record: { entry: 'src/store/record.ts', limit: 40 * 1024 },
  // The YAML parser comes with it: loaded only after a compaction, where `state.auto_merge` asks for it.
  'merge-checkpoint': { entry: 'src/store/merge-checkpoint.ts', limit: 160 * 1024 },
  // The shell parser comes with it: loaded for a command that may change files, where guardrails are on.
  'command-changes': { entry: 'src/store/command-changes.ts', limit: 192 * 1024 },
  // Loaded for an edit of a file in a layer of `guardrails.architecture`.
  'unknown-path': { entry: 'src/model/guardrails/unknown-path.ts', limit: 20 * 1024 },
  tools: { entry: 'src/model/guardrails/tools.ts', limit: 20 * 1024 },
  unready: { entry: 'src/model/guardrails/unready.ts', limit: 20 * 1024 },
  reading: { entry: 'src/model/guardrails/reading.ts', limit: 20 * 1024 },
  architecture: { entry: 'src/model/guardrails/architecture.ts', limit: 20 * 1024 },
  'read-imports': { entry: 'src/model/guardrails/imports/read-imports.ts', limit: 40 * 1024 },
  // Loaded where a project has an ORCHESTRATION.yaml.
  outline: { entry: 'src/model/outline.ts', limit: 16 * 1024 },
  failures: { entry: 'src/store/failures.ts', limit: 40 * 1024 },
  feed: { entry: 'src/store/feed.ts', limit: 40 * 1024 },
  plugin: { entry: 'src/hooks/plugin.ts', limit: 24 * 1024 },
  settings: { entry: 'src/hooks/settings.ts', limit: 40 * 1024 },
  load: { entry: 'src/config/load.ts', limit: 40 * 1024 },
  statusline: { entry: 'src/cli/statusline-main.ts', limit: 40 * 1024 },
  redact: { entry: 'src/model/redact.ts', limit: 16 * 1024 },
  secrets: { entry: 'src/model/secrets.ts', limit: 40 * 1024 },
};

/**
 * Chunks whose functions others import in the usual way, though they need them seldom: such a chunk is loaded when one of
 * them is first called.
 */
const LATE = {
  architecture: ['judgeArchitecture'],
  'unknown-path': ['judgeUnknown'],
  tools: ['judgeTools'],
  unready: ['judgeTrackGate'],
  outline: ['outlineOf'],
  // Several chunks of one moment need it, and its expressions are made once.
  redact: ['redact', 'redactAll', 'redactDeep'],
  secrets: ['hide', 'hideAll', 'hideDeep'],
  checkpoints: ['checkCheckpoint', 'newestOf', 'readCheckpoint'],
};

/** What a client starts: these load the others. */
const ENTRIES = ['hook.cjs', 'plugin.cjs'];
/** Chunks of which most runs whenever they are loaded. */
const EAGER = [
  ...ENTRIES.map((name) => basename(name, '.cjs')),
  ...[
    'respond',
    'attend',
    'guard',
    'guard-verdict',
    'steady',
    'keep-compaction',
    'stop',
    'pre-compact',
    'session-end',
    'session-start',
    'left',
    'project',
  ],
  ...['record', 'checkpoints', 'statusline'],
];

/**
 * A dynamic import in a hook is a chunk of its own: required when needed, never bundled in. It is written as a plain
 * `require`, because what a bundler makes of `import()` in CommonJS costs the hot entry 600 bytes and a turn of promises.
 */
const lazyChunks = {
  name: 'lazy-chunks',
  setup(builder) {
    builder.onLoad(
      { filter: /src[\\/](?:(?:hooks|store)[\\/].*|cli[\\/]statusline[^\\/]*)\.ts$/ },
      ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(/\bimport\((?='\.)/g, 'require('),
        loader: 'ts',
      }),
    );
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const chunk = basename(path, '.ts');
      if (kind === 'import-statement' && chunk in LATE) return { path: chunk, namespace: 'late' };
      if (kind !== 'require-call') return undefined;
      if (!(chunk in CHUNKS))
        return { errors: [{ text: `"${path}" is imported lazily but is no chunk in scripts/build.mjs` }] };
      return { path: `./${chunk}.cjs`, external: true };
    });
    builder.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: LATE[path]
        .map((name) => `export const ${name} = (...given) => require('./${path}.ts').${name}(...given);`)
        .join('\n'),
    }));
  },
};

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

/** What a TypeScript file that needs nothing of Node exports. */
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
    const name = basename(path);
    const code = ENTRIES.includes(name)
      ? askedOnce(withoutDetours(text)).replace('"use strict";', `"use strict";${loader.trim()}`)
      : withoutDetours(text);
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
