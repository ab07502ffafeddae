// Runs the real client in a terminal and reads what it shows a person.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { clientPath, findProgram } from './programs.ts';
import type { Sandbox } from './sandbox.ts';
import { pause, until } from './wait.ts';

export type Terminal = {
  /** The process in the pane: the client. */
  pid: number;
  /** What it shows now; with escapes, its colours too. */
  screen(options?: { escapes?: boolean }): string;
  /** Types a line and presses Enter. */
  type(text: string): Promise<void>;
  /** tmux key names: Escape, C-c, Up, Enter ... */
  key(...keys: string[]): void;
  /** Waits until the screen matches, and returns the screen. */
  waitFor(pattern: RegExp, options?: { timeoutMs?: number }): Promise<string>;
  close(): Promise<void>;
};

const session = 'client';

export const hasTmux = (): boolean => findProgram('tmux') !== undefined;

/**
 * The tmux server is this terminal's own, under a socket inside the sandbox, so that nobody else's sessions are
 * near, and so that it never meets the server of a terminal that was closed a moment ago: that one still listens
 * while it goes ("server exited unexpectedly").
 * `env -i` keeps tmux from adding its own variables, by which the client would know that it runs there.
 */
export async function openTerminal(sandbox: Sandbox, args: readonly string[] = []): Promise<Terminal> {
  const program = findProgram('tmux');
  if (!program) throw new Error('no tmux in PATH');
  const socket = path.join(mkdtempSync(path.join(sandbox.root, 'tmux-')), 's');
  const tmux = (...command: string[]) =>
    execFileSync(program, ['-u', '-S', socket, ...command], {
      env: sandbox.env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const variables = Object.entries(sandbox.env).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-i', ...variables, sandbox.client ?? clientPath(), ...args];
  const size = ['-x', '140', '-y', '50'];
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', session, ...size, '-c', sandbox.projectDir, ...command);
  const pid = Number(tmux('display-message', '-p', '-t', session, '#{pane_pid}'));

  const screen: Terminal['screen'] = ({ escapes = false } = {}) => {
    try {
      return tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []), '-t', session);
    } catch {
      // The client has ended and took the pane with it.
      return '';
    }
  };
  const isOpen = () => {
    try {
      tmux('has-session', '-t', session);
      return true;
    } catch {
      return false;
    }
  };
  const terminal: Terminal = {
    pid,
    screen,
    key: (...keys) => void tmux('send-keys', '-t', session, ...keys),
    async type(text) {
      tmux('send-keys', '-t', session, '-l', '--', text);
      // Enter in one burst with the text would count as part of a paste and only break the line.
      await pause(200);
      const tail = withoutSpace(text).slice(-20);
      await until(() => withoutSpace(screen()).includes(tail), {
        what: `${JSON.stringify(text)} to be typed`,
      });
      await pause(100);
      tmux('send-keys', '-t', session, 'Enter');
    },
    waitFor: (pattern, { timeoutMs = 40_000 } = {}) =>
      until(() => (screen().search(pattern) >= 0 ? screen() : ''), {
        timeoutMs,
        what: `${pattern} on the screen`,
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}, which shows:\n${screen()}`);
      }),
    async close() {
      // What a closed window sends. tmux reaps the client and goes with it, which is how we know it is gone.
      if (isOpen()) signal(pid, 'SIGHUP');
      await until(() => !isOpen(), { timeoutMs: 3_000 }).catch(() => {
        signal(pid, 'SIGKILL');
        if (isOpen()) tmux('kill-server');
      });
    },
  };
  sandbox.beforeClose(terminal.close);
  return terminal;
}

/** The screen breaks long lines where it likes. */
const withoutSpace = (text: string): string => text.replace(/\s/g, '');

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It went in the meantime.
  }
}
