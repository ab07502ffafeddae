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
async function stateIn($: Client, root: string): Promise<string> {
  const own = `${root}/${FOLDER}`;
  let folder = await $.env.get('PLIMSOLL_STATE_DIR');
  if (!folder) {
    try {
      const snapshot = JSON.parse(await $.fs.read(`${own}/config.snapshot.json`)) as {
        resolved: { settings: { state_dir?: string } };
      };
      folder = snapshot.resolved.settings.state_dir;
    } catch {
      // the hooks have not been here yet, or keep none
    }
  }
  if (!folder || folder === FOLDER) return own;
  return /^(?:[\\/]|[A-Za-z]:)/.test(folder) ? folder : `${root}/${folder}`;
}

/**
 * The folder with the states of conversations, or null where the hooks have made none: the module makes none of its own,
 * for it would have to keep it out of git.
 */
export async function conversationsFolder($: Client): Promise<string | null> {
  const home = (await $.env.get('HOME')) || (await $.env.get('USERPROFILE'));
  const root = await rootOf($, await realOf($, await $.session.root()), home ? await realOf($, home) : null);
  return root === null ? null : `${await stateIn($, root)}/conversations`;
}
