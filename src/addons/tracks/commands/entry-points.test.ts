import { expect, test } from 'vitest';
import { addIgnored } from './entry-points.ts';

const OURS = [
  '# plimsoll: what sessions leave behind stays on this machine',
  'artifacts/sessions/',
  'artifacts/checkpoints/*.lock',
  '',
];

test.each<[string, string | null, string]>([
  ['no file', null, OURS.join('\n')],
  ['an empty file', '', OURS.join('\n')],
  ['a list', 'dist/\n', `dist/\n\n${OURS.join('\n')}`],
  ['a list without a last line end', 'dist/', `dist/\n\n${OURS.join('\n')}`],
  ['CRLF', 'dist/\r\n', `dist/\r\n\r\n${OURS.join('\r\n')}`],
  [
    'some of ours',
    '/artifacts/sessions/\n',
    `/artifacts/sessions/\n\n${[OURS[0], ...OURS.slice(2)].join('\n')}`,
  ],
])('%s gets our lines at its end, once', (_, before, after) => {
  expect(addIgnored(before)).toBe(after);
  expect(addIgnored(after)).toBe(after);
});
