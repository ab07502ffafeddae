// The person's own note of where a project's state lies: its file name, made from the root, and its content.

export interface RootEntry {
  /** The real path of the root, which settles a collision of names. */
  root: string;
  /** Name of the state folder in the project's `.plimsoll`. */
  state: string;
}

/** Nobody can guess it: 96 bits of chance. */
const STATE_NAME = /^state-[0-9a-f]{24}$/;

const isStateName = (name: string): boolean => STATE_NAME.test(name);

/** So many roots may share a hash before none is given a place any more; somebody would have to make them so. */
const MOST_ALIKE = 9;

/** Two cheap hashes in one: every hook asks, and a library of cryptography would cost it more than all the rest. */
function hashOf(root: string): string {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let at = 0; at < root.length; at++) {
    one = Math.imul(one ^ root.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ root.charCodeAt(at), 0x5bd1e995);
  }
  return [one, other].map((each) => (each >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The names under which the note on a root may stand; it stands under the first that is not another root's. */
export function listSlots(root: string): string[] {
  const hash = hashOf(root);
  return Array.from({ length: MOST_ALIKE }, (_, at) => (at === 0 ? hash : `${hash}-${at + 1}`));
}

/** What a note says; null for anything else. */
export function parseRootEntry(text: string): RootEntry | null {
  try {
    const { root, state } = JSON.parse(text) as Partial<RootEntry>;
    return typeof root === 'string' && typeof state === 'string' && isStateName(state)
      ? { root, state }
      : null;
  } catch {
    return null;
  }
}
