// Tests `plimsoll report` from the command line: what it writes where, and what it says when it cannot.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { findChromium } from '../kit/browser.ts';
import { notRun } from '../kit/not-run.ts';
import { injection, jsonl } from '../unit/lines.ts';
import { run } from './healthy.ts';
import { converseReported, HOSTILE, reportFile } from './reported.ts';

test('the newest session of the project becomes one page for the person alone', () => {
  const host = newHost();
  converseReported(host);
  const { code, stdout } = run(host, 'report');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Written: plimsoll-report\.html \(1 session, 1 compaction\)/),
  });
  expect(statSync(reportFile(host)).mode & 0o777).toBe(0o600);
  const page = readFileSync(reportFile(host), 'utf8');
  expect(page).toContain('161,000 → 40,000');
  expect(page).toMatch(/compaction-alert/);
  for (const known of ['Never touch the lock file!', 'npm test → Error: expected 3, got 4', 'b.ts'])
    expect(page).toContain(known);
  expect(page).not.toContain('<script');
  // The same input gives the same page, but for the time of its making and what the hooks count of it.
  expect(run(host, 'report').code).toBe(0);
});

test('what a session says is redacted', () => {
  const host = newHost();
  const file = converseReported(host);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const lines = readFileSync(file, 'utf8').replaceAll('npm test', `npm test --token ${secret}`);
  const told = injection(`<context-monitor>\nCONTEXT STATUS: LOW, ${secret}\n</context-monitor>`);
  writeFileSync(file, `${lines}${jsonl([told, { type: 'custom-title', customTitle: `Use ${secret}` }])}`);
  expect(run(host, 'report').code).toBe(0);
  const page = readFileSync(reportFile(host), 'utf8');
  expect(page).toContain('CONTEXT STATUS: LOW');
  expect(page).not.toContain(secret);
});

test.each([
  ['by the beginning of its id', '0f6e3a52'],
  ['by its file', '../home/.claude/projects/PROJECT/0f6e3a52-1111-4222-8333-444455556666.jsonl'],
])('a session is named %s', (_, named) => {
  const host = newHost();
  converseReported(host);
  const name = named.replace('PROJECT', host.project.replace(/[^A-Za-z0-9]/g, '-'));
  expect(run(host, 'report', name, '-o', 'out/page.html').stdout).toMatch(/^Written: out\/page\.html/);
  expect(existsSync(reportFile(host, 'out/page.html'))).toBe(true);
});

test('several sessions make an overview; what was needed is looked into where it is asked for', () => {
  const host = newHost();
  converseReported(host);
  converseReported(host, '1f6e3a52-1111-4222-8333-444455556666');
  for (const named of [['--all'], ['.'], ['0f6e3a52', '1f6e3a52']]) {
    const page = run(host, 'report', ...named, '-o', '-').stdout;
    expect(page).toMatch(/<h1>Plimsoll report: 2 sessions<\/h1>/);
    expect(page.match(/<section class="session"/g)).toHaveLength(2);
    expect(page).not.toContain('retention by the summary');
  }
  expect(run(host, 'report', '--all', '--retention', '-o', '-').stdout).toContain('retention by the summary');
});

test('the chart of a session alone is an SVG file', () => {
  const host = newHost();
  converseReported(host);
  expect(run(host, 'report', '--svg').code).toBe(0);
  const svg = readFileSync(reportFile(host, 'plimsoll-report.svg'), 'utf8');
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toContain(HOSTILE);
});

test('the page is drawn as a picture by a browser that is installed', (context) => {
  const browser = findChromium();
  if (browser === null) {
    notRun('report --png', 'no Chromium or Chrome is installed here');
    context.skip();
  }
  const host = newHost({ env: { PLIMSOLL_CHROMIUM: browser ?? '' } });
  converseReported(host);
  expect(run(host, 'report', '--png')).toMatchObject({ code: 0, stderr: '' });
  const picture = readFileSync(reportFile(host, 'plimsoll-report.png'));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.readUInt32BE(16)).toBe(1_120);
  expect(picture.readUInt32BE(20)).toBeGreaterThan(1_200);
});

test('--open starts what the system has for it', () => {
  const host = newHost();
  converseReported(host);
  const bin = path.join(host.root, 'bin');
  mkdirSync(bin);
  const opener = path.join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\necho "$1" > "${host.root}/opened"\n`);
  chmodSync(opener, 0o755);
  host.env.PATH = `${bin}${path.delimiter}${host.env.PATH}`;
  expect(run(host, 'report', '--open').code).toBe(0);
  const opened = path.join(host.root, 'opened');
  for (let tries = 0; tries < 200 && !existsSync(opened); tries++)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  expect(readFileSync(opened, 'utf8').trim()).toBe(reportFile(host));
});

test.each([
  ['no session', [], 1, 'No session was found for', 'plimsoll report PATH'],
  ['an unknown one', ['nope'], 1, 'Neither a file nor a session: "nope"', 'plimsoll session list'],
  ['no such file', ['gone.jsonl'], 1, 'Nothing is there: ', 'name a transcript'],
  ['other lines', ['other.jsonl'], 1, 'Nothing in it is a call of a model', 'plimsoll report PATH'],
  ['two pictures at once', ['other.jsonl', '--svg', '--png'], 2, 'Either --svg or --png', 'twice'],
  [
    'a picture to print',
    ['other.jsonl', '--png', '-o', '-'],
    2,
    'there is no file for --png',
    '-o report.html',
  ],
  ['a folder as file', ['calls.jsonl', '-o', '.'], 2, 'A folder, no file', '-o report.html'],
  [
    'a chart of many',
    ['calls.jsonl', 'other.jsonl', '--svg'],
    2,
    '--svg draws one session',
    'plimsoll report SESSION',
  ],
  ['no browser', ['calls.jsonl', '--png'], 1, 'No Chromium, Chrome or Edge was found', 'PLIMSOLL_CHROMIUM'],
  [
    'a port of nothing',
    ['--port', '8080'],
    2,
    '--port is for --watch',
    'plimsoll report --watch --port 8080',
  ],
  [
    'a file to be served',
    ['--watch', '-o', 'x'],
    2,
    "'--watch' cannot be used with option '-o",
    'report --help',
  ],
  ['a port that is none', ['--watch', '--port', 'x'], 2, '--port "x" is no port', '--port 8080'],
])('what cannot be reported is said with the next step: %s', (_, args, code, words, next) => {
  const host = newHost();
  writeFileSync(path.join(host.project, 'other.jsonl'), 'hello\n{"a":1}\n');
  const session = readFileSync(converseReported(newHost()));
  writeFileSync(path.join(host.project, 'calls.jsonl'), session);
  host.env.PATH = '/nowhere';
  const result = run(host, 'report', ...args);
  expect(result).toMatchObject({ code, stderr: expect.stringContaining(words) });
  expect(result.stderr).toContain(next);
});
