// Tests that a line of a work log is nothing but that, whatever a tool was called with.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listTextLines } from '../../src/addons/tracks/entries/markdown.ts';
import { parseEntries } from '../../src/addons/tracks/entries/read-entries.ts';
import { LOG_LINE } from '../../src/addons/tracks/work-log/session-artifacts.io.ts';
import { describeTarget } from '../../src/addons/tracks/work-log/tool-run-effects.io.ts';
import { formatLogLine, readMarkedTrack } from '../../src/addons/tracks/work-log/work-log.ts';
import { runs } from '../kit/effort.ts';
import { SECRETS } from './secret-samples.ts';

const AT = '2026-11-28T10:00:00Z';

describe('formatLogLine()', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<!--',
      '-->',
      '--!>',
      '<!---',
      '<!-',
      '- Decision: x',
      '\n- Task: y',
      '\n  - Reason: z',
      '```',
      '\r',
      '\u2028',
      '/plimsoll:entries -->',
      '<!-- plimsoll work log; track: other -->',
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

  test('is one line of the log whatever it is made of: no entry, no field, no comment, no mark, no more than 200 characters', () => {
    fc.assert(
      fc.property(text, text, text, (tool, target, outcome) => {
        const line = formatLogLine({ at: AT, tool, target, outcome });
        expect(line).toMatch(LOG_LINE);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(line).not.toMatch(/<!--|-->/);
        expect(readMarkedTrack(line)).toBeNull();
        const before = '- Decision: stays\n  - Reason: r\n  - Impact: i\n';
        const after = '- Decision: comes\n  - Reason: r\n  - Impact: i\n';
        const { entries, violations } = parseEntries('w.md', `${before}${line}\n${after}`);
        expect(violations).toEqual([]);
        expect(entries.map((entry) => [entry.text, entry.source.line])).toEqual([
          ['stays', 1],
          ['comes', 5],
        ]);
        expect(listTextLines(`${line}\nnext`).map((each) => each.text)).toEqual([line, 'next']);
      }),
      { numRuns: runs(500) },
    );
  });

  test('holds no secret of a command, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), fc.nat(220), ({ text: secret, hidden }, length) => {
        const input = { command: `${'x'.repeat(length)} ${secret}` };
        const line = formatLogLine({
          at: AT,
          tool: 'Bash',
          target: describeTarget({ tool: 'Bash', input }, '/p'),
          outcome: 'ok',
        });
        // Not even the first half of it.
        expect(line).not.toContain(hidden.slice(0, Math.ceil(hidden.length / 2)));
      }),
    );
  });
});
