// Tests that the live report follows a session of the real client: it appears, grows and is compacted on the page.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needBrowser, openPage, startBrowser } from '../kit/browser.ts';
import { openSession } from '../kit/client.ts';
import { watchReport } from '../kit/watched-report.ts';
import { SMALL, sandboxFor, standard } from './said.ts';

let started: Browser | null = null;
beforeAll(async () => {
  started = await startBrowser();
});
afterAll(() => started?.close());

test('a session appears on the page, grows and is compacted while it runs', async (context) => {
  const browser = needBrowser(started, context);
  const fills = [40_000, 90_000, 118_000, 41_000];
  const sandbox = await sandboxFor({
    env: SMALL,
    script: { main: fills.map((fill, index) => ({ text: `answer ${index}`, fill })) },
  });
  const { url } = await watchReport({ cwd: sandbox.projectDir, env: sandbox.env });
  const { page, errors } = await openPage(browser, url);
  const highest = (tokens: string) => page.locator('dd', { hasText: `${tokens} tokens` }).waitFor();
  await page.getByText('No session has called a model yet').waitFor();
  const talk = openSession(sandbox, standard);
  await talk.say('TASK-0 begin');
  await page.locator('section.session').waitFor();
  await highest('40,000');
  await talk.say('TASK-1 go on');
  await highest('90,000');
  expect(await page.locator('.wide .compactions').count()).toBe(0);
  await talk.say('TASK-2 go on');
  await talk.say('TASK-3 go on');
  await page.locator('h4', { hasText: /^1: auto, .* → 41,000 tokens$/ }).waitFor();
  expect(await page.locator('.wide .compactions path').count()).toBe(1);
  expect(await page.locator('details', { hasText: 'compaction-alert' }).count()).toBeGreaterThan(0);
  await talk.end();
  await page.getByText('SessionEnded').first().waitFor({ state: 'attached' });
  expect(errors).toEqual([]);
});
