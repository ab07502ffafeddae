// Builds dist/: the bundles of hooks and status line (CommonJS, minified), the command line, the library and its types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * What the host starts, and what that loads when it is needed. Bundles of their own are also what tool calls need under
 * guardrails or with a track, the two parsers, the hosts besides the one that starts us, the charts of reports, and the
 * failure log, which tells of the others.
 */
export const BUNDLES = {
  hook: 'src/hook/main.io.ts',
  plugin: 'src/hook/plugin.io.ts',
  statusline: 'src/statusline/statusline-main.io.ts',
  fast: 'src/hook/run.io.ts',
  tools: 'src/addons/at-tools.io.ts',
  verdict: 'src/addons/guardrails/hook/verdict-bundle.io.ts',
  gate: 'src/addons/tracks/files/track-gate.io.ts',
  capture: 'src/addons/tracks/work-log/log-tool-calls.io.ts',
  full: 'src/hook/handle-event.io.ts',
  hosts: 'src/hosts/registry.io.ts',
  failures: 'src/platform/project/failures.ts',
  line: 'src/statusline/statusline.io.ts',
  shell: 'src/addons/guardrails/hook/parse-command.ts',
  yaml: 'src/addons/orchestration/merge-checkpoint.io.ts',
  cli: 'src/cli/main.io.ts',
  commands: 'src/cli/run.io.ts',
  report: 'src/report/page.ts',
};

const ANYTHING = /./;
const NOT_ASCII = /[^\0-\x7f]/g;

/** Leaves a dynamic import of another bundle's entry to that bundle. */
const acrossBundles = {
  name: 'across-bundles',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = Object.entries(BUNDLES).find(([, entry]) => join(root, entry) === join(resolveDir, path));
      return found && { path: `./${found[0]}.cjs`, external: true };
    });
  },
};

/** Commander loads what starts programs, which it does for no command of ours: loading it takes 5 ms. */
const withoutPrograms = {
  name: 'without-programs',
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    builder.onLoad({ filter: ANYTHING, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }));
  },
};

const isRegistration = (path) => /\/addons\/\w+\/index\.ts$/.test(path.replaceAll('\\', '/'));
/** What judges tool calls lies in an add-on's folder `hook/`; what else is needed there is a bundle of its own. */
const NOT_AT_TOOLS = /^(?!.*\/hook\/)/;
/** What an add-on registers for the command line alone. */
const OF_COMMANDS = /\/commands\/|\.command\.ts$|\/(?:check|status)-[\w-]+\.io\.ts$/;

/** Leaves what add-ons register to the bundles in which it is called: for the command line, or all of it. */
const without = (registered) => ({
  name: 'without-registered',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, importer, path }) =>
      kind === 'dynamic-import' && isRegistration(importer) && registered.test(path)
        ? { path: './commands.cjs', external: true }
        : undefined,
    );
  },
});

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
  for (const name of Object.keys(BUNDLES)) copyFileSync(join(dist, `${name}.cjs`), join(lib, `${name}.cjs`));
  chmodSync(join(folder, 'bin', 'plimsoll'), 0o755);
  const { buildHookScript, buildPluginHooks, UNLESS_SERVED } = await exportsOf(
    'src/hosts/claude-code/install/hooks.ts',
  );
  writeFileSync(join(lib, 'hook'), buildHookScript('plugin.cjs', 'node', `${UNLESS_SERVED}\n`));
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks', 'hooks.json'), json(buildPluginHooks()));
  const manifest = join(folder, '.claude-plugin', 'plugin.json');
  writeFileSync(manifest, json({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
  // As it is written, not minified: the client reads from the source what a module asks for, and so may people.
  await build({
    ...shared,
    platform: 'neutral',
    target: 'es2022',
    entryPoints: { register: 'src/hosts/claude-code/module/register.io.ts' },
    outdir: join(folder, 'hooks'),
    format: 'esm',
  });
}

/** What pi loads where this package is installed as one of pi's: it finds the bundles beside it. */
const PI_PACKAGE = `// Plimsoll for pi, as a package of pi's: "pi remove" with the package's name removes it.
import module from 'node:module';

export default (pi) => {
  try {
    const load = module.createRequire(import.meta.url);
    load('./hosts.cjs').attach('pi', pi, load('./fast.cjs').runHook);
  } catch {
    // a bundle is gone: silence
  }
};
`;

const IS_OLD = 'parseInt(process.versions.node,10)<20';
const SAY_OLD =
  'console.error("plimsoll: this is Node "+process.version+"; 20.19 or later is needed\\nNext: install a newer Node");';

/** esbuild leaves the characters of regular expressions alone; text of ASCII alone is read and compiled in two thirds of the time. */
const escapeToAscii = (code) =>
  code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export async function buildAll() {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const { capture, cli, commands, full, hook, plugin, statusline, tools, ...others } = BUNDLES;
  const kinds = [
    // An old Node may stand on the PATH: it has to understand what tells it to do nothing.
    {
      entryPoints: { hook, plugin, statusline },
      target: 'es2015',
      banner: { js: `if(${IS_OLD})process.exit(0);` },
    },
    { entryPoints: { cli }, target: 'es2015', banner: { js: `if(${IS_OLD}){${SAY_OLD}process.exit(1)}` } },
    { entryPoints: others, plugins: [acrossBundles, without(ANYTHING)] },
    { entryPoints: { tools }, plugins: [acrossBundles, without(NOT_AT_TOOLS)] },
    { entryPoints: { capture, full }, plugins: [acrossBundles, without(OF_COMMANDS)] },
    { entryPoints: { commands }, plugins: [acrossBundles, withoutPrograms] },
  ];
  const options = {
    ...shared,
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    // `import()` would start the ESM loader, which costs more than a whole hook.
    supported: { 'dynamic-import': false },
    // jsonc-parser's UMD build requires its parts by computed names; its ES modules bundle.
    mainFields: ['module', 'main'],
  };
  const made = createHash('sha256');
  for (const kind of kinds) {
    const { outputFiles } = await build({ ...options, ...kind, write: false });
    for (const { contents } of outputFiles) made.update(contents);
  }
  const define = { ...shared.define, PLIMSOLL_BUILD: JSON.stringify(made.digest('hex').slice(0, 12)) };
  const metafiles = [];
  for (const kind of kinds) {
    const { metafile, outputFiles } = await build({ ...options, ...kind, define, write: false });
    metafiles.push(metafile);
    for (const { path, text } of outputFiles) writeFileSync(path, escapeToAscii(text));
  }
  await build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    outdir: dist,
    format: 'esm',
    external: Object.keys(dependencies),
    plugins: [without(ANYTHING)],
  });
  chmodSync(join(dist, 'cli.cjs'), 0o755);
  writeFileSync(join(dist, 'pi.js'), PI_PACKAGE);
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), `${licences(root, metafiles).join('\n\n---\n\n')}\n`);
  await buildPlugin(dist);
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
    {
      stdio: 'inherit',
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildAll();
  for (const name of Object.keys(BUNDLES))
    console.log(`dist/${name}.cjs  ${statSync(join(root, 'dist', `${name}.cjs`)).size} bytes`);
}
