// Tests that real, odd files stay as they are to the byte, with our block behind them and no false entries.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { notRun } from '../../kit/not-run.ts';
import { changed, DECISIONS, type Files, LOG, log, PLAN, planned, RISKS, SPEC } from './workspace.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/tracks/', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../../../shared/state-samples/', import.meta.url));
const NAMES = [
  'decisions-large-50k.md',
  'decisions-non-ascii.md',
  'risks-list.md',
  'risks-table.md',
  'conductor-plan-bom.md',
  'conductor-spec-bom.md',
  'conductor-tracks.md',
  'gsd-state.md',
  'handoff.md',
];

const SAID = log(
  '- 2026-11-28T10:00:00Z Edit a: ok',
  '- Decision: x',
  '  - Reason: r',
  '  - Impact: i',
  '- [ ] Task: y',
  '- Risk: z',
  '  - Severity: low',
);
const HOMES = [PLAN, RISKS, DECISIONS] as const;

/** Compacts with a file in the place of each of the track's, and looks at it as bytes. */
function keeps(file: string): void {
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  expect(Buffer.from(text, 'utf8').equals(bytes)).toBe(true);
  const quiet = planned({ [SPEC]: text, [PLAN]: text, [RISKS]: text, [DECISIONS]: text });
  // Nothing is said in it: no entry, no violation, no change of it.
  expect(quiet.violations).toEqual([]);
  expect(quiet.changes.filter(({ path }) => path.startsWith('docs/'))).toEqual([]);
  for (const home of HOMES) {
    const files: Files = { [home]: text, [LOG]: SAID };
    const plan = planned(files);
    expect(plan.violations).toEqual([]);
    const after = changed(files, plan);
    const result = Buffer.from(after[home] ?? '', 'utf8');
    expect(result.subarray(0, bytes.length).equals(bytes)).toBe(true);
    const added = result.subarray(bytes.length).toString('utf8');
    // One block, in the line ends that the file begins with.
    const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
    expect(added.replaceAll(eol, '\n')).toMatch(
      /^\n*<!-- plimsoll:entries [0-9a-f]{12}: [^>]*-->\n- [\s\S]*\n<!-- \/plimsoll:entries -->\n$/,
    );
    expect(added.split(eol).join('')).not.toMatch(/[\r\n]/);
    expect(planned(after).changes).toEqual([]);
  }
}

describe('fixtures', () => {
  test.each(readdirSync(FIXTURES))('%s', (name) => {
    keeps(join(FIXTURES, name));
  });
});

describe('state samples', () => {
  test.for(NAMES)('%s', (name, { skip }) => {
    if (!existsSync(SAMPLES)) {
      notRun('state samples', `no folder ${SAMPLES}`);
      skip();
    }
    keeps(join(SAMPLES, name));
  });
});
