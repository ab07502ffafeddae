import { describe, expect, test } from 'vitest';
import { shortenId, shortenPath } from './lines.ts';

describe('relative()', () => {
  test.each([
    ['/project/src/a.ts', '/project', 'src/a.ts'],
    ['/project/src/a.ts', '/project/', 'src/a.ts'],
    ['/projects/a.ts', '/project', '/projects/a.ts'],
    ['/elsewhere/a.ts', '/project', '/elsewhere/a.ts'],
    ['/project', '/project', '/project'],
    ['/project/a.ts', null, '/project/a.ts'],
  ])('shows %s below %s as %s', (path, root, expected) => {
    expect(shortenPath(path, root)).toBe(expected);
  });
});

test.each([
  ['6224bcf6-1f63-4d90-ad15-f9389d1b1c02', '6224bcf6'],
  ['01a22d51-367e-75de-b391-64e7ff6eb209', '01a22d51-367e'],
  ['ses_dd2ababf9ffelhjWposvAyfc6N', 'ses_dd2ababf'],
  ['session-1', 'session-'],
  ['a', 'a'],
])('of the id %s there is %s', (id, expected) => expect(shortenId(id)).toBe(expected));
