// Claude Code, its hooks each a process or the plugin's module inside it, as the scenario of all hosts drives it.
import path from 'node:path';
import { openSession } from '../kit/client.ts';
import { DIST, MINE, protectedSandbox } from '../kit/plimsoll.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../kit/sandbox.ts';
import type { HostDriver } from './scenario.ts';

/** A session without a terminal is handed work only where the person wants that. */
const CONFIG = '[resume]\nheadless = true\n';

const driveClaudeCode = (
  open: (options: SandboxOptions) => Promise<Sandbox>,
  args: readonly string[],
): HostDriver => ({
  window: 200_000,
  limit: 117_000,
  makesFolders: true,
  open: ({ script, files }) =>
    open({
      script,
      files: { [MINE]: CONFIG, ...files },
      git: true,
      env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' },
    }),
  async start(sandbox, how = 'new') {
    const again = how === 'again' ? ['--continue'] : [];
    const session = openSession(sandbox as Sandbox, ['--model', 'claude-sonnet-4-5', ...args, ...again]);
    return {
      say: async (text) => void (await session.say(text)),
      end: async () => void (await session.end()),
      kill: async () => {
        process.kill(session.pid, 'SIGKILL');
      },
    };
  },
  run: (command) => ({ name: 'Bash', input: { command, description: 'a step' } }),
  write: (file, content) => ({ name: 'Write', input: { file_path: file, content } }),
});

export const claudeCode = driveClaudeCode(protectedSandbox, []);
/** With the plugin alone: nothing in settings. */
export const claudePlugin = driveClaudeCode(
  (options) => createSandbox({ ...options, settings: { permissions: { allow: ['Bash', 'Write'] } } }),
  ['--plugin-dir', path.join(DIST, 'plugin')],
);
