// Finds a Node 22 beside the one that runs the tests; installs it once from the registry where possible.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '22.23.3';
const FOLDER = fileURLToPath(new URL('../../.cache/node22/', import.meta.url));
const NODE = path.join(FOLDER, 'package', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Path of its program, or why there is none. */
export function node22(): { node: string } | { fault: string } {
  try {
    if (!existsSync(NODE)) {
      mkdirSync(FOLDER, { recursive: true });
      const platform = process.platform === 'win32' ? 'win' : process.platform;
      const name = `node-${platform}-${process.arch}@${VERSION}`;
      execFileSync('npm', ['pack', name, '--silent'], { cwd: FOLDER, stdio: 'pipe', timeout: 120_000 });
      const file = readdirSync(FOLDER).find((each) => each.endsWith('.tgz')) ?? '';
      execFileSync('tar', ['xzf', file], { cwd: FOLDER, stdio: 'pipe' });
    }
    const found = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
    return found === `v${VERSION}` ? { node: NODE } : { fault: `${NODE} is ${found}` };
  } catch (error) {
    return { fault: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}
