import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../test/kit/effort.ts';
import { AT_THE_MOMENT, deadPid, program, start, together } from '../../test/unit/programs.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { withLock } from './lock.ts';

const counter = (): string =>
  program(`
    import { readFileSync } from 'node:fs';
    import { replaceFile } from './platform/write.ts';
    import { withLock } from './platform/lock.ts';
    ${AT_THE_MOMENT}
    const [path, rounds] = args;
    let waited = 0;
    for (let done = 0; done < Number(rounds); ) {
      try {
        withLock(path, () => replaceFile(path, String(Number(readFileSync(path, 'utf8')) + 1)));
        done++;
      } catch (error) {
        if (!String(error).includes('Cannot lock')) throw error;
        waited++; // not to be had in time: nothing was changed
      }
    }
    console.log(waited);
  `);

describe('withLock()', () => {
  test('gives back what the change gives, and leaves no lock', () => {
    const path = join(temporaryFolder(), 'a');
    expect(withLock(path, () => existsSync(`${path}.lock`))).toBe(true);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('leaves no lock when the change throws', () => {
    const path = join(temporaryFolder(), 'a');
    expect(() =>
      withLock(path, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('loses no change of 8 processes with 50 each', async () => {
    const path = join(temporaryFolder(), 'count');
    writeFileSync(path, '0');
    await together(counter(), 8, [path, '50']);
    expect(readFileSync(path, 'utf8')).toBe('400');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('loses no change of 8 processes that find the lock of a dead one', async () => {
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const path = join(temporaryFolder(), 'count');
      writeFileSync(path, '0');
      writeFileSync(`${path}.lock`, `${await deadPid()} 0 0`);
      await together(counter(), 8, [path, '3']);
      expect(readFileSync(path, 'utf8')).toBe('24');
    }
  });

  test.each([
    ['when it looks', 1],
    ['when it judges', 2],
  ])('leaves a living holder its lock, also where the one before it was still there %s', async (_, times) => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(`${path}.lock`, `${await deadPid()} 0 0`);
    // Behind so many looks another process has taken over already.
    const source = program(`
      import fs from 'node:fs';
      import { withLock } from './platform/lock.ts';
      const [, , path, living, times] = process.argv;
      const { openSync } = fs;
      let looks = 0;
      fs.openSync = (file, ...more) => {
        const isBehind = looks === Number(times);
        if (isBehind) fs.writeFileSync(path + '.lock', living + ' 1 1');
        if (isBehind || file === path + '.lock') looks++;
        return openSync(file, ...more);
      };
      try {
        withLock(path, () => console.log('in'));
      } catch (error) {
        console.log(error.message);
      }
    `);
    const { stdout } = await start(source, [path, String(process.pid), String(times)]).ended;
    expect(stdout).toBe(`Cannot lock "${path}": held by process ${process.pid}\n`);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(`${process.pid} 1 1`);
  });

  test('tells whoever holds the lock when it was taken over', () => {
    const path = join(temporaryFolder(), 'a');
    const held = withLock(path, (isHeld) => {
      const before = isHeld();
      writeFileSync(`${path}.lock`, '1 2 3');
      return [before, isHeld()];
    });
    expect(held).toEqual([true, false]);
  });

  test('takes over the lock of a dead process', async () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(`${path}.lock`, `${await deadPid()} 0 0`);
    expect(withLock(path, () => 'done')).toBe('done');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('takes it over also where another process died while it did so', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    for (const name of ['a.lock', 'a.lock.take']) writeFileSync(join(folder, name), `${await deadPid()} 0 0`);
    expect(withLock(path, () => 'done')).toBe('done');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('takes over a lock that is older than 5 seconds, though its process lives', () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(`${path}.lock`, `${process.pid} 0 0`);
    const then = (Date.now() - 6_000) / 1_000;
    utimesSync(`${path}.lock`, then, then);
    expect(withLock(path, () => 'done')).toBe('done');
  });

  test('gives up on a living holder after less than a second, and changes nothing', () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(`${path}.lock`, `${process.pid} 0 0`);
    let changed = false;
    const start = Date.now();
    expect(() =>
      withLock(path, () => {
        changed = true;
      }),
    ).toThrow(`Cannot lock "${path}": held by process ${process.pid}`);
    expect(Date.now() - start).toBeLessThan(1_000);
    expect(changed).toBe(false);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(`${process.pid} 0 0`);
  });
});
