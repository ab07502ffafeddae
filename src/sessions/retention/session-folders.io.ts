// Measures what sessions have left in artifacts/sessions/; we never remove it, because people may commit it.
import { dirname, join } from 'node:path';
import { sessionFolder, TRANSIENT_NAMES } from '../../addons/tracks/layout.ts';
import { namesIn, stampOf } from '../../platform/look.ts';

/** Number of session folders, and bytes of the transient files in them. */
export function sessionFolders(root: string): { conversations: number; bytes: number } {
  const folder = join(root, dirname(sessionFolder('x')));
  const sizes = namesIn(folder).map((name) =>
    TRANSIENT_NAMES.reduce((sum, file) => sum + Math.max(0, stampOf(join(folder, name, file)).size), 0),
  );
  return { conversations: sizes.filter((size) => size > 0).length, bytes: sizes.reduce((a, b) => a + b, 0) };
}
