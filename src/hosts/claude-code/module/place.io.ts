// Finds the folder in which the hooks keep the state of a project, as they do: through the user's root entry.

import { listSlots, parseRootEntry } from '../../../platform/project/root-entry.ts';
import type { Client } from './client.ts';

const FOLDER = '.plimsoll';

/** Where the hooks keep what they know of the project. */
export interface Place {
  root: string;
  /** The state folder. */
  state: string;
  /** What was seen of the client on this machine. */
  learned: string;
  /** Files that settings come from: a snapshot that was not made from all of them is another one's. */
  sources: string[];
}

/** The folder above; '' above the top. */
const above = (path: string): string => path.replace(/[\\/]+[^\\/]*$/, '');

async function realOf($: Client, path: string): Promise<string> {
  try {
    return (await $.fs.stat(path, { resolve: true })).realPath ?? path;
  } catch {
    return path;
  }
}

/** The nearest folder with `.plimsoll` from the start up to the git top level, else the start. */
async function rootOf($: Client, start: string, home: string): Promise<string> {
  let nearest: string | null = null;
  for (let folder = start; folder !== '' && folder !== home; folder = above(folder)) {
    if (nearest === null && (await $.fs.exists(`${folder}/${FOLDER}`))) nearest = folder;
    if (await $.fs.exists(`${folder}/.git`)) return nearest ?? start;
  }
  return start;
}

/** The state folder that the hooks made for a root, in it or in the user's state folder; null where there is none yet. */
async function madeFor($: Client, root: string, user: string): Promise<string | null> {
  for (const slot of listSlots(root)) {
    const entry = parseRootEntry(await $.fs.read(`${user}/roots/${slot}.json`));
    if (entry?.root !== root) continue;
    for (const folder of [`${root}/${FOLDER}/${entry.state}`, `${user}/projects/${slot}`])
      if (await $.fs.exists(`${folder}/sessions`)) return folder;
    return null;
  }
  return null;
}

/** Null where the hooks have made nothing for the project yet. @throws where the user has no root entry */
export async function findPlace($: Client): Promise<Place | null> {
  const [own, profile, states, configs, client] = await Promise.all([
    $.env.get('HOME'),
    $.env.get('USERPROFILE'),
    $.env.get('XDG_STATE_HOME'),
    $.env.get('XDG_CONFIG_HOME'),
    $.env.get('CLAUDE_CONFIG_DIR'),
  ]);
  const home = own || profile || '';
  const user = `${states || `${home}/.local/state`}/plimsoll`;
  const start = await realOf($, await $.session.root());
  const root = await rootOf($, start, home === '' ? '' : await realOf($, home));
  const state = await madeFor($, root, user);
  if (state === null) return null;
  return {
    ...{ root, state },
    learned: `${user}/compaction-points.json`,
    sources: [
      `${state}/config.local.toml`,
      `${root}/${FOLDER}/config.toml`,
      `${configs || `${home}/.config`}/plimsoll/config.toml`,
      `${client || `${home}/.claude`}/settings.json`,
      `${root}/.claude/settings.json`,
      `${root}/.claude/settings.local.json`,
    ],
  };
}
