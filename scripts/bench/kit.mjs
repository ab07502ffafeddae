// How does a plain script use the test kit, which is TypeScript and made for vitest?
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The kit asks vitest for one thing only: where the client is. Here every sandbox is told by itself. */
const withoutVitest = {
  name: 'without-vitest',
  setup(builder) {
    builder.onResolve({ filter: /^vitest$/ }, ({ path }) => ({ path, namespace: 'stub' }));
    builder.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
      contents: 'export const inject = () => undefined;',
    }));
  },
};

/** Bundles the kit into `folder` and imports it. */
export async function loadKit(root, folder) {
  const outfile = join(folder, 'kit.mjs');
  await build({
    stdin: {
      contents: ['sandbox', 'client', 'requests'].map((name) => `export * from './${name}.ts';`).join('\n'),
      resolveDir: join(root, 'test', 'kit'),
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outfile,
    plugins: [withoutVitest],
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
