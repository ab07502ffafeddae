import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsIn, temporaryFolder, temporaryProject } from '../../test/unit/temporary.ts';
import type { UsageSample } from './client-usage.ts';
import { readBestSample, writeSample } from './usage-samples.io.ts';

const frame = (more: Partial<UsageSample> = {}): UsageSample => ({
  v: 1,
  session: 'a/../b',
  from: 'module',
  at: 1_000,
  tokens: 5,
  window: 200_000,
  model: null,
  ...more,
});

test('what one writer wrote is read, whatever the session is called', () => {
  const root = temporaryFolder();
  const paths = pathsIn(root);
  expect(readBestSample(paths, 'a/../b')).toBeNull();
  writeSample(paths, frame());
  expect(readBestSample(paths, 'a/../b')).toEqual(frame());
  expect(readBestSample(paths, 'ab')).toBeNull();
  const [name = ''] = readdirSync(paths.sessions);
  expect(readdirSync(paths.sessions)).toEqual([name]);
  expect(name).toMatch(/^x-ab-[0-9a-f]+$/);
  expect(readdirSync(join(paths.sessions, name))).toEqual(['module.feed']);
  expect(statSync(join(paths.sessions, name)).mode & 0o777).toBe(0o700);
  expect(statSync(join(paths.sessions, name, 'module.feed')).mode & 0o777).toBe(0o600);
});

test('two writers have a file each, and a damaged one leaves the other', () => {
  const paths = temporaryProject();
  writeSample(paths, frame({ session: 'c', from: 'statusline', tokens: 7 }));
  writeSample(paths, frame({ session: 'c', tokens: 6 }));
  expect(readBestSample(paths, 'c')?.tokens).toBe(6);
  writeFileSync(
    paths.session('c').feed('module'),
    readFileSync(paths.session('c').feed('module'), 'utf8').slice(0, 20),
  );
  expect(readBestSample(paths, 'c')?.tokens).toBe(7);
  writeFileSync(paths.session('c').feed('statusline'), '');
  expect(readBestSample(paths, 'c')).toBeNull();
});

test('a folder where the file should be is no frame', () => {
  const paths = temporaryProject();
  mkdirSync(paths.session('c').feed('module'), { recursive: true });
  expect(readBestSample(paths, 'c')).toBeNull();
});
