// Tests the page in a browser: nothing goes wrong, nothing is asked for, all series are there, and everybody can read it.
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { findViolations, needBrowser, openPage, startBrowser } from '../kit/browser.ts';
import { some } from '../kit/effort.ts';
import { run } from './healthy.ts';
import { converseReported, HOSTILE, reportFile } from './reported.ts';

let started: Browser | null = null;
beforeAll(async () => {
  started = await startBrowser();
});
afterAll(() => started?.close());

/** A page of one session and an overview of two; their addresses. */
function reported(): { one: string; many: string } {
  const host = newHost();
  converseReported(host);
  converseReported(host, '1f6e3a52-1111-4222-8333-444455556666');
  for (const [name, ...args] of [
    ['one.html', '0f6e3a52'],
    ['many.html', '--all', '--retention'],
  ])
    expect(run(host, 'report', ...args, '-o', name ?? '')).toMatchObject({ code: 0 });
  const address = (name: string): string => pathToFileURL(reportFile(host, name)).href;
  return { one: address('one.html'), many: address('many.html') };
}

test('the page shows every series, says nothing on the console, and asks for nothing', async (context) => {
  const browser = needBrowser(started, context);
  const { one, many } = reported();
  for (const address of [one, many]) {
    const { page, errors, requests } = await openPage(browser, address);
    const chart = page.locator('figure .wide').first();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await chart.getAttribute('role')).toBe('img');
    for (const series of ['usage', 'window', 'limit']) {
      const drawn = await page.locator(`.wide .${series} path`).first().boundingBox();
      expect({ series, width: drawn?.width }).toEqual({
        series,
        width: expect.toSatisfy((width) => width > 300),
      });
    }
    expect(await page.locator('.wide .tiers').first().locator('rect').count()).toBe(4);
    expect(await page.locator('.wide .compaction').first().locator('line').count()).toBe(1);
    expect(await page.locator('.wide .messages').first().locator('path').count()).toBeGreaterThan(0);
    // The title of the session holds tags, and so does what the person asked for.
    expect(await page.locator('h1, h2', { hasText: HOSTILE }).count()).toBeGreaterThan(0);
    expect(await page.locator('script, img, iframe, link[rel=stylesheet]').count()).toBe(0);
    expect({ errors, requests }).toEqual({ errors: [], requests: [] });
  }
});

test('the usage line has a point for each call, and breaks at the compaction', async (context) => {
  const browser = needBrowser(started, context);
  const { page } = await openPage(browser, reported().one);
  const lines = await page
    .locator('.wide .usage path')
    .evaluateAll((paths) => paths.map((each) => each.getAttribute('d') ?? ''));
  expect(lines.map((line) => line.split(/[ML]/).length - 1)).toEqual([5, 3]);
  await page.getByText('The figures behind the chart').click();
  expect(await page.locator('details[open] tbody tr').first().isVisible()).toBe(true);
});

test('axe finds nothing wrong, and nothing stands out of the page, light and dark, wide and narrow', async (context) => {
  const browser = needBrowser(started, context);
  const { one, many } = reported();
  const ways = [
    [one, 'light', 1_280],
    [one, 'dark', 1_280],
    [one, 'light', 360],
    [one, 'dark', 360],
    [many, 'light', 360],
    [many, 'dark', 1_280],
  ] as const;
  for (const [address, colorScheme, width] of some(ways, 2)) {
    const { page } = await openPage(browser, address, {
      ...{ colorScheme, viewport: { width, height: 800 }, bypassCSP: true },
    });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    const violations = await findViolations(page);
    const isSeen = await page
      .locator(`figure .${width < 800 ? 'narrow' : 'wide'}`)
      .first()
      .isVisible();
    expect({ address, colorScheme, width, wide, violations, isSeen }).toEqual({
      ...{ address, colorScheme, width, wide: width, violations: [], isSeen: true },
    });
  }
});

test('every part can be reached with the keyboard', async (context) => {
  const browser = needBrowser(started, context);
  const { page } = await openPage(browser, reported().one);
  const reached = new Set<string>();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    reached.add((await page.evaluate('document.activeElement.tagName')) as string);
  }
  expect([...reached].sort()).toEqual(expect.arrayContaining(['A', 'DIV', 'SUMMARY']));
});
