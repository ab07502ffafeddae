// Finds a project's state folder as the hooks do (`findRoot`, `placeState` of store/), through the user's root entry.
import { parseRootEntry, slotsOf } from '../../../platform/project/root-entry.ts';
import type { Client } from './client.ts';

const FOLDER = '.plimsoll';

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
  for (const slot of slotsOf(root)) {
    const entry = parseRootEntry(await $.fs.read(`${user}/roots/${slot}.json`));
    if (entry?.root !== root) continue;
    for (const folder of [`${root}/${FOLDER}/${entry.state}`, `${user}/projects/${slot}`])
      if (await $.fs.exists(`${folder}/sessions`)) return folder;
    return null;
  }
  return null;
}

/** Whether the settings that the hooks resolved last switch everything off. */
async function isDisabled($: Client, folder: string): Promise<boolean> {
  try {
    const snapshot = JSON.parse(await $.fs.read(`${folder}/config.snapshot.json`)) as {
      resolved: { settings: { enabled?: boolean } };
    };
    return snapshot.resolved.settings.enabled === false;
  } catch {
    return false;
  }
}

/** The state folder, or null where there is none or everything is switched off. Throws where the user has no root entry. */
export async function stateFolder($: Client): Promise<string | null> {
  const home = (await $.env.get('HOME')) || (await $.env.get('USERPROFILE')) || '';
  const user = `${(await $.env.get('XDG_STATE_HOME')) || `${home}/.local/state`}/plimsoll`;
  const start = await realOf($, await $.session.root());
  const root = await rootOf($, start, home === '' ? '' : await realOf($, home));
  const folder = await madeFor($, root, user);
  return folder === null || (await isDisabled($, folder)) ? null : folder;
}
