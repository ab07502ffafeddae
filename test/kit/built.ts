// Makes what the tests run, where `npm run verify` has not made it: the build, and the hooks as one module for hook-worker.mjs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ensureBuilt } from './plimsoll.ts';

const ROOT = new URL('../../', import.meta.url);

export async function setup(): Promise<void> {
  ensureBuilt();
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  await build({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: ['src/hook/run.io.ts'],
    outfile: '.cache/hooks/run.cjs',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { PLIMSOLL_VERSION: JSON.stringify(version) },
    logLevel: 'error',
  });
}
