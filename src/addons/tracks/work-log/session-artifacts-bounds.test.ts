import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundLog } from './session-artifacts.io.ts';
import { formatLogLine, formatLogMark, readWorkLog } from './work-log.ts';

const call = (second: number): string =>
  formatLogLine({
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('.000', ''),
    tool: 'Bash',
    target: `\`step ${second}\``,
    outcome: 'ok',
  });
const entry = (at: number): string => `- Decision: d${at}\n  - Reason: r\n  - Impact: i`;

describe('boundLog()', () => {
  test('leaves a log alone that is no longer than it may be', () => {
    expect(boundLog(`${call(1)}\n`, 1_000)).toBeNull();
  });

  const log = fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant('call') },
        fc.constant('entry'),
        fc.constant('mark'),
        fc.constant('emptied'),
      ),
      {
        minLength: 20,
        maxLength: 80,
      },
    )
    .map((kinds) =>
      kinds
        .map(
          (kind, at) =>
            ({ call: call(at), entry: entry(at), mark: formatLogMark(`t${at}`), emptied: '' })[kind],
        )
        .join('\n'),
    );

  test('keeps every entry where it stands with its track and time, the newest time of every track, every mark', () => {
    fc.assert(
      fc.property(log, (text) => {
        const after = boundLog(text, Math.floor(text.length / 2));
        if (after === null) return;
        expect(after.split('\n')).toHaveLength(text.split('\n').length);
        expect(readWorkLog('w.md', after)).toEqual(readWorkLog('w.md', text));
        const marks = (each: string) => each.split('\n').filter((line) => line.startsWith('<!--'));
        expect(marks(after)).toEqual(marks(text));
        expect(after.length).toBeLessThan(text.length);
      }),
    );
  });

  test('brings a log of calls alone to half of what it may be, its oldest lines first', () => {
    const text = Array.from({ length: 200 }, (_, at) => call(at)).join('\n');
    const after = boundLog(text, 8_000) ?? '';
    expect(after.length).toBeLessThanOrEqual(4_000);
    const kept = after.split('\n').filter((line) => line !== '');
    expect(kept).toEqual(text.split('\n').slice(-kept.length));
  });

  test('brings a log to half of it again that was shortened before: emptied lines are no end of its calls', () => {
    const text = Array.from({ length: 200 }, (_, at) => call(at)).join('\n');
    const more = Array.from({ length: 100 }, (_, at) => call(200 + at)).join('\n');
    const again = boundLog(`${boundLog(text, 8_000)}\n${more}`, 8_000) ?? '';
    expect(again.split('\n').filter((line) => line !== '').length).toBeGreaterThan(20);
    expect(again.length).toBeLessThanOrEqual(4_000);
  });
});
