import { describe, expect, test } from 'vitest';
import { shortenPath } from './lines.ts';

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
