// Runs the status line on the input that a client gives it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Host, SESSION } from '../hooks/host.ts';
import { CLI, DIST } from '../kit/plimsoll.ts';

export const ENTRY = path.join(DIST, 'statusline.cjs');
export const now = (): string => new Date().toISOString();
/** Long enough ago for the line to be drawn after it. */
export const earlier = (): string => new Date(Date.now() - 10_000).toISOString();

export const usage = (tokens: number) => ({
  input_tokens: Math.min(tokens, 10),
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: Math.max(0, tokens - 10),
});
/** What the client sends; null tokens before the first answer, zeros after a compaction. */
export const frame = (host: Host, tokens: number | null, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
    workspace: { current_dir: host.project, project_dir: host.project },
    context_window: {
      context_window_size: 200_000,
      current_usage: tokens === null ? null : usage(tokens),
      used_percentage: tokens === null ? null : Math.round(tokens / 2_000),
    },
    ...more,
  })}\n`;

interface Shown {
  code: number | null;
  stdout: string;
  stderr: string;
}
const spawned = (host: Host, args: string[], input: string, env: Record<string, string> = {}): Shown => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: host.project,
    env: { ...host.env, NO_COLOR: '1', ...env },
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
};
export const show = (
  host: Host,
  input: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Shown => spawned(host, [ENTRY, ...args], input, env);
/** The same by the command line. */
export const plimsollStatusLine = (host: Host, input: string, ...args: string[]): Shown =>
  spawned(host, [CLI, 'statusline', ...args], input);
export const lineOf = (host: Host, tokens: number | null, more: Record<string, unknown> = {}): string => {
  const { code, stdout, stderr } = show(host, frame(host, tokens, more));
  expect(`${code} ${stderr}`).toBe('0 ');
  return stdout;
};
export const feedOf = (host: Host): Record<string, unknown> =>
  JSON.parse(readFileSync(host.state('sessions', SESSION, 'statusline.feed'), 'utf8')) as Record<
    string,
    unknown
  >;
