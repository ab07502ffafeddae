// Helpers for tests of the plugin on the real client: a sandbox, its usage frames, and what `plimsoll status` says.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { UsageSample } from '../../src/context/client-usage.ts';
import { CLI, DIST, stateFolder } from '../kit/plimsoll.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../kit/sandbox.ts';

export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const PLUGIN = path.join(DIST, 'plugin');
export const withPlugin = ['--plugin-dir', PLUGIN];

interface Measured {
  event: string;
  tokens: number | null;
  source: string;
  window: number;
  windowSource: string;
}

/** Hooks of the test's own, which ask `plimsoll status` at every moment; what they were told is in `measured`. */
export function asking(events: readonly string[]): Record<string, unknown> {
  const hook = (event: string) => {
    const status = `"${process.execPath}" "${CLI}" status --json`;
    return {
      type: 'command',
      // One write for the whole line: an agent's hooks run beside the main session's.
      command: `printf '%s\\t%s\\n' '${event}' "$(${status} | tr -d '\\n')" >> "$HOME/asked"`,
    };
  };
  const entry = (event: string) => [event, [{ hooks: [hook(event)] }]];
  return { hooks: Object.fromEntries(events.map(entry)), permissions: { allow: ['Bash', 'Agent', 'Task'] } };
}

export function measured(sandbox: Sandbox): Measured[] {
  const lines = readFileSync(path.join(sandbox.home, 'asked'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [event = '', told = ''] = line.split('\t');
    const { usage, window } = JSON.parse(told);
    const { tokens, source } = usage;
    return {
      event,
      tokens,
      source,
      window: window.tokens,
      windowSource: window.source,
    };
  });
}

export async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({
    settings: { permissions: { allow: ['Bash', 'Agent', 'Task'] } },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function framesIn(folder: string): UsageSample[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((id) => path.join(folder, id, 'module.feed'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as UsageSample);
}
export const frames = (sandbox: Sandbox): UsageSample[] =>
  framesIn(path.join(stateFolder(sandbox), 'sessions'));
