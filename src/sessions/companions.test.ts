// The files beside a session's state are removed with it, and alone if the state is gone.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryProject } from '../../test/unit/temporary.ts';
import { prune } from './retention/remove-old.io.ts';
import { patchSessionState } from './session-states.io.ts';

const NOW = Date.now();
const OLD = (NOW - 91 * 86_400_000) / 1_000;
/** As docs/files.md names them. */
const ENDINGS = [
  'beats',
  'judged',
  'ledger',
  'looked',
  'module.feed',
  'refusal',
  'statusline.feed',
  'told',
  'track',
] as const;

function folder() {
  const paths = temporaryProject();
  const file = (name: string, isOld: boolean): void => {
    const path = join(paths.conversations, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    if (isOld) utimesSync(path, OLD, OLD);
  };
  const site = { paths, cwd: paths.root ?? '/', orchestration: null, now: NOW };
  return { paths, file, run: () => prune(site, 50), names: () => readdirSync(paths.conversations).sort() };
}

test('the table of files names them all', () => {
  const table = readFileSync(new URL('../../docs/files.md', import.meta.url), 'utf8');
  const rows = table.split('\n').filter((line) => line.startsWith('| `conversations/'));
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/\.[a-z.]+(?=`)/g) ?? []);
  expect(named.map((each) => each.slice(1)).sort()).toEqual([...ENDINGS, 'json'].sort());
});

test('an old state takes them with it, and none of another session', () => {
  const { paths, file, run, names } = folder();
  patchSessionState(paths, 'a', {});
  utimesSync(paths.conversation('a'), OLD, OLD);
  for (const ending of ENDINGS) {
    file(`a.${ending}`, true);
    file(`ab.${ending}`, false);
  }
  expect(run().failed).toEqual([]);
  expect(names()).toEqual(ENDINGS.map((ending) => `ab.${ending}`));
});

test('without a state they go when they are old, and nothing else does', () => {
  const { file, run, names } = folder();
  for (const ending of ENDINGS) file(`a.${ending}`, true);
  file('a.statusline.feeds', true);
  file('b.json', true);
  file('b.beats', true);
  file('c.beats', false);
  expect(run().failed).toEqual([]);
  expect(names()).toEqual(['a.statusline.feeds', 'b.beats', 'b.json', 'c.beats']);
});
