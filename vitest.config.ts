import { defineConfig } from 'vitest/config';

// unit: pure functions and the store in temporary folders; hooks: the built bundle, spawned; client: the real client.
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: true,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'hooks',
          include: ['test/{hooks,cli}/**/*.test.ts'],
          globalSetup: ['test/kit/built.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['test/client/**/*.test.ts'],
          globalSetup: ['test/kit/built.ts', 'test/client/setup.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
