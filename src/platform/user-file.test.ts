import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deadPid } from '../../test/unit/programs.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { changeUserFile, createUserFile, readUserFile } from './user-file.ts';

const newFile = (content: string | Buffer = 'one\n'): string => {
  const path = join(temporaryFolder(), 'ORCHESTRATION.yaml');
  writeFileSync(path, content);
  return path;
};
const names = (path: string): string[] => readdirSync(join(path, '..'));

describe('readUserFile()', () => {
  test('gives the text byte for byte', () => {
    const text = '\uFEFFa: "ä"\r\nb: 😀';
    expect(readUserFile(newFile(text))).toBe(text);
  });

  test.each([
    ['what is no UTF-8', Buffer.from([0x61, 0xff, 0x0a]), /UTF-8/],
    ['UTF-16', Buffer.from('\uFEFFa: 1\n', 'utf16le'), /UTF-8/],
    ['what is too large', Buffer.alloc(1024 * 1024 + 1, 0x20), /1025 KB/],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readUserFile(newFile(bytes))).toThrow(expect.objectContaining({ code: 'unusable-file' }));
    expect(() => readUserFile(newFile(bytes))).toThrow(message);
  });
});

describe('changeUserFile()', () => {
  test('replaces the file, keeps its mode, and leaves nothing beside it', () => {
    const path = newFile();
    chmodSync(path, 0o664);
    expect(changeUserFile(path, (text) => `${text}two\n`)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o7777).toBe(0o664);
    expect(names(path)).toEqual(['ORCHESTRATION.yaml']);
  });

  test('does not touch a file in which nothing changes', () => {
    const path = newFile();
    const before = statSync(path);
    expect(changeUserFile(path, (text) => text)).toBe(false);
    expect([statSync(path).ino, statSync(path).mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test('follows a link, which stays one', () => {
    const path = newFile();
    const folder = join(path, '..', 'elsewhere');
    mkdirSync(folder);
    symlinkSync(path, join(folder, 'link.yaml'));
    changeUserFile(join(folder, 'link.yaml'), () => 'two\n');
    expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('two\n');
    expect(readdirSync(folder)).toEqual(['link.yaml']);
  });

  test('leaves the file as it is when the change throws', () => {
    const path = newFile();
    expect(() =>
      changeUserFile(path, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect([readFileSync(path, 'utf8'), names(path)]).toEqual(['one\n', ['ORCHESTRATION.yaml']]);
  });

  test('changes the text of somebody who knows no lock and wrote in between', () => {
    const path = newFile();
    let calls = 0;
    const changed = changeUserFile(path, (text) => {
      calls++;
      if (calls <= 2) writeFileSync(path, `${text}foreign ${calls}\n`);
      return `${text}ours\n`;
    });
    expect(changed).toBe(true);
    expect(calls).toBe(3);
    expect(readFileSync(path, 'utf8')).toBe('one\nforeign 1\nforeign 2\nours\n');
  });

  test('gives up, and overwrites nothing, when somebody writes all the time', () => {
    const path = newFile();
    let calls = 0;
    expect(() =>
      changeUserFile(path, (text) => {
        writeFileSync(path, `${text}foreign ${++calls}\n`);
        return 'ours\n';
      }),
    ).toThrow(/keeps changing it/);
    expect(readFileSync(path, 'utf8')).toBe(
      'one\nforeign 1\nforeign 2\nforeign 3\nforeign 4\nforeign 5\nforeign 6\n',
    );
    expect(names(path)).toEqual(['ORCHESTRATION.yaml']);
  });

  test('makes no file that it could not read', () => {
    const path = newFile();
    expect(() => changeUserFile(path, () => 'ä'.repeat(600 * 1024))).toThrow(/would have 1200 KB/);
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  test('waits for nobody where nothing changes', () => {
    const path = newFile();
    writeFileSync(`${path}.lock`, `${process.pid} 0 0`);
    expect(changeUserFile(path, (text) => text, 0)).toBe(false);
    expect(() => changeUserFile(path, () => 'two\n', 0)).toThrow(/held by process/);
  });

  test('works the change out before it takes the lock', () => {
    const path = newFile();
    const locks: boolean[] = [];
    changeUserFile(path, () => {
      locks.push(existsSync(`${path}.lock`));
      return 'two\n';
    });
    expect(locks).toEqual([false]);
  });

  test('writes nothing once somebody has taken over, who thought it dead', () => {
    const path = newFile();
    let calls = 0;
    expect(() =>
      changeUserFile(path, (text) => {
        if (calls++ === 0) writeFileSync(path, 'foreign\n');
        else writeFileSync(`${path}.lock`, 'another');
        return `${text}ours\n`;
      }),
    ).toThrow(/Lost the lock/);
    expect(readFileSync(path, 'utf8')).toBe('foreign\n');
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe('another');
  });

  test('takes over the lock of a dead process, and removes what it left', async () => {
    const path = newFile();
    const pid = await deadPid();
    writeFileSync(`${path}.lock`, `${pid} 0 0`);
    writeFileSync(`${path}.${pid}.0.tmp`, 'half');
    writeFileSync(`${path}.${process.pid}.7.tmp`, 'of a process that runs');
    writeFileSync(`${path}.bak`, 'of the user');
    changeUserFile(path, () => 'two\n');
    expect(names(path)).toEqual([
      'ORCHESTRATION.yaml',
      `ORCHESTRATION.yaml.${process.pid}.7.tmp`,
      'ORCHESTRATION.yaml.bak',
    ]);
  });
});

describe('createUserFile()', () => {
  test('creates a file as an editor would, and leaves one alone that is there', () => {
    const path = join(temporaryFolder(), 'a.yaml');
    expect(createUserFile(path, 'one\n')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(createUserFile(path, 'two\n')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});
