// Finds imports that break the layers of .plimsoll/config.toml, as `plimsoll check` judges them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGuardrailFindings } from '../../src/addons/guardrails/commands/check-guardrails.io.ts';
import { findImportTarget } from '../../src/addons/guardrails/imports/import-target.ts';
import { readImports } from '../../src/addons/guardrails/imports/read-imports.ts';
import { loadSettings } from '../../src/settings/load.io.ts';
import { readGuardrailOptions } from '../../src/settings/read-guardrails.ts';
import type { Source } from './fence.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETTINGS = join(ROOT, '.plimsoll', 'config.toml');

/** The committed settings alone: none of the machine on which the test runs. */
const options = readGuardrailOptions(
  loadSettings(join(ROOT), { HOME: '/none' }, (path) =>
    path === SETTINGS ? readFileSync(path, 'utf8') : null,
  ).settings,
);

/** The first cycle among these imports, as a path that ends where it begins, or null: no rule of a file can see one. */
function cycleIn(graph: ReadonlyMap<string, string[]>): string[] | null {
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): string[] | null => {
    const at = trail.indexOf(path);
    if (at >= 0) return [...trail.slice(at), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return null;
}

/** What an add-on registers, and the type by which it does, name what is above them: neither runs at once. */
const isRegistration = (path: string, { isDynamic }: { isDynamic?: boolean }): boolean =>
  path === 'src/addons/addon.ts' || (/^src\/addons\/\w+\/index\.ts$/.test(path) && isDynamic === true);

/** The files that each source imports, as far as they are among them. */
function graphOf(files: readonly Source[]): Map<string, string[]> {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, source }) => [
      path,
      (readImports(path, source)?.imports ?? []).flatMap((each) =>
        isRegistration(path, each)
          ? []
          : findImportTarget(path, each, options.architecture, null)
              .paths.filter((target) => known.has(target))
              .slice(0, 1),
      ),
    ]),
  );
}

/** Every import that its layer may not have, and a cycle if there is one, as `path:line message`. */
export function importBreachesOf(files: readonly Source[]): string[] {
  const subjects = files.map(({ path, source }) => ({
    path,
    act: 'write' as const,
    isPlain: true,
    text: () => source,
    before: () => null,
  }));
  const breaches = buildGuardrailFindings(subjects, options, {
    root: '/project',
    home: '/home',
    isChange: false,
    sight: {
      resolve: (path) => ({ path, kind: 'file', folds: false, worktree: null }),
      read: () => null,
      expand: () => null,
      commands: null,
      imports: readImports,
    },
  }).map(({ file, line, message, next }) => `${file}:${line} ${message}. ${next}`);
  const sources = files.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));
  const cycle = cycleIn(graphOf(sources));
  if (cycle === null) return breaches;
  return [
    ...breaches,
    `${cycle[0]}:1 an import cycle: ${cycle.join(' → ')}; what two of them need goes to a file below both`,
  ];
}
