import { defineConfig } from 'vitest/config';
import { isLong } from './test/kit/effort.ts';
import { memoryFolder } from './test/kit/memory-folder.ts';

// On a busy machine other processes may be later than a test can wait. What fails there is run once more, and verify says so.
const retry = 1;
/** Files share a process, and what it has loaded: no test changes a module, and each has folders of its own. */
const isolate = false;
/** `npm run verify:long` runs the long campaigns too, and every campaign whole: test/kit/effort.ts. */
const exclude = isLong ? [] : ['**/*.long.test.ts'];
/** Where tests write: in memory, on a disk with `npm run verify:long`, or where TMPDIR says. */
const folder = isLong || process.env.TMPDIR !== undefined ? null : memoryFolder();
if (folder !== null) process.env.TMPDIR = folder;

// unit: pure functions and the store in temporary folders; hooks: the command line and the hooks, in a worker or spawned; client: the real client.
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: true,
    maxWorkers: 2,
    setupFiles: ['test/kit/begin-test.ts'],
    exclude: ['**/node_modules/**', ...exclude],
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: { name: 'unit', isolate, include: ['src/**/*.test.ts', 'test/{unit,hosts}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'hooks',
          isolate,
          retry,
          include: ['test/{hooks,cli}/**/*.test.ts'],
          globalSetup: ['test/kit/built.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          retry,
          include: ['test/client/**/*.test.ts'],
          globalSetup: ['test/kit/built.ts', 'test/client/setup.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
