// Tests that a killed command needs no repair by hand: the same command finishes what was left half-written.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkLog } from '../../src/addons/tracks/work-log/work-log.ts';
import { newHost, SESSION } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { answer, request } from '../unit/lines.ts';
import { LOG, run, runCut, trackHost } from './tracks.ts';

const DECISION = [
  'note',
  'decision',
  'One file',
  '--reason',
  'no server',
  '--impact',
  'small',
  '--session',
  's-1',
];
const PLACES = [0, 1, 2, 3, 5, 8];

test.each(some(PLACES, 3))('a note that dies at its change %i is written by the next one', (at) => {
  const host = trackHost();
  runCut(host, at, 'death', ...DECISION);
  const again = run(host, ...DECISION.with(2, 'Another file'));
  expect([again.code, again.stderr]).toEqual([0, '']);
  const { violations } = readWorkLog(LOG, readFileSync(path.join(host.project, LOG), 'utf8'));
  expect(readFileSync(path.join(host.project, LOG), 'utf8')).toContain('Another file');
  // What stands there torn is named; it takes nothing else with it.
  expect(violations.length).toBeLessThanOrEqual(1);
});

test.each(some([0, 2, 5, 9, 14, 20], 2))(
  'an init that dies at its change %i is finished by the next one',
  (at) => {
    const host = newHost();
    const init = ['init', '--yes', '--client-version', '2.1.332'];
    runCut(host, at, 'death', ...init);
    const again = run(host, ...init);
    expect([again.code, again.stderr]).toEqual([0, '']);
    const settings = path.join(host.project, '.claude', 'settings.local.json');
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toHaveProperty('hooks');
    const whole = newHost();
    run(whole, ...init);
    const names = (root: string): string[] =>
      readdirSync(path.join(root, '.claude')).filter((name) => !name.endsWith('.tmp'));
    expect(names(host.project)).toEqual(names(whole.project));
  },
);

describe('a lock that nobody holds keeps nobody back', () => {
  test.each([
    ['of a process that died', '2147483000 1700000000000 0'],
    ['that is empty', ''],
    ['that is torn', `${process.pid}`],
    ['that holds something else', 'zzz'],
  ])('%s', (_, text) => {
    const host = newHost();
    host.append(request('Go'), answer(30_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    const state = [...readdirSync(host.project, { recursive: true, encoding: 'utf8' })].find((name) =>
      name.endsWith(`sessions/${SESSION}/state.json`),
    );
    writeFileSync(path.join(host.project, `${state}.lock`), text);
    const start = Date.now();
    host.append(request('And now?'), answer(130_000, { id: 'm2' }));
    expect(host.fire('UserPromptSubmit').context).toContain('WARNING');
    expect(JSON.parse(readFileSync(path.join(host.project, `${state}`), 'utf8'))).toMatchObject({
      last_announced: { tier: 'WARNING' },
    });
    expect(Date.now() - start).toBeLessThan(5_000);
  });
});
