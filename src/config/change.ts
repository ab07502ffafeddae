// May a settings file come to say this? What a change would break across keys and layers, before it is written.
import { foreignText } from '../store/foreign.ts';
import type { Env } from '../store/paths.ts';
import { type Layer, readLayers, settingsFiles } from './layers.ts';
import { resolveLayers } from './load.ts';
import type { Origin, Problem } from './snapshot.ts';

/** The layers that count together: all, those from the changed one down, and of a shared file also it alone. */
const stacksOf = (layers: readonly Layer[], origin: Origin): Layer[][] => {
  const at = layers.findIndex((layer) => layer.origin === origin);
  return [[...layers], layers.slice(at), ...(origin === 'project' ? [layers.slice(at, at + 1)] : [])];
};

/** The first problem that there would be with a new text of a layer's file, and is not there now; null when none. */
export function newProblem(root: string | null, env: Env, origin: Origin, text: string): Problem | null {
  const path = settingsFiles(root, env).find((each) => each.origin === origin)?.path;
  const before = stacksOf(readLayers(root, env).layers, origin);
  const changed = readLayers(root, env, (each) => (each === path ? text : foreignText(each)));
  for (const [index, stack] of stacksOf(changed.layers, origin).entries()) {
    const known = resolveLayers(root, env, before[index] ?? []).problems;
    const isKnown = ({ key, message }: Problem): boolean =>
      known.some((each) => each.message === message || (each.key === key && /must rise/.test(each.message)));
    const found = resolveLayers(root, env, stack).problems.find((each) => !isKnown(each));
    if (found !== undefined) return found;
  }
  return null;
}
