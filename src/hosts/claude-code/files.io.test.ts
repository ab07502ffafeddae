// Tests the names of Claude Code's files.
import { describe, expect, test } from 'vitest';
import { findConfigFolder, listClientSettings } from './files.io.ts';

test('the folder of the client is where the environment points, else in the home folder', () => {
  expect(findConfigFolder({ HOME: '/home/me' })).toBe('/home/me/.claude');
  expect(findConfigFolder({ HOME: '/home/me', CLAUDE_CONFIG_DIR: '/claude' })).toBe('/claude');
});

describe('listClientSettings()', () => {
  test("names the client's own files, weakest first", () => {
    expect(listClientSettings('/p', { HOME: '/home/me' })).toEqual([
      '/home/me/.claude/settings.json',
      '/p/.claude/settings.json',
      '/p/.claude/settings.local.json',
    ]);
    expect(listClientSettings(null, { HOME: '/home/me' })).toEqual(['/home/me/.claude/settings.json']);
  });
});
