import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { ensureStateFolder } from './atomic.ts';

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('ensureStateFolder()', () => {
  test('makes the folder with a .gitignore that keeps conversations out of git', () => {
    const folder = join(temporaryFolder(), '.plimsoll');
    ensureStateFolder(folder);
    const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n');
    for (const name of [
      'config.local.toml',
      'config.snapshot.json',
      'checkpoints/',
      'conversations/',
      'claims/',
      'events/',
      'failures.jsonl',
    ]) {
      expect(ignored).toContain(name);
    }
    expect(ignored).not.toContain('config.toml');
    expect(mode(folder)).toBe(0o700);
  });

  test('leaves a .gitignore of the user alone', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.gitignore'), '*\n');
    ensureStateFolder(folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });
});
