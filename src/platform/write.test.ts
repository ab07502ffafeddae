import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, program, start, together } from '../../test/unit/programs.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { createFile, remove, replaceFile } from './write.ts';

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('createFile()', () => {
  test('creates a file and its folders, for the user alone', () => {
    const path = join(temporaryFolder(), 'a', 'b', 'c.json');
    expect(createFile(path, 'text\n')).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('text\n');
    expect(mode(path)).toBe(0o600);
    expect(mode(join(path, '..'))).toBe(0o700);
  });

  test('says false for a name that is taken, and leaves the file alone', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    writeFileSync(path, 'old');
    expect(createFile(path, 'new', { fsync: true })).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('says false for a name that a folder has', () => {
    const path = join(temporaryFolder(), 'a');
    mkdirSync(path);
    expect(createFile(path, 'new')).toBe(false);
  });

  test('lets exactly one of 12 processes create a file, whole', async () => {
    const path = join(temporaryFolder(), 'claim');
    const source = program(`
      import { createFile } from './platform/write.ts';
      ${AT_THE_MOMENT}
      const text = (process.pid + '\\n').repeat(20000);
      console.log(createFile(args[0], text) ? process.pid : '');
    `);
    const ended = await together(source, 12, [path]);
    const winners = ended.map((each) => each.stdout.trim()).filter((pid) => pid !== '');
    expect(winners).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(`${winners[0]}\n`.repeat(20_000));
    expect(readdirSync(join(path, '..'))).toEqual(['claim']);
  }, 30_000);
});

describe('replaceFile()', () => {
  test('creates and replaces a file as a whole, with the mode wanted', () => {
    const path = join(temporaryFolder(), 'a', 'b');
    replaceFile(path, 'one');
    expect([readFileSync(path, 'utf8'), mode(path)]).toEqual(['one', 0o600]);
    replaceFile(path, 'two', { mode: 0o640, fsync: true });
    expect([readFileSync(path, 'utf8'), mode(path)]).toEqual(['two', 0o640]);
    expect(readdirSync(join(path, '..'))).toEqual(['b']);
  });

  test('leaves nothing behind when it fails', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    mkdirSync(join(path, 'full'), { recursive: true });
    expect(() => replaceFile(path, 'text')).toThrow();
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('writes every character', () => {
    const path = join(temporaryFolder(), 'a');
    const text = `${'ü 世界 👋\n'.repeat(100_000)}end`;
    replaceFile(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('a process killed in the middle of writing', () => {
  const isWhole = (text: string): boolean => /^(\d+):x+:\1$/.test(text);

  test('leaves the old file or the new one, never a half', async () => {
    const source = program(`
      import { replaceFile } from './platform/write.ts';
      const [path] = process.argv.slice(2);
      for (let index = 0; ; index++) {
        replaceFile(path, index + ':' + 'x'.repeat(3000000) + ':' + index, { fsync: index % 2 === 0 });
        if (index === 0) console.log('ready');
      }
    `);
    const path = join(temporaryFolder(), 'state.json');
    for (let round = 0; round < 8; round++) {
      const { child, ended } = start(source, [path]);
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      await pause(7 * round);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      expect(isWhole(readFileSync(path, 'utf8'))).toBe(true);
    }
  }, 30_000);

  test('leaves a new file whole or not at all', async () => {
    const source = program(`
      import { createFile } from './platform/write.ts';
      const [folder, from] = process.argv.slice(2);
      for (let index = 0; ; index++) {
        createFile(folder + '/f' + from + '-' + index, index + ':' + 'x'.repeat(1000000) + ':' + index);
        if (index === 0) console.log('ready');
      }
    `);
    const folder = temporaryFolder();
    for (let round = 0; round < 6; round++) {
      const { child, ended } = start(source, [folder, String(round)]);
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      await pause(10 + 9 * round);
      child.kill('SIGKILL');
      await ended;
    }
    const files = readdirSync(folder).filter((name) => !name.endsWith('.tmp'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !isWhole(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  }, 30_000);
});

describe('remove()', () => {
  test('removes a file, and does not mind a missing one', () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(path, '');
    remove(path);
    remove(path);
    expect(existsSync(path)).toBe(false);
  });

  test('throws for what is no file', () => {
    expect(() => remove(temporaryFolder())).toThrow();
  });
});
