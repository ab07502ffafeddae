import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { runOnThreads } from './workers.ts';

const BUNDLE = `
const { writeFileSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
exports.serve = () => parentPort.on('message', ({ input }) => {
  if (input === 'fail') throw new Error('torn');
  setTimeout(() => writeFileSync(input, ''), 500);
});`;

test('where a task fails, the other threads end', async () => {
  const folder = temporaryFolder();
  const [bundle, written] = [join(folder, 'bundle.cjs'), join(folder, 'written')];
  writeFileSync(bundle, BUNDLE);
  const given = { bundle, name: 'serve', data: null, threads: 2, onProgress: () => {} };
  await expect(runOnThreads([written, 'fail'], given)).rejects.toThrow('torn');
  await setTimeout(700);
  expect(existsSync(written)).toBe(false);
});
