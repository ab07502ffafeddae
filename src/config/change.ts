// Finds problems that a changed settings file would cause, across keys and layers, before it is written.
import { readNamed } from '../platform/in-project.ts';
import type { Env } from '../store/paths.ts';
import { isOrderFault } from './assessment.ts';
import { type Layer, readLayers, settingsFiles } from './layers.ts';
import { resolveLayers } from './load.ts';
import type { Origin, Problem } from './snapshot.ts';

/** The combinations of layers to check: all, those from the changed one down, and for the project's file also it alone. */
const stacksOf = (layers: readonly Layer[], origin: Origin): Layer[][] => {
  const at = layers.findIndex((layer) => layer.origin === origin);
  return [[...layers], layers.slice(at), ...(origin === 'project' ? [layers.slice(at, at + 1)] : [])];
};

/** The first problem that a new text of a layer's file would add; null when there is none. */
export function newProblem(root: string | null, env: Env, origin: Origin, text: string): Problem | null {
  const path = settingsFiles(root, env).find((each) => each.origin === origin)?.path;
  const problemsOf = (layers: readonly Layer[]): Problem[] => {
    const { problems, together } = resolveLayers(layers);
    return [...problems, ...together];
  };
  const before = stacksOf(readLayers(root, env).layers, origin).map(problemsOf);
  const changed = readLayers(root, env, (each) => (each === path ? text : readNamed(root, each))).layers;
  for (const [index, problems] of stacksOf(changed, origin).map(problemsOf).entries()) {
    // Thresholds that are out of order already may be corrected step by step.
    const isKnown = ({ key, message }: Problem): boolean =>
      (before[index] ?? []).some(
        (each) =>
          each.message === message || (each.key === key && isOrderFault(each) && isOrderFault({ message })),
      );
    const found = problems.find((each) => !isKnown(each));
    if (found !== undefined) return found;
  }
  return null;
}
