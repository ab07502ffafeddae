// A stand-in for the client as our plugin module sees it; its disk is real, its figures are the test's.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../../src/hosts/claude-code/module/register.io.ts';

export interface Figures {
  root: string;
  env?: Record<string, string>;
  id?: string;
  model?: string;
  tokens?: number;
  window?: number;
  now?: number;
}

/** A client whose figures are read anew at every call. */
export const fakeClient = (figures: Figures): Client => ({
  session: {
    id: async () => figures.id ?? 'a',
    root: async () => figures.root,
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
    stat: async (path) => ({ realPath: realpathSync(path) }),
  },
});
