import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/kit/effort.ts';
import { formatEntry } from '../entries/entry.ts';
import { parseEntries } from '../entries/read-entries.ts';
import {
  findNewestLine,
  findTrackAt,
  formatLogLine,
  formatLogMark,
  readMarkedTrack,
  readWorkLog,
} from './work-log.ts';

const FILE = 'artifacts/sessions/s-1/work_log.md';
const AT = '2026-11-28T10:00:00Z';

test('formatLogLine() is one line: time, tool, target, outcome', () => {
  expect(formatLogLine({ at: AT, tool: 'Bash', target: '`npm test`', outcome: 'failed (exit 1)' })).toBe(
    '- 2026-11-28T10:00:00Z Bash `npm test`: failed (exit 1)',
  );
  expect(formatLogLine({ at: AT, tool: 'TodoWrite', target: '', outcome: 'ok' })).toBe(
    `- ${AT} TodoWrite: ok`,
  );
});

test('a long command is cut, and keeps its back ticks and its outcome', () => {
  const line = formatLogLine({ at: AT, tool: 'Bash', target: `\`${'x'.repeat(500)}\``, outcome: 'ok' });
  expect(line).toHaveLength(200);
  expect(line.endsWith('x…`: ok')).toBe(true);
});

test('no call forms an entry, a mark, a comment, a second line, or more than 200 characters', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '\n- Decision: x',
      '<!--',
      '-->',
      formatLogMark('other'),
      '```',
      '\r\n',
      '<!<!----',
      '--->',
    ),
  );
  const said = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(said, said, said, (tool, target, outcome) => {
      const line = formatLogLine({ at: AT, tool, target, outcome });
      expect(line.length).toBeLessThanOrEqual(200);
      expect(line).not.toMatch(/[\r\n]|<!--|-->/);
      const text = `${formatLogMark('cache')}\n${line}\n`;
      expect(readWorkLog(FILE, text)).toMatchObject({
        entries: [],
        violations: [],
        unended: null,
      });
      expect(findNewestLine(text, 'cache')).toBe(AT);
    }),
    { numRuns: runs(500) },
  );
});

test('readWorkLog() gives each entry the track and the time that stand above it', () => {
  const note = (text: string, more: string[] = []): string[] => [
    `- Decision: ${text}`,
    '  - Reason: r',
    '  - Impact: i',
    ...more,
  ];
  const text = [
    formatLogMark('cache'),
    '- 2026-11-28T10:00:00Z Edit src/a.ts: ok',
    ...note('one'),
    ...note('two', ['  - At: 2026-11-28T09:00:00Z', '  - Track: sound']),
    formatLogMark('sound'),
    '- 2026-11-28T11:00:00Z Bash `npm test`: ok',
    '- [x] Task: three',
  ].join('\r\n');
  const found = readWorkLog(FILE, text);
  const { entries, violations } = found;
  expect(violations).toEqual([]);
  expect(entries.map(({ text: said, track, at, source }) => [said, track, at, source.line])).toEqual([
    ['one', 'cache', '2026-11-28T10:00:00Z', 3],
    ['two', 'sound', '2026-11-28T09:00:00Z', 6],
    ['three', 'sound', '2026-11-28T11:00:00Z', 13],
  ]);
  expect([1, 3, 11, 13].map((line) => findTrackAt(found, line))).toEqual([null, 'cache', 'cache', 'sound']);
  expect(findNewestLine(text, 'cache')).toBe('2026-11-28T10:00:00Z');
  expect(findNewestLine(text, 'sound')).toBe('2026-11-28T11:00:00Z');
  expect(findNewestLine(text, 'other')).toBe(null);
  expect(readMarkedTrack(text)).toBe('sound');
  expect(readMarkedTrack('- 2026-11-28T10:00:00Z Edit a: ok')).toBe(null);
});

test('a decision without a time is a violation; what hides the rest of the log is said', () => {
  const text = `${formatLogMark('cache')}\n- Decision: x\n  - Reason: r\n  - Impact: i\n`;
  expect(readWorkLog(FILE, text).violations).toEqual([
    { file: FILE, line: 2, found: 'no At', expected: '"  - At: 2026-01-31T09:00:00Z" below it' },
  ]);
  expect(readWorkLog(FILE, 'a\n```\n- Risk: x').unended).toEqual({
    file: FILE,
    line: 2,
    found: 'a code block without end',
    expected: '``` behind it',
  });
  expect(readWorkLog(FILE, 'a <!-- b\n- Risk: x').unended).toEqual({
    file: FILE,
    line: 1,
    found: 'a comment without end',
    expected: '--> behind it',
  });
});

test('a mark that names no track gives its lines to nobody, never to the track before', () => {
  const text = [formatLogMark('cache'), formatLogMark('../x'), `- ${AT} Edit a: ok`, '- [ ] Task: y'].join(
    '\n',
  );
  const { entries } = readWorkLog(FILE, text);
  expect(entries.map((each) => each.track)).toEqual([null]);
  expect(findNewestLine(text, 'cache')).toBe(null);
});

test('what entryLines() writes into a log is read back', () => {
  const [entry] = parseEntries(FILE, `- Decision: x\n  - Reason: r\n  - Impact: i\n  - At: ${AT}`).entries;
  if (entry === undefined) throw new Error('no entry');
  const text = [formatLogMark('cache'), ...formatEntry(entry)].join('\n');
  expect(readWorkLog(FILE, text).entries).toEqual([
    { ...entry, track: 'cache', source: { file: FILE, line: 2 } },
  ]);
});
