import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notRun } from '../../test/kit/not-run.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import {
  appendText,
  changeInPlace,
  createFile,
  makeFolder,
  moveFile,
  remove,
  replaceFile,
  writeInPlace,
} from './write.ts';

/** A project with a folder of ours, and beside it a folder of the person with a diary. */
function place(): { ours: string; outside: string; diary: string } {
  const base = realpathSync(temporaryFolder());
  const [ours, outside] = [join(base, 'project', '.plimsoll'), join(base, 'outside')];
  mkdirSync(join(base, 'project'));
  mkdirSync(outside);
  writeFileSync(join(outside, 'diary'), 'dear diary');
  return { ours, outside, diary: join(outside, 'diary') };
}

const WRITES: [string, (path: string) => void][] = [
  ['replaceFile()', (path) => replaceFile(path, 'new')],
  ['createFile()', (path) => void createFile(path, 'new')],
  ['appendText()', (path) => appendText(path, 'new')],
  ['makeFolder()', (path) => makeFolder(path)],
  ['remove()', (path) => remove(path)],
  ['writeInPlace()', (path) => writeInPlace(path, 'new', 0, true)],
  [
    'changeInPlace()',
    (path) => changeInPlace(path, { create: true, from: 0, bytes: 9 }, () => [{ at: 0, text: 'new' }]),
  ],
];

describe.each(WRITES)('%s', (_, write) => {
  test.each([
    ['our folder', (ours: string, outside: string) => symlinkSync(outside, ours), 'diary'],
    [
      'a folder below it',
      (ours: string, outside: string) => {
        mkdirSync(ours);
        symlinkSync(outside, join(ours, 'state'));
      },
      'state/diary',
    ],
    [
      'a folder further below',
      (ours: string, outside: string) => {
        mkdirSync(join(ours, 'state'), { recursive: true });
        symlinkSync(outside, join(ours, 'state', 'claims'));
      },
      'state/claims/diary',
    ],
  ])('changes nothing where %s is a link', (_, make, path) => {
    const { ours, outside, diary } = place();
    make(ours, outside);
    expect(() => write(join(ours, path))).toThrow(expect.objectContaining({ code: 'unsafe-file' }));
    expect(readdirSync(outside)).toEqual(['diary']);
    expect(readFileSync(diary, 'utf8')).toBe('dear diary');
  });

  test('changes nothing in a folder of another user below ours', () => {
    const { ours } = place();
    mkdirSync(join(ours, 'state'), { recursive: true });
    if (process.getuid?.() !== 0) return notRun('folders of another user', 'only root can give folders away');
    chownSync(join(ours, 'state'), 4711, 4711);
    expect(() => write(join(ours, 'state', 'a'))).toThrow("Somebody else's folder");
    expect(readdirSync(join(ours, 'state'))).toEqual([]);
  });
});

describe('a link in place of a file of ours', () => {
  const linked = (): { path: string; diary: string } => {
    const { ours, diary } = place();
    mkdirSync(ours);
    symlinkSync(diary, join(ours, 'file'));
    return { path: join(ours, 'file'), diary };
  };

  test('is replaced itself, and what it led to stays', () => {
    const { path, diary } = linked();
    replaceFile(path, 'new');
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readFileSync(diary, 'utf8')).toBe('dear diary');
  });

  test('takes the name of a file that must be new, also when it leads nowhere', () => {
    const { path } = linked();
    expect(createFile(path, 'new')).toBe(false);
    symlinkSync('/nowhere/at/all', `${path}.2`);
    expect(createFile(`${path}.2`, 'new')).toBe(false);
  });

  test('is never appended through, and goes alone when it is removed', () => {
    const { path, diary } = linked();
    expect(() => appendText(path, 'new')).toThrow(expect.objectContaining({ code: 'unsafe-file' }));
    remove(path);
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(diary, 'utf8')).toBe('dear diary');
  });
});

describe('appendText()', () => {
  test.each([
    ['a second name of another file', (path: string, diary: string) => linkSync(diary, path)],
    ['a FIFO', (path: string) => void expect(spawnSync('mkfifo', [path]).status).toBe(0)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/full', path)],
  ])('does not write to %s', (_, make) => {
    const { ours, diary } = place();
    mkdirSync(ours);
    make(join(ours, 'log'), diary);
    expect(() => appendText(join(ours, 'log'), 'new')).toThrow(
      expect.objectContaining({ code: 'unsafe-file' }),
    );
    expect(readFileSync(diary, 'utf8')).toBe('dear diary');
  });

  test('makes folders and file for the user alone', () => {
    const { ours } = place();
    appendText(join(ours, 'state', 'log'), 'one\n');
    appendText(join(ours, 'state', 'log'), 'two\n');
    expect(readFileSync(join(ours, 'state', 'log'), 'utf8')).toBe('one\ntwo\n');
    expect(
      [ours, join(ours, 'state'), join(ours, 'state', 'log')].map((each) => lstatSync(each).mode & 0o777),
    ).toEqual([0o700, 0o700, 0o600]);
  });
});

test('moveFile() moves nothing into a linked folder', () => {
  const { ours, outside } = place();
  mkdirSync(ours);
  writeFileSync(join(ours, 'a'), 'a');
  symlinkSync(outside, join(ours, 'state'));
  expect(() => moveFile(join(ours, 'a'), join(ours, 'state', 'a'))).toThrow(
    expect.objectContaining({ code: 'unsafe-file' }),
  );
  expect(readdirSync(outside)).toEqual(['diary']);
});
