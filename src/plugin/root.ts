// Where does the module write, so that the hooks find it? It asks the disk as `findRoot` of store/paths.ts does.
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

/** The root whose `.plimsoll` holds the state of a conversation that runs in a folder; null where there is none yet. */
async function rootOf($: Client, start: string, home: string | null): Promise<string | null> {
  for (let folder = start; folder !== '' && folder !== home; folder = above(folder)) {
    if (await $.fs.exists(`${folder}/${FOLDER}`)) return folder;
    if (await $.fs.exists(`${folder}/.git`)) break;
  }
  return null;
}

/** The settings as the hooks resolved them; they keep them in the project's own folder, wherever its state is. */
async function stateIn($: Client, root: string): Promise<string | null> {
  const own = `${root}/${FOLDER}`;
  let folder = await $.env.get('PLIMSOLL_STATE_DIR');
  try {
    const snapshot = JSON.parse(await $.fs.read(`${own}/config.snapshot.json`)) as {
      resolved: { settings: { enabled?: boolean; state_dir?: string } };
    };
    const { enabled, state_dir } = snapshot.resolved.settings;
    if (enabled === false) return null;
    folder ||= state_dir;
  } catch {
    // the hooks have not been here yet, or keep none
  }
  if (!folder || folder === FOLDER) return own;
  return /^(?:[\\/]|[A-Za-z]:)/.test(folder) ? folder : `${root}/${folder}`;
}

/** The folder with our state, or null where there is none, or nothing is to be kept. */
export async function stateFolder($: Client): Promise<string | null> {
  const home = (await $.env.get('HOME')) || (await $.env.get('USERPROFILE'));
  const root = await rootOf($, await realOf($, await $.session.root()), home ? await realOf($, home) : null);
  return root === null ? null : stateIn($, root);
}
