// Decides by the lists of a layer whether its files may import something, without looking at any disk.

import type { ArchitectureLayer } from '../../../settings/guardrail-options.ts';
import { findMatch, matchesGlob, matchesName } from '../../../text/globs.ts';
import type { Import } from '../imports/found-import.ts';
import type { ImportTarget } from '../imports/import-target.ts';

export const findLayer = (
  paths: readonly string[],
  layers: readonly ArchitectureLayer[],
): ArchitectureLayer | null => layers.find((layer) => findMatch(layer.files, paths) !== null) ?? null;

/** Whether an entry that is no layer names a module, or a file of the project. */
function meets(entry: string, module: string, paths: readonly string[]): boolean {
  if (matchesName(entry, module) || module.startsWith(`${entry}/`) || module.startsWith(`${entry}.`))
    return true;
  return entry.includes('/') && [...paths, module].some((path) => matchesGlob(entry, path));
}

/** What is wrong with an import, as a clause behind "imports x"; null when nothing is. */
export function findLayerViolation(
  found: Import,
  target: ImportTarget,
  layer: ArchitectureLayer,
  layers: readonly ArchitectureLayer[],
): string | null {
  const other = findLayer(target.paths, layers);
  const isOwn = target.isOwn || other !== null;
  if (other?.name === layer.name) return null;
  const isNamed = (entry: string): boolean =>
    other?.name === entry ||
    (!layers.some((each) => each.name === entry) && meets(entry, found.module, target.paths));
  const forbidden = layer.forbid?.find(isNamed);
  if (forbidden !== undefined) {
    return `which "${forbidden}" in forbid of layer "${layer.name}" does not allow`;
  }
  if (isOwn) {
    if (layer.only === undefined || layer.only.some(isNamed)) return null;
    const what = other === null ? 'which is in no layer' : `which is in layer "${other.name}"`;
    return `${what}; layer "${layer.name}" may import only ${[layer.name, ...layer.only].join(', ')}`;
  }
  if (layer.packages === undefined || layer.packages.some((entry) => meets(entry, found.module, [])))
    return null;
  const list = layer.packages.length === 0 ? 'no packages' : `only the packages ${layer.packages.join(', ')}`;
  return `which is a package; layer "${layer.name}" may import ${list}`;
}
