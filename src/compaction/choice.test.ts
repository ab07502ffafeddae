// Tests what is chosen from a ledger: checks in use, files read, failures, commands that come back.
import { describe, expect, test } from 'vitest';
import { evidence, ledger, ran, touched } from '../../test/unit/ledger-facts.ts';
import { pickChecks, pickFailing, pickLastFailure, pickOften, pickRead } from './choice.ts';

const commands = (found: readonly { command: string }[]): string[] => found.map(({ command }) => command);
const read = (path: string, reads = 1) => touched(path, { reads, writes: 0 });
const written = (path: string) => touched(path, { reads: 0, writes: 1 });

describe('checks in use', () => {
  test('are those that ran again and again, the ones run most often first', () => {
    const checks = [
      ran('npm run build'),
      ran('npm test', { runs: 3 }),
      ran('npm run lint', { runs: 5 }),
      ran('npm run types', { runs: 2 }),
    ];
    expect(commands(pickChecks(ledger({ checks })))).toEqual(['npm run lint', 'npm test', 'npm run types']);
  });

  test('where none did, the latest two; a run of one case is none of them', () => {
    const checks = [
      ran('npm run a'),
      ran('npm run build'),
      ran('npm test'),
      ran('npx vitest run a.test.ts -t "one case"'),
    ];
    expect(commands(pickChecks(ledger({ checks })))).toEqual(['npm test', 'npm run build']);
  });
});

describe('files read', () => {
  test('serve the work when they were read since the last change but one, or again and again', () => {
    const files = [read('often', 4), read('old'), written('a'), read('for b'), written('b'), read('next')];
    expect(pickRead(ledger({ files })).map(({ file, serves }) => [file.path, serves])).toEqual([
      ['next', true],
      ['for b', true],
      ['often', true],
      ['old', false],
    ]);
  });

  test('all serve the work before anything is changed; files changed or deleted are none', () => {
    const files = [read('a'), read('b'), touched('c', { reads: 1, writes: 0, deleted: true })];
    expect(pickRead(ledger({ files })).map(({ serves }) => serves)).toEqual([true, true]);
  });
});

describe('failures', () => {
  const lastFailure = { ...evidence(), asRun: 'npm test', error: 'expected 1 to be 2' };
  const failed = { result: 'failed' as const, lastFailure };

  test('of checks stand until they pass, of other commands while they are recent', () => {
    const all = ledger({
      checks: [ran('npm test', failed)],
      commands: [ran('curl a', failed), ran('cp a b'), ran('cp c d'), ran('curl b', failed)],
    });
    expect(commands(pickFailing(all))).toEqual(['curl b', 'npm test']);
    expect(pickLastFailure(all)).toBeNull();
  });

  test('that are fixed are told by the last one of a check in use', () => {
    const checks = [
      ran('npm test', { lastFailure }),
      ran('npm run lint', {
        lastFailure: { ...lastFailure, asRun: 'npm run lint', offset: lastFailure.offset + 1 },
      }),
      ran('npx vitest run a.test.ts -t "one case"', {
        lastFailure: { ...lastFailure, offset: lastFailure.offset + 2 },
      }),
    ];
    expect(pickLastFailure(ledger({ checks }))?.asRun).toBe('npm run lint');
  });
});

test('commands that come back are told, but no look around', () => {
  const all = ledger({
    commands: [
      ran('git diff --stat', { runs: 9 }),
      ran('curl localhost:4173/health', { runs: 2 }),
      ran('npm install', { runs: 1 }),
      ran('git show main:src/a.ts', { runs: 3 }),
    ],
  });
  expect(commands(pickOften(all))).toEqual(['git show main:src/a.ts', 'curl localhost:4173/health']);
});
