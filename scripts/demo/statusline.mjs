// Prints the status line as the real client shows it at every tier, with its terminal colours, for picture.mjs:
//   node scripts/build.mjs && node scripts/demo/statusline.mjs | node scripts/demo/picture.mjs > docs/pictures/statusline.svg
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../install.mjs';
import { installClient } from '../install-client.mjs';

const orchestration = () => `workflow:
  id: ledger-rewrite
  status: ACTIVE
resumption:
  recovery_state:
    current_phase: 2
    updated_at: "${new Date().toISOString()}"
`;
/** A status line that a user may have already. */
const THEIRS = `printf '\\033[36m~/ledger\\033[0m on \\033[35mmain\\033[0m'`;
const FILLS = [24_000, 95_000, 121_000, 138_000, 149_000];

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-line-'));
await build({
  stdin: {
    contents:
      "export { createSandbox } from './test/kit/sandbox.ts'; export { openTerminal } from './test/kit/terminal.ts'; export { pause } from './test/kit/wait.ts';",
    resolveDir: ROOT,
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['vitest'],
  alias: { vitest: join(ROOT, 'node_modules/vitest/dist/index.js') },
  outfile: join(folder, 'kit.mjs'),
});
const { createSandbox, openTerminal, pause } = await import(pathToFileURL(join(folder, 'kit.mjs')).href);
const sandbox = await createSandbox({
  client: await installClient(),
  localSettings: { statusLine: { type: 'command', command: THEIRS } },
  script: {
    main: [
      ...FILLS.map((fill, n) => ({ text: `Answer ${n + 1}.`, fill })),
      { text: 'Answer 6.', fill: 41_000 },
    ],
  },
});
try {
  const init = ['init', '--yes', '--statusline', '--client-version', '2.1.332'];
  execFileSync(process.execPath, [join(ROOT, 'dist/cli.cjs'), ...init], {
    cwd: sandbox.projectDir,
    env: sandbox.env,
  });
  const terminal = await openTerminal(sandbox, ['--model', 'claude-sonnet-4-5']);
  /** Prints our line below the prompt with its colours; with a count of 2 also the user's own line above it. */
  const take = async (pattern, count = 1) => {
    await terminal.waitFor(pattern);
    await pause(400);
    const lines = terminal.screen({ escapes: true }).split('\n');
    const at = lines.findLastIndex((line) => pattern.test(line.replace(/\u001b\[[\d;]*m/g, '')));
    console.log(lines.slice(at + 1 - count, at + 1).join('\n'));
  };
  await take(/usage unknown/, 2);
  writeFileSync(join(sandbox.projectDir, 'ORCHESTRATION.yaml'), orchestration());
  for (const [n, tier] of ['NOMINAL', 'LOW', 'WARNING', 'CRITICAL', 'EMERGENCY'].entries()) {
    await terminal.type(`Go on, step ${n + 1}`);
    await take(new RegExp(`of ~167k ${tier}`));
  }
  await terminal.type('/compact');
  await take(/\(estimate\)/);
  await terminal.type('What is left?');
  await take(/ 24% of ~167k NOMINAL/);
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
