import { expect, test } from 'vitest';
import { parseTime } from './time.ts';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const rows: [text: string, iso: string | null][] = [
  ['90m', '2026-11-28T10:30:00.000Z'],
  ['12h', '2026-11-28T00:00:00.000Z'],
  ['30d', '2026-10-29T12:00:00.000Z'],
  [' 4w ', '2026-10-31T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T12:00:00Z', '2026-11-01T12:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-13-01', null],
  ['2026-02-29', null],
  ['2026-02-30T10:00:00Z', null],
  ['2026-11-31 10:00', null],
  ['yesterday', null],
  ['30', null],
  ['-3d', null],
  ['', null],
];

test.each(rows)('%j', (text, iso) => {
  const moment = parseTime(text, NOW);
  expect(moment === null ? null : new Date(moment).toISOString()).toBe(iso);
});
