// Makes the test kit, which is TypeScript and made for vitest, usable from a plain script.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Replaces vitest, which the kit only asks where the client is; here each sandbox gets the client as an option. */
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
