import { expect, test } from 'vitest';
import { checkStatusLine, type LineFacts } from './statusline.ts';

const line = (
  scope: LineFacts['lines'][number]['scope'],
  isOurs: boolean,
  wraps: string | null = null,
): LineFacts['lines'][number] => ({ scope, path: `${scope}.json`, isOurs, wraps });
const found = (lines: LineFacts['lines'], exists = true): string[] =>
  checkStatusLine(
    { lines, program: { path: 'statusline.cjs', exists } },
    { path: (path) => path, ago: () => '' },
  ).map(({ level, finding, fix }) => `${level}: ${finding} → ${fix}`);

test.each<[string, string[], string[]]>([
  ['none', found([]), []],
  ['none of ours', found([line('user', false)]), []],
  ['ours', found([line('local', true)]), ['ok: in local.json → null']],
  [
    'ours around another one',
    found([line('local', true, 'x.sh')]),
    ['ok: in local.json, below that of: x.sh → null'],
  ],
  [
    'ours, nearer than another one',
    found([line('local', true), line('user', false)]),
    ['ok: in local.json → null'],
  ],
  [
    'another one, nearer than ours',
    found([line('local', false), line('user', true)]),
    [
      'info: that of local.json is nearer and shown instead of ours in user.json → plimsoll init --statusline --scope local',
    ],
  ],
  [
    'ours, without a program',
    found([line('local', true)], false),
    ['error: local.json asks for it, and there is none at statusline.cjs → plimsoll init --statusline'],
  ],
  [
    'ours around another one, without a program',
    found([line('local', true, 'x.sh')], false),
    [
      'error: local.json asks for it, and there is none at statusline.cjs; the other one is shown alone → plimsoll init --statusline',
    ],
  ],
])('%s', (_, findings, expected) => {
  expect(findings).toEqual(expected);
});
