// Checks the programs that hooks start: a Node that is new enough, and a complete bundle of this version.

import { isVersionAtLeast } from '../text/version-order.ts';
import { type DoctorFinding, error, type Fix, type Formatter, fixable, info, ok } from './finding.ts';

/** The least Node, as package.json asks for it. */
export const LEAST_NODE = '20.19.0';

export interface ProgramFacts {
  /** Version of the Node that runs this command. */
  node: string;
  /** Version of the Node on PATH, or null. */
  nodeOnPath: string | null;
  /** Whether the hooks come by the plugin alone, which starts the node on PATH. */
  isPlugin: boolean;
  /** What registered hooks start; a version of null: it is not there, or does not run. */
  nodes: { path: string; version: string | null }[];
  /** Version of this command. */
  version: string;
  /** `<version>-<hash>` of the build beside this command; null where none lies there. */
  build: string | null;
  /** The bundle in the place that this version registers; null where there is none. */
  bundle: { path: string; name: string; isWhole: boolean } | null;
  /** Entries of bundles that registered hooks name. */
  entries: { path: string; exists: boolean }[];
}

function nodeFindings(facts: ProgramFacts): DoctorFinding[] {
  const isOld = (version: string): boolean => !isVersionAtLeast(version, LEAST_NODE);
  const wanted = `version ${LEAST_NODE} or later is needed`;
  const findings = facts.nodes.flatMap(({ path, version }): DoctorFinding[] => {
    if (version === null) {
      const { nodeOnPath } = facts;
      const isLost = nodeOnPath === null || isOld(nodeOnPath);
      const is = isLost ? error : info;
      const instead = !isLost
        ? '; the one on PATH stands in'
        : nodeOnPath === null
          ? ', and there is none on PATH'
          : `, and the one on PATH is ${nodeOnPath}; ${wanted}`;
      return [
        fixable('hooks', is('node', `the hooks name ${path}, which does not run${instead}`, 'plimsoll init')),
      ];
    }
    return isOld(version)
      ? [
          error(
            'node',
            `the hooks run ${path}, version ${version}; ${wanted}`,
            'install a newer Node, then plimsoll init',
          ),
        ]
      : [];
  });
  const needsPath = facts.isPlugin || (facts.entries.length > 0 && facts.nodes.length === 0);
  if (needsPath && facts.nodeOnPath === null)
    findings.push(error('node', 'the hooks run the node on PATH, and there is none', 'put node on PATH'));
  else if (needsPath && facts.nodeOnPath !== null && isOld(facts.nodeOnPath))
    findings.push(error('node', `node on PATH is ${facts.nodeOnPath}; ${wanted}`, 'install a newer Node'));
  if (isOld(facts.node))
    findings.push(
      error('node', `this command runs on Node ${facts.node}; ${wanted}`, 'install a newer Node'),
    );
  return findings.length > 0 ? findings : [ok('node', `version ${facts.node}`)];
}

function bundleFindings(facts: ProgramFacts, words: Formatter): DoctorFinding[] {
  const { bundle, build, entries, version } = facts;
  const gone = entries.find((each) => !each.exists);
  const byInit = (is: typeof error | typeof info, finding: string, fix: Fix = 'bundle'): DoctorFinding[] => [
    fixable(fix, is('bundle', finding, 'plimsoll init')),
  ];
  if (gone !== undefined) {
    const isElsewhere = bundle !== null && gone.path !== bundle.path;
    const finding = `no hook bundle at ${words.path(gone.path)}: the hooks are silent`;
    return byInit(error, finding, isElsewhere ? 'hooks' : 'bundle');
  }
  if (bundle === null) return [];
  const where = words.path(bundle.path);
  if (!bundle.isWhole)
    return byInit(error, `${bundle.name} at ${where} is damaged: its files are not what it was built of`);
  if (build === null || build === bundle.name) return [ok('bundle', `${bundle.name} at ${where}`)];
  const installed = bundle.name.replace(/-[0-9a-f]+$/, '');
  if (installed !== version && isVersionAtLeast(installed, version)) {
    return [
      info(
        'bundle',
        `the hooks are of version ${installed}, this command is of ${version}`,
        'npm install --global plimsoll@latest',
      ),
    ];
  }
  return byInit(info, `the hooks run ${bundle.name}, this command brings ${build}`);
}

export const programFindings = (facts: ProgramFacts, words: Formatter): DoctorFinding[] => [
  ...nodeFindings(facts),
  ...bundleFindings(facts, words),
];
