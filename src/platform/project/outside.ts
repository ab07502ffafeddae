// Says why a project's state is kept outside the project, what in `.plimsoll` is not ours, and what to do about it.

/** Why the state of a folder lies with the person, and not in the folder. */
export type Outside = 'no project' | 'another owner' | 'a link' | 'no folder' | 'read-only';

/** Why, and the way out; null where there is nothing to be done. */
export function outsideWords(outside: Outside | null): { why: string; next: string } | null {
  switch (outside) {
    case null:
    case 'no project':
      return null;
    case 'another owner':
      return {
        why: 'the project, or .plimsoll in it, belongs to another user',
        next: 'nothing needs to be done; to keep it in the project, work as its owner, or make .plimsoll your own (chown)',
      };
    case 'a link':
      return {
        why: '.plimsoll in the project, or the state folder in it, is a link, which could lead anywhere',
        next: 'put a folder in its place',
      };
    case 'no folder':
      return {
        why: '.plimsoll in the project, or the state folder in it, is no folder',
        next: 'remove what stands in its place',
      };
    case 'read-only':
      return {
        why: 'the project, or .plimsoll in it, cannot be written',
        next: 'nothing needs to be done; to keep it in the project, make .plimsoll writable',
      };
  }
}

/** What a project shares, and what commands put beside it while they change it. */
const SHARED = /^(?:\.gitignore|rules|(?:config\.toml|config\.schema\.json|quality\.md)(?:\..+)?)$/;

/** What lies in `.plimsoll` that is neither shared by the project nor our own state. */
export const foreignNames = (names: readonly string[], own: string): string[] =>
  names.filter((name) => name !== own && !SHARED.test(name)).sort();
