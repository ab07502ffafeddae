// Collects the licence texts of the bundled packages, which their terms ask us to pass on.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns name, version and licence text of every package that was bundled in. */
export function licences(root, metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      // The innermost: a package may bring others of its own.
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder) folders.add(folder);
    }
  }
  return [...folders].sort().map((path) => {
    const folder = join(root, path);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENSE-MIT']
      .map(
        (file) =>
          statSync(join(folder, file), { throwIfNoEntry: false }) && readFileSync(join(folder, file), 'utf8'),
      )
      .find(Boolean);
    return `${about.name} ${about.version} (${about.license})\n\n${text || ''}`.trim();
  });
}
