// Resolves an import to the places where its file may lie in the project, by the rules of its language.

import type { ArchitectureOptions } from '../../../settings/guardrail-options.ts';
import { normalize } from '../../../text/path-text.ts';
import { findLanguage, type Import } from './found-import.ts';

export interface ImportTarget {
  /** Paths below the root, with and without the endings that the language adds. */
  paths: string[];
  /** Whether it can only be a file of the project: relative, by an alias, or below the project's own module. */
  isOwn: boolean;
}

const ENDINGS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '/index.ts',
  '/index.js',
];

const folderOf = (path: string): string => (path.includes('/') ? path.replace(/\/[^/]*$/, '') : '');
const joined = (...parts: string[]): string => normalize(`/${parts.join('/')}`).slice(1);

function ofJavaScript(file: string, module: string, aliases: ArchitectureOptions['aliases']): ImportTarget {
  const alias = Object.entries(aliases).find(([prefix]) => module.startsWith(prefix));
  const isRelative = /^\.{0,2}(?:\/|$)/.test(module);
  if (!isRelative && alias === undefined) return { paths: [], isOwn: false };
  const path = alias
    ? joined(alias[1], module.slice(alias[0].length))
    : joined(folderOf(file), module.replace(/[?#].*$/, ''));
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  return { paths: [path, ...ENDINGS.map((ending) => bare + ending)], isOwn: true };
}

const ofModule = (path: string): string[] => [path, `${path}.py`, `${path}/__init__.py`];

function ofPython(file: string, { module, names }: Import, roots: readonly string[]): ImportTarget {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll('.', '/');
  const isRelative = dots > 0;
  const bases = isRelative
    ? [joined(folderOf(file), ...Array.from({ length: dots - 1 }, () => '..'))]
    : roots;
  const paths = bases.flatMap((base) => {
    const whole = joined(base, path);
    return [whole, ...names.map((name) => joined(whole, name))].flatMap(ofModule);
  });
  return { paths: paths.filter((each) => each !== '' && !each.startsWith('.py')), isOwn: isRelative };
}

/** @param goModule the name that `go.mod` gives the project, null without one */
export function findImportTarget(
  file: string,
  found: Import,
  options: ArchitectureOptions,
  goModule: string | null,
): ImportTarget {
  switch (findLanguage(file)) {
    case 'javascript':
      return ofJavaScript(file, found.module, options.aliases);
    case 'python':
      return ofPython(file, found, options.python_roots);
    default: {
      const isOwn =
        goModule !== null && (found.module === goModule || found.module.startsWith(`${goModule}/`));
      const isRelative = found.module.startsWith('.');
      if (isRelative) return { paths: [joined(folderOf(file), found.module)], isOwn: true };
      return { paths: isOwn ? [found.module.slice((goModule ?? '').length + 1)] : [], isOwn };
    }
  }
}
