// Finds another Node beside the one that runs the tests; installs it once from the registry where possible.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The next version of Node, and one that is far too old for us. */
export const NODE_22 = '22.23.3';
export const NODE_12 = '12.22.12';

/** Path of the program of a version, or why there is none. */
export function otherNode(version: string): { node: string } | { fault: string } {
  const folder = fileURLToPath(new URL(`../../.cache/node${version.split('.')[0]}/`, import.meta.url));
  const node = path.join(folder, 'package', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  try {
    if (!existsSync(node)) {
      mkdirSync(folder, { recursive: true });
      const platform = process.platform === 'win32' ? 'win' : process.platform;
      const name = `node-${platform}-${process.arch}@${version}`;
      execFileSync('npm', ['pack', name, '--silent'], { cwd: folder, stdio: 'pipe', timeout: 120_000 });
      const file = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? '';
      execFileSync('tar', ['xzf', file], { cwd: folder, stdio: 'pipe' });
    }
    const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    return found === `v${version}` ? { node } : { fault: `${node} is ${found}` };
  } catch (error) {
    return { fault: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}
