// Tests that a hook finds its bundles wherever the bundle lies and whatever options Node has.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

function warned(host: Host): Host {
  host.append(request('Go'), answer(125_000));
  return host;
}

const copyTo = (bundle: string): void => {
  for (const name of readdirSync(DIST).filter((each) => each.endsWith('.cjs')))
    cpSync(path.join(DIST, name), path.join(bundle, name));
};

/** How a prompt's hook ends that is started from a folder of bundles. */
function prompt(host: Host, bundle: string): { status: number | null; stdout: string; stderr: string } {
  const payload = {
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'x',
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(bundle, 'hook.cjs'), 'UserPromptSubmit'],
    { cwd: host.project, env: host.env, input: JSON.stringify(payload), encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}
const WARNED = { status: 0, stdout: expect.stringContaining('CONTEXT STATUS: WARNING'), stderr: '' };
const SILENT = { status: 0, stdout: '', stderr: '' };

test.each([
  ['evaluate no text', '--disallow-code-generation-from-strings'],
  ['warn of what is deprecated', '--pending-deprecation'],
])('where Node was told to %s, a prompt is answered as ever', (_, options) => {
  const host = warned(newHost({ env: { NODE_OPTIONS: options } }));
  const { code, stderr, context } = host.fire('UserPromptSubmit', { prompt: 'x' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(context).toContain('CONTEXT STATUS: WARNING');
  expect(existsSync(host.state('failures.jsonl'))).toBe(false);
});

test.each([
  ['blanks', 'a folder with blanks'],
  ['a line break and code', 'x\n;process.exit(7);0'],
  ['characters of other scripts', '満載喫水線'],
])('a bundle in a folder with %s in its name answers', (_, name) => {
  const host = warned(newHost());
  const bundle = path.join(host.root, name);
  copyTo(bundle);
  expect(prompt(host, bundle)).toEqual(WARNED);
});

test.each([
  ['fast.cjs', false],
  ['full.cjs', true],
])('a torn %s ends the hook well, and is noted where that can be', (name, isNoted) => {
  const host = warned(newHost());
  const bundle = path.join(host.root, 'bundle');
  copyTo(bundle);
  writeFileSync(path.join(bundle, name), '"use strict";var a=(');
  expect(prompt(host, bundle)).toEqual(SILENT);
  expect(existsSync(host.state('failures.jsonl'))).toBe(isNoted);
});

test('the bundles hold ASCII alone, as which they are read', () => {
  const held = readdirSync(DIST).filter(
    (name) => name.endsWith('.cjs') && /[^\0-\x7f]/.test(readFileSync(path.join(DIST, name), 'utf8')),
  );
  expect(held).toEqual([]);
});

describe('what V8 compiled', () => {
  const compiledIn = (bundle: string): string[] =>
    readdirSync(path.join(bundle, 'compiled')).map((name) => path.join(bundle, 'compiled', name));
  function warmed(): { host: Host; bundle: string } {
    // With a setting from the environment every prompt takes the full path.
    const host = warned(newHost({ env: { PLIMSOLL_CONTEXT_MONITOR__EMIT: 'always' } }));
    const bundle = path.join(host.root, 'bundle');
    copyTo(bundle);
    expect(prompt(host, bundle)).toEqual(WARNED);
    return { host, bundle };
  }

  test('is kept for the next run, for the user alone, and then left as it is', () => {
    const { host, bundle } = warmed();
    const stamps = () => compiledIn(bundle).map((file) => [file, statSync(file).ino, statSync(file).mode]);
    const before = stamps();
    expect(before.map(([file]) => path.basename(`${file}`).replace(/-.*/, '')).sort()).toEqual([
      'fast',
      'full',
    ]);
    for (const [, , mode] of before) expect(Number(mode) & 0o777).toBe(0o600);
    expect(prompt(host, bundle)).toEqual(WARNED);
    expect(stamps()).toEqual(before);
  });

  test.each<[string, (bytes: Buffer, at: number) => Buffer]>([
    [
      'a wrong byte',
      (bytes, at) =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([(bytes[at] ?? 0) ^ 0x10]),
          bytes.subarray(at + 1),
        ]),
    ],
    ['an end that is missing', (bytes, at) => bytes.subarray(0, at)],
    ['nothing in it', () => Buffer.alloc(0)],
    [
      'something else in it',
      (bytes) => Buffer.concat([Buffer.alloc(bytes.length / 2, 7), Buffer.alloc(bytes.length / 2, 7)]),
    ],
  ])('is made anew where a file has %s', (_, spoilt) => {
    const { host, bundle } = warmed();
    const files = compiledIn(bundle).map((file) => ({ file, good: readFileSync(file) }));
    for (const time of some([0, 1, 2, 3, 4], 2)) {
      for (const { file, good } of files) {
        // The start holds what V8 trusts most; anywhere else a byte is as wrong.
        writeFileSync(file, spoilt(good, time === 0 ? 40 : Math.floor((good.length * (time + 0.3)) / 5)));
      }
      expect(prompt(host, bundle)).toEqual(WARNED);
    }
    for (const { file } of files) {
      const bytes = readFileSync(file);
      expect(bytes.subarray(0, bytes.length / 2).equals(bytes.subarray(bytes.length / 2))).toBe(true);
    }
    expect(prompt(host, bundle)).toEqual(WARNED);
  });

  test('is one file for all commands, whatever is typed', () => {
    const host = newHost();
    const bundle = path.join(host.root, 'bundle');
    copyTo(bundle);
    for (const words of [['recall', 'port'], ['recall', 'limit'], ['nonsense']])
      spawnSync(process.execPath, [path.join(bundle, 'cli.cjs'), ...words], {
        cwd: host.project,
        env: host.env,
      });
    expect(compiledIn(bundle).map((file) => path.basename(file).replace(/-.*/, ''))).toEqual(['commands']);
  });

  test('is done without where its folder is none', () => {
    const host = warned(newHost());
    const bundle = path.join(host.root, 'bundle');
    copyTo(bundle);
    writeFileSync(path.join(bundle, 'compiled'), '');
    expect(prompt(host, bundle)).toEqual(WARNED);
    expect(readFileSync(path.join(bundle, 'compiled'), 'utf8')).toBe('');
  });
});
