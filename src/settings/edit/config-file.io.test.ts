import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { isUnchanged, readStamp } from '../../platform/look.ts';
import { changeConfigFile } from './config-file.io.ts';

const file = (text?: string, mode = 0o644): string => {
  const path = join(temporaryFolder(), 'config.toml');
  if (text !== undefined) writeFileSync(path, text, { mode });
  return path;
};

describe('changeConfigFile()', () => {
  test('makes a file that is not there, with its folder', () => {
    const folder = join(temporaryFolder(), '.plimsoll');
    expect(changeConfigFile(join(folder, 'config.toml'), () => 'a = 1\n')).toBe(true);
    expect(readFileSync(join(folder, 'config.toml'), 'utf8')).toBe('a = 1\n');
  });

  test('makes nothing where there is nothing to say', () => {
    const folder = join(temporaryFolder(), '.plimsoll');
    expect(changeConfigFile(join(folder, 'config.toml'), (text) => text)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('keeps a link, the mode, and leaves nothing beside the file', () => {
    const target = file('a = 1\n', 0o640);
    chmodSync(target, 0o640);
    const link = join(temporaryFolder(), 'config.toml');
    symlinkSync(target, link);
    expect(changeConfigFile(link, () => 'a = 2\n')).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('a = 2\n');
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  test('changes what somebody else wrote in between, not what it read first', () => {
    const path = file('a = 1\n');
    const seen: string[] = [];
    changeConfigFile(path, (text) => {
      if (seen.push(text) === 1) writeFileSync(path, 'b = 1\n');
      return `${text}c = 1\n`;
    });
    expect(seen).toEqual(['a = 1\n', 'b = 1\n']);
    expect(readFileSync(path, 'utf8')).toBe('b = 1\nc = 1\n');
  });

  test('leaves a file whose change throws as it is', () => {
    const path = file('a = 1\n');
    const before = readStamp(path);
    expect(() =>
      changeConfigFile(path, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(isUnchanged(before)).toBe(true);
  });

  // Same size, and a time that the clock has not reached yet: as within one tick of the file system's clock.
  test('is seen by whoever remembers the file by size and time, at any clock', () => {
    const path = file('a = 0\n');
    const soon = (Date.now() + 900) / 1_000;
    utimesSync(path, soon, soon);
    const stamps = new Set<string>();
    for (let round = 0; round < 9; round++) {
      const { size, mtimeMs } = readStamp(path);
      stamps.add(`${size} ${mtimeMs}`);
      changeConfigFile(path, () => `a = ${round + 1}\n`);
      expect(readStamp(path).mtimeMs).toBeGreaterThan(mtimeMs);
    }
    expect(stamps.size).toBe(9);
  });

  test.each<[string, () => string, RegExp]>([
    [
      'a folder',
      () => {
        const path = file();
        mkdirSync(path);
        return path;
      },
      /it is a folder/,
    ],
    ['a read-only file', () => file('a = 1\n', 0o444), /it is read-only/],
    [
      'a link to nothing',
      () => {
        const path = file();
        symlinkSync('/nowhere/at/all', path);
        return path;
      },
      /a link to a file that is not there/,
    ],
    [
      'what is no text',
      () => {
        const path = file();
        writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe]));
        return path;
      },
      /not UTF-8/,
    ],
    ['what is too large', () => file(`# ${'x'.repeat(1024 * 1024)}\n`), /KB/],
  ])('refuses %s', (_, make, message) => {
    const path = make();
    const edit = () => changeConfigFile(path, (text) => `${text}a = 1\n`);
    expect(edit).toThrow(expect.objectContaining({ code: 'unusable-file' }));
    expect(edit).toThrow(message);
  });
});
