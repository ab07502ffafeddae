// Reads from the headers of a patch which files it changes.

const named = (line: string): string =>
  line
    .replace(/\t.*$/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim();

const stripped = (path: string, strip: number): string => {
  let rest = path;
  for (let left = strip; left > 0 && rest.includes('/'); left--) rest = rest.replace(/^[^/]*\/+/, '');
  return rest;
};

/** Names of the changed files, `strip` leading parts taken off; null when no header is found. */
export function patchedFiles(text: string, strip: number): string[] | null {
  const files = new Set<string>();
  for (const line of text.split('\n')) {
    const header = /^(?:---|\+\+\+|\*\*\*) (\S.*)$/.exec(line);
    if (header && !/^\*\*\* \d/.test(line)) {
      const path = named(header[1] as string);
      if (path !== '/dev/null') files.add(stripped(path, strip));
    }
    const moved = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line);
    if (moved) files.add(named(moved[1] as string));
    const index = /^Index: (.+)$/.exec(line);
    if (index) files.add(named(index[1] as string));
    const git = /^diff --git a\/(.+) b\/(.+)$/.exec(line);
    if (git) files.add(named(git[2] as string));
  }
  return files.size > 0 ? [...files] : null;
}
