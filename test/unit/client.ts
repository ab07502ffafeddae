// A stand-in for the client as our plugin module sees it; its disk is real, its figures are the test's.
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../../src/hosts/claude-code/module/client.ts';

export interface Figures {
  root: string;
  env?: Record<string, string>;
  /** What command hooks find in their environment besides the plugin's folder. */
  hookEnv?: Record<string, string>;
  id?: string;
  model?: string;
  tokens?: number;
  window?: number;
  now?: number;
  /** The client's own settings. */
  settings?: Record<string, unknown>;
  /** What was started, and what it answers. */
  started?: Call[];
  answer?: (call: Call) => string;
  /** What the person was shown. */
  shown?: string[];
}

export interface Call {
  argv: readonly string[];
  stdin: Record<string, unknown> | null;
}

/** A client whose figures are read anew at every call. */
export const fakeClient = (figures: Figures): Client => ({
  session: {
    id: async () => figures.id ?? 'a',
    root: async () => figures.root,
    cwd: async () => figures.root,
    info: async () => ({ transcriptPath: `${figures.root}/t.jsonl`, promptId: 'p' }),
    model: async () => figures.model ?? '',
    usage: async () => ({
      context: {
        ...(figures.tokens === undefined ? {} : { tokens: figures.tokens }),
        ...(figures.window === undefined ? {} : { window: figures.window }),
      },
    }),
  },
  clock: { now: async () => figures.now ?? 1 },
  env: { get: async (name) => figures.env?.[name] },
  fs: {
    read: async (path) => readFileSync(path, 'utf8'),
    write: async (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    exists: async (path) => existsSync(path),
    stat: async (path) => {
      const { size, mtimeMs } = statSync(path);
      return { size, mtimeMs, realPath: realpathSync(path) };
    },
  },
  process: {
    run: async (argv, { stdin }) => {
      const call = { argv, stdin: stdin === undefined ? null : JSON.parse(stdin) };
      figures.started?.push(call);
      return { exitCode: 0, stdout: figures.answer?.(call) ?? '' };
    },
    hookEnv: async () => ({ CLAUDE_PLUGIN_ROOT: '/plugin', ...figures.hookEnv }),
  },
  settings: { read: async () => figures.settings ?? {} },
  ui: { log: (text) => void figures.shown?.push(text) },
});
