import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/unit/temporary.ts';
import { transientFile } from '../layout.ts';
import { appendWorkLog, keepTestRun, LOG_CHARACTERS, shortenLog } from './session-artifacts.io.ts';
import { formatLogLine, readWorkLog } from './work-log.ts';

const call = (second: number): string =>
  formatLogLine({
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('.000', ''),
    tool: 'Bash',
    target: `\`step ${second} ${'x'.repeat(120)}\``,
    outcome: 'ok',
  });
const logOf = (root: string): string => join(root, 'artifacts/sessions/s1/work_log.md');
const read = (root: string): string => readFileSync(logOf(root), 'utf8');

function written(text: string): string {
  const root = temporaryFolder();
  mkdirSync(dirname(logOf(root)), { recursive: true });
  writeFileSync(logOf(root), text);
  return root;
}

describe('appendWorkLog()', () => {
  test('names the track once, and again where it changes; only the owner may read the file', () => {
    const root = temporaryFolder();
    appendWorkLog(root, 's1', 'cache', [call(1)]);
    appendWorkLog(root, 's1', 'cache', [call(2), call(3)]);
    appendWorkLog(root, 's1', 'api', [call(4)]);
    appendWorkLog(root, 's1', 'cache', [call(5)]);
    const marks = read(root)
      .split('\n')
      .map((line) => /track: (\w+)/.exec(line)?.[1] ?? line.slice(0, 1));
    expect(marks).toEqual(['cache', '-', '-', '-', 'api', '-', 'cache', '-', '']);
    expect(statSync(logOf(root)).mode & 0o777).toBe(0o600);
  });

  test('closes a line that was torn by a death in the middle of a write', () => {
    const root = written('<!-- plimsoll work log; track: cache -->\n- 2026-01-01T00:00:00Z Bash `ma');
    appendWorkLog(root, 's1', 'cache', [call(2)]);
    expect(read(root).split('\n').slice(1)).toEqual(['- 2026-01-01T00:00:00Z Bash `ma', call(2), '']);
  });

  test('empties its oldest lines once it is too long, and no entry: that one keeps its line and its time', () => {
    const entry = '- Decision: stays\n  - Reason: r\n  - Impact: i\n';
    const calls = (from: number): string =>
      Array.from({ length: 1_000 }, (_, at) => `${call(from + at)}\n`).join('');
    const text = `<!-- plimsoll work log; track: cache -->\n${calls(0)}${entry}${calls(1_000)}`;
    expect(text.length).toBeGreaterThan(LOG_CHARACTERS);
    const root = written(text);
    appendWorkLog(root, 's1', 'cache', [call(3_000)]);
    const after = read(root);
    expect(after.length).toBeLessThanOrEqual(LOG_CHARACTERS / 2 + 200);
    expect(readWorkLog('w', after).entries).toEqual(readWorkLog('w', text).entries);
    expect(after.endsWith(`${call(1_999)}\n${call(3_000)}\n`)).toBe(true);
    expect(statSync(logOf(root)).mode & 0o777).toBe(0o600);
  });

  test('loses nothing that is appended while its oldest lines go', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `${call(at)}\n`).join('');
    const root = written(text);
    shortenLog(logOf(root), () => appendFileSync(logOf(root), `${call(5_000)}\n`));
    expect(read(root).length).toBeLessThan(LOG_CHARACTERS);
    expect(read(root).endsWith(`${call(1_999)}\n${call(5_000)}\n`)).toBe(true);
  });

  test('writes nothing where a link of the repository leads out of it, or stands in place of the log', () => {
    const outside = temporaryFolder();
    const root = temporaryFolder();
    symlinkSync(outside, join(root, 'artifacts'));
    expect(() => appendWorkLog(root, 's1', 'cache', [call(1)])).toThrow(/^A link leads out of the project: /);
    expect(readdirSync(outside)).toEqual([]);
    const other = temporaryFolder();
    mkdirSync(dirname(logOf(other)), { recursive: true });
    writeFileSync(join(outside, 'mine'), 'as it was');
    symlinkSync(join(outside, 'mine'), logOf(other));
    expect(() => appendWorkLog(other, 's1', 'cache', [call(1)])).toThrow('A link stands in place');
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('as it was');
  });

  test('gives an id that is no file name a safe one', () => {
    const root = temporaryFolder();
    appendWorkLog(root, '../../x', 'cache', [call(1)]);
    expect(readFileSync(join(root, transientFile('../../x', 'work_log.md')), 'utf8')).toContain(call(1));
  });
});

test('keepTestRun() keeps the newest run of each command, for the owner alone', () => {
  const root = temporaryFolder();
  const run = { target: '`npm test`', at: '2026-01-01T00:00:00Z', outcome: 'ok', text: 'fine' };
  keepTestRun(root, 's1', { ...run, outcome: 'failed', text: 'broken' });
  keepTestRun(root, 's1', run);
  const path = join(root, 'artifacts/sessions/s1/test_output.txt');
  expect(readFileSync(path, 'utf8')).toBe('## `npm test` at 2026-01-01T00:00:00Z: ok\n  fine\n\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
