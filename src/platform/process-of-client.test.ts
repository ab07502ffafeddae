import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deadPid } from '../../test/unit/programs.ts';
import { findClientProcess, isAlive, isRunning, readProcessStart } from './process.ts';

const hasProc = existsSync('/proc/self/stat');

describe('isRunning()', () => {
  test('knows this very process, and not another one under its id', async () => {
    const began = readProcessStart(process.pid);
    expect(isRunning({ pid: process.pid, began })).toBe(true);
    expect(isRunning({ pid: process.pid, began: null })).toBe(true);
    expect(isRunning({ pid: process.pid, began: '1' })).toBe(!hasProc);
    expect(isRunning({ pid: await deadPid(), began: null })).toBe(false);
  });
});

describe('isAlive()', () => {
  test('takes a process that is dead and not buried yet for dead', async () => {
    // A shell starts a child that ends at once, and becomes a program that never asks after it.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], {
      env: { PATH: process.env.PATH },
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.on('data', (text: Buffer) => resolve(Number(text))),
    );
    // Some systems have no such file, and take the dead one for alive a little longer.
    await new Promise((resolve) => execFile('sleep', ['0.3'], resolve));
    expect(isAlive(pid)).toBe(!hasProc);
  });
});

describe('findClientProcess()', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['no number', null],
    ['-5', null],
    ['999999999', { pid: 999_999_999, began: null }],
    [String(process.pid), { pid: process.pid, began: readProcessStart(process.pid) }],
  ])('reads HOST_PID=%j', (value, expected) => {
    expect(findClientProcess(value === undefined ? {} : { HOST_PID: value })).toEqual(expected);
  });
});
