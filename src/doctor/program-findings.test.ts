import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPrograms, LEAST_NODE, type ProgramFacts } from './doctor-install.io.ts';
import type { Formatter } from './finding.ts';

const WORDS: Formatter = { path: (path) => path, ago: () => '3 min ago' };

const HEALTHY: ProgramFacts = {
  node: '22.1.0',
  nodeOnPath: '22.1.0',
  isPlugin: false,
  nodes: [{ path: '/n', version: '22.1.0' }],
  version: '0.2.0',
  build: '0.2.0-aaaaaaaaaaaa',
  bundle: { path: '/b', name: '0.2.0-aaaaaaaaaaaa', isWhole: true },
  entries: [{ path: '/b', exists: true }],
};
const bundle = (name: string, isWhole = true) => ({ bundle: { path: '/b', name, isWhole } });

const amiss = (more: Partial<ProgramFacts>): string[] =>
  checkPrograms({ ...HEALTHY, ...more }, WORDS)
    .filter((each) => each.level !== 'ok')
    .map(({ level, finding, fix }) => `${level}: ${finding} → ${fix}`);

test('the least Node is the one that package.json asks for', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(`${engines.node}.0`).toBe(`>=${LEAST_NODE}`);
});

const rows: [string, Partial<ProgramFacts>, RegExp][] = [
  ['an old Node for this command', { node: '18.20.0' }, /^error: this command runs on Node 18\.20\.0/],
  [
    'an old Node for the hooks',
    { nodes: [{ path: '/n', version: '20.18.9' }] },
    /^error: the hooks run \/n, version 20\.18\.9; version 20\.19\.0 or later is needed → .*plimsoll init$/,
  ],
  [
    'a Node that is gone, with another on PATH',
    { nodes: [{ path: '/n', version: null }] },
    /^info: the hooks name \/n, which does not run; .* → plimsoll init$/,
  ],
  [
    'a Node that is gone, and none on PATH',
    { nodes: [{ path: '/n', version: null }], nodeOnPath: null },
    /^error: the hooks name \/n, which does not run, and there is none on PATH → plimsoll init$/,
  ],
  [
    'a Node that is gone, and an old one on PATH',
    { nodes: [{ path: '/n', version: null }], nodeOnPath: '18.0.0' },
    /^error: the hooks name \/n, which does not run, and the one on PATH is 18\.0\.0; version 20\.19\.0 or later is needed → plimsoll init$/,
  ],
  [
    'a plugin, and no Node on PATH',
    { nodes: [], entries: [], isPlugin: true, nodeOnPath: null },
    /^error: the hooks run the node on PATH, and there is none → put node on PATH$/,
  ],
  [
    'a plugin, and an old Node on PATH',
    { nodes: [], entries: [], isPlugin: true, nodeOnPath: '18.0.0' },
    /^error: node on PATH is 18\.0\.0/,
  ],
  [
    'hooks that need a Node on PATH, and none there',
    { nodes: [], nodeOnPath: null },
    /^error: .*there is none/,
  ],
  [
    'hooks that find an old Node on PATH',
    { nodes: [], nodeOnPath: '18.0.0' },
    /^error: node on PATH is 18\.0\.0/,
  ],
  [
    'no bundle',
    { bundle: null, entries: [{ path: '/b', exists: false }] },
    /^error: no hook bundle at \/b: the hooks are silent → plimsoll init$/,
  ],
  [
    'a damaged bundle',
    bundle('0.2.0-aaaaaaaaaaaa', false),
    /^error: 0\.2\.0-aaaaaaaaaaaa at \/b is damaged.* → plimsoll init$/,
  ],
  [
    'another build of the same version',
    bundle('0.2.0-bbbbbbbbbbbb'),
    /^info: the hooks run 0\.2\.0-bbbbbbbbbbbb, this command brings 0\.2\.0-aaaaaaaaaaaa → plimsoll init$/,
  ],
  ['an earlier version', bundle('0.1.9-bbbbbbbbbbbb'), / → plimsoll init$/],
  [
    'a later version than this command',
    bundle('0.10.0-bbbbbbbbbbbb'),
    /^info: the hooks are of version 0\.10\.0, this command is of 0\.2\.0 → npm install --global plimsoll@latest$/,
  ],
];

test.each(rows)('%s is the one thing amiss', (_name, more, expected) => {
  const found = amiss(more);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

const fine: [string, Partial<ProgramFacts>][] = [
  ['this very build', {}],
  ['nothing installed, and no Node on PATH', { nodes: [], entries: [], bundle: null, nodeOnPath: null }],
  ['a command that lies beside no build', { build: null }],
];
test.each(fine)('%s is in order', (_name, more) => {
  expect(amiss(more)).toEqual([]);
});
