// Runs the product as a user does: the built command line, in the sandbox's environment.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSyncFn } from 'synckit';
import type { Checkpoint } from '../../src/compaction/checkpoint/checkpoint.ts';
import { listProjectPaths } from '../../src/platform/project/paths.ts';
import type { SessionState } from '../../src/sessions/session-state.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
export const CLI = path.join(DIST, 'cli.cjs');
type Project = Pick<Sandbox, 'projectDir' | 'env'>;

/** The version that the client tests run; a client on PATH would be asked for its own. */
const CLIENT_VERSION = '2.1.332';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

type Call = { args: readonly string[]; cwd: string; env: Record<string, string | undefined> };

/** Runs `plimsoll …` in the project; nothing of this process's environment goes along. The bundle is loaded once. */
export function plimsoll({ env, projectDir }: Project, ...args: string[]): CliResult {
  const runInWorker = createSyncFn<(call: Call) => Promise<CliResult>>(
    new URL('cli-worker.mjs', import.meta.url),
  );
  return runInWorker({ args, cwd: projectDir, env });
}

/** The same as a process of its own. */
export function plimsollProcess({ env, projectDir }: Project, ...args: string[]): CliResult {
  const result = spawnSync(process.execPath, [CLI, ...args], { cwd: projectDir, env, encoding: 'utf8' });
  return { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr };
}

/** A sandbox whose project was protected by `plimsoll init`. */
export async function protectedSandbox(options: SandboxOptions & { version?: string }): Promise<Sandbox> {
  const sandbox = await createSandbox({
    ...options,
    settings: {
      permissions: {
        allow: ['Bash', 'Write', 'Edit', 'Read', 'TodoWrite', 'TaskCreate', 'TaskUpdate', 'Agent', 'Task'],
      },
      ...options.settings,
    },
  });
  const result = plimsoll(sandbox, 'init', '--yes', '--client-version', options.version ?? CLIENT_VERSION);
  if (result.code !== 0) {
    await sandbox.close();
    throw new Error(`plimsoll init failed: ${result.stderr}${result.stdout}`);
  }
  return sandbox;
}

/** The user's own settings, as a sandbox's `files` name them: a project may not loosen anything by itself. */
export const MINE = '../../home/.config/plimsoll/config.toml';

/** Where the state of the sandbox's project lies; where nothing was kept yet, a folder that is not there. */
export const stateFolder = ({ projectDir, env }: Project): string =>
  listProjectPaths(realpathSync(projectDir), env).state;

export function sessionStates(sandbox: Project): SessionState[] {
  const folder = path.join(stateFolder(sandbox), 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((id) => path.join(folder, id, 'state.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as SessionState);
}

export function checkpoints(sandbox: Project): Checkpoint[] {
  const folder = path.join(stateFolder(sandbox), 'checkpoints');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('-checkpoint.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Checkpoint);
}

/** Lines of the failure log: empty on a healthy run. */
export function failures(sandbox: Project): string[] {
  const file = path.join(stateFolder(sandbox), 'failures.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Takes one of the hooks out of the local settings, as if it had never been registered. */
export function unregister(sandbox: Sandbox, event: string): void {
  const file = path.join(sandbox.projectDir, '.claude', 'settings.local.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
  delete settings.hooks[event];
  sandbox.writeSettings(settings, 'local');
}

/** Builds once for a test run that was started without `npm run verify`. */
export function ensureBuilt(): void {
  if (existsSync(CLI)) return;
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
