// Tests the live report: only its address gets anything, and the page follows the sessions while they run.
import { appendFileSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { needBrowser, openPage, startBrowser } from '../kit/browser.ts';
import { until } from '../kit/wait.ts';
import { watchReport } from '../kit/watched-report.ts';
import { jsonl } from '../unit/lines.ts';
import { run } from './healthy.ts';
import { sessionLines } from './reported.ts';
import { converse } from './saved.ts';

let started: Browser | null = null;
beforeAll(async () => {
  started = await startBrowser();
});
afterAll(() => started?.close());

interface Got {
  status: number | undefined;
  body: string;
  headers: Record<string, unknown>;
}

const get = (
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    ask(url, { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode, body, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });

test('whoever has no address gets nothing, and neither does another origin', async () => {
  const host = newHost();
  converse(host, sessionLines(host.project), 'reported');
  const { url, child } = await watchReport({ cwd: host.project, env: host.env });
  const { origin, port } = new URL(url);
  const own = await get(url);
  expect(own).toMatchObject({ status: 200, body: expect.stringContaining('Plimsoll report') });
  expect(own.headers).not.toHaveProperty('access-control-allow-origin');
  const token = url.split('/').at(-2) ?? '';
  const refused: [string, Parameters<typeof get>[1], number][] = [
    [`${origin}/`, {}, 404],
    [origin, {}, 404],
    [`${origin}/${'x'.repeat(32)}/`, {}, 404],
    [`${origin}/${token.slice(0, -1)}/`, {}, 404],
    [`${origin}/${token}`, {}, 404],
    [`${url}other`, {}, 404],
    [`${url}../main`, {}, 404],
    [`${url}main/x`, {}, 404],
    [url, { headers: { origin: 'https://example.com' } }, 403],
    [url, { headers: { origin: 'null' } }, 403],
    [`${url}main`, { headers: { origin: `http://127.0.0.1:${Number(port) + 1}` } }, 403],
    [`${url}events`, { headers: { host: `example.com:${port}` } }, 403],
    [url, { headers: { host: '127.0.0.1' } }, 403],
    [url, { method: 'POST' }, 405],
    [url, { method: 'OPTIONS' }, 405],
  ];
  for (const [address, options, status] of refused)
    expect({ address, options, ...(await get(address, options)) }).toMatchObject({
      address,
      status,
      body: '',
    });
  for (const name of ['localhost', '127.0.0.1'])
    expect(
      (await get(`${url}main`, { headers: { host: `${name}:${port}`, origin: `http://${name}:${port}` } }))
        .status,
    ).toBe(200);
  child.kill('SIGINT');
  await until(() => child.exitCode !== null || child.signalCode !== null, { what: 'its end' });
});

test('sessions appear, grow and are compacted on the page, and what was open stays open', async (context) => {
  const browser = needBrowser(started, context);
  const host = newHost();
  const { url } = await watchReport({ cwd: host.project, env: host.env });
  const { page, errors } = await openPage(browser, url);
  expect(await page.getByText('0 sessions').count()).toBe(1);
  const lines = sessionLines(host.project);
  const at = lines.findIndex((line) => line.subtype === 'compact_boundary');
  const file = converse(host, lines.slice(0, 3), 'reported');
  await page.getByText('Main-chain calls').waitFor();
  await page.getByText('The figures behind the chart').click();
  appendFileSync(file, jsonl(lines.slice(3, at)));
  await page.locator('dd', { hasText: '160,000 tokens, 96% of the limit' }).waitFor();
  expect(await page.locator('details[open]').count()).toBeGreaterThan(0);
  expect(await page.getByText('the session was never compacted').count()).toBe(1);
  appendFileSync(file, jsonl(lines.slice(at)));
  await page.locator('h4', { hasText: '161,000 → 40,000' }).waitFor();
  converse(host, lines.slice(0, 5), 'second');
  await page.locator('section.session').nth(1).waitFor();
  writeFileSync(file, '');
  await page.locator('section.session').nth(1).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('one session is followed by its name', async () => {
  const host = newHost();
  converse(host, sessionLines(host.project), 'reported');
  converse(host, sessionLines(host.project), 'other');
  const { url } = await watchReport({ cwd: host.project, env: host.env }, 'reported');
  expect((await get(`${url}main`)).body.match(/<section /g)).toHaveLength(1);
});

test('a port that is taken is named, with the next step', async () => {
  const host = newHost();
  const { url } = await watchReport({ cwd: host.project, env: host.env });
  const { port } = new URL(url);
  const { code, stderr } = run(host, 'report', '--watch', '--port', port);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot listen on port ${port}: `)]);
  expect(stderr).toContain('leave --port out');
});
