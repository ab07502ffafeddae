import { describe, expect, test } from 'vitest';
import { askedFor, lastRequests } from './asked.ts';

const PORT = 'Port the expression compiler to TypeScript, keep the API';
const NAME = 'Rename the package before you go on';

describe('askedFor()', () => {
  test.each<[string, string[], ReturnType<typeof askedFor>]>([
    ['nothing', [], null],
    ['the last request', [PORT, NAME], { request: NAME, before: null }],
    [
      'the last words with the request that they push on',
      [PORT, 'yes', 'go on'],
      { request: 'go on', before: PORT },
    ],
    ['the last words, where there is nothing else', ['yes', 'go on'], { request: 'go on', before: null }],
    ['a command, which is short and whole', [PORT, '/review'], { request: '/review', before: null }],
  ])('is %s', (_, requests, expected) => {
    expect(askedFor(requests)).toEqual(expected);
  });
});

describe('lastRequests()', () => {
  const pushes = ['one', 'two', 'three', 'four', 'five', 'six'];
  test.each<[string, string[], string[], string[]]>([
    ['the last five', ['zero', ...pushes], [], pushes.slice(1)],
    ['the one that they lean on, in place of the oldest', [PORT, ...pushes], [], [PORT, ...pushes.slice(2)]],
    ['that one from an earlier epoch', ['go on'], [PORT, 'yes'], [PORT, 'go on']],
    ['nothing of an earlier epoch, where they stand alone', [NAME, 'yes'], [PORT], [NAME, 'yes']],
  ])('are %s', (_, requests, earlier, expected) => {
    expect(lastRequests(requests, earlier)).toEqual(expected);
  });
});
