// Generates docs/settings.md and the JSON Schema for editors from the settings object, and parts of docs/guardrails.md
// from the guardrails and their tests, the table of docs/hosts.md, and the map in ARCHITECTURE.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withMap } from './house/map.mjs';
import { ROOT } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-docs-'));
try {
  const outfile = join(folder, 'made.cjs');
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: `export { formatReference } from './src/settings/reference.io.ts';
export { formatSettingsSchema } from './src/settings/allowed.ts';
export { pageWith } from './test/unit/guardrails/page.ts';
export { withHolds } from './test/hosts/holds.ts';`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'warning',
  });
  const { formatReference, formatSettingsSchema, pageWith, withHolds } = createRequire(import.meta.url)(
    outfile,
  );
  mkdirSync(join(ROOT, 'schema'), { recursive: true });
  for (const [path, text] of [
    ['docs/settings.md', formatReference()],
    ['schema/config.schema.json', formatSettingsSchema()],
    ['ARCHITECTURE.md', withMap(ROOT, readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))],
    ['docs/hosts.md', withHolds(readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8'))],
    ['docs/guardrails.md', pageWith(readFileSync(join(ROOT, 'docs/guardrails.md'), 'utf8'))],
  ]) {
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
