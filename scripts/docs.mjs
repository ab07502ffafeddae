// Writes what is made of the settings object: docs/settings.md, and the JSON Schema for editors.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-docs-'));
try {
  const outfile = join(folder, 'made.cjs');
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: `export { referenceText } from './src/config/reference.ts';
export { settingsSchemaText } from './src/config/schema.ts';`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'warning',
  });
  const { referenceText, settingsSchemaText } = createRequire(import.meta.url)(outfile);
  mkdirSync(join(ROOT, 'schema'), { recursive: true });
  for (const [path, text] of [
    ['docs/settings.md', referenceText()],
    ['schema/config.schema.json', settingsSchemaText()],
  ]) {
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
