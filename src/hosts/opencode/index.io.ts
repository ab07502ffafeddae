// opencode and Kilo, whole: each is one object, and both load the same plugin.

import { join } from 'node:path';
import { type Env, findHome } from '../../platform/project/paths.ts';
import type { Host } from '../host.ts';
import { type HostEntry, INSIDE, INSIDE_HOST } from '../host-entry.ts';
import { createSetup } from '../inside.io.ts';
import { ownEntries, ownFacts, readOwnSession } from '../own-lines.ts';
import { createOwnFinder } from '../own-transcript.io.ts';
import { attachOpencode, type OpencodeInput } from './plugin.ts';

const configFolder = (env: Env): string => env.XDG_CONFIG_HOME || join(findHome(env), '.config');

function createEntry(name: string, title: string, folder: string): HostEntry {
  const host: Host = {
    ...INSIDE,
    ...INSIDE_HOST,
    name,
    facts: ownFacts,
    entries: ownEntries,
    sessions: { ...INSIDE_HOST.sessions, readSession: readOwnSession },
    load: async () => host,
  };
  return {
    title,
    host,
    transcripts: createOwnFinder(name),
    // `opencode run` has nobody in front of it.
    attach: (api, ask, report) =>
      attachOpencode(api as OpencodeInput, ask, report, process.argv.includes('run')),
    readShell: (env): Env => (env[name.toUpperCase()] === '1' ? { HOST_AGENT: name } : {}),
    setup: createSetup(
      name,
      {
        findFolder: (env) => join(configFolder(env), folder),
        findFile: (scope, root, env) =>
          join(
            scope === 'user' ? join(configFolder(env), folder) : join(root, `.${folder}`),
            'plugin',
            'plimsoll.js',
          ),
      },
      `export const Plimsoll = async (input) => begin('${name}', input) ?? {};`,
    ),
  };
}

export const opencodeEntry = createEntry('opencode', 'opencode', 'opencode');
export const kiloEntry = createEntry('kilo', 'Kilo', 'kilo');
