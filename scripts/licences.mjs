// Collects the licence texts of the bundled packages, which their terms ask us to pass on.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns name, version and licence text of every package that was bundled in. */
export function licences(root, metafiles) {
  const names = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (name) names.add(name);
    }
  }
  return [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
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
