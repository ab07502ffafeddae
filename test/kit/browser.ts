// A browser that is installed here, driven by Playwright, to look at pages as a person would.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { notRun } from './not-run.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium or Chrome of this machine, or null. */
export function findChromium(): string | null {
  const named = process.env.PLIMSOLL_CHROMIUM;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  for (const name of NAMES) {
    const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return null;
}

/** What a page did that a person would not see. */
export interface Seen {
  page: Page;
  /** Errors on the console, and exceptions. */
  errors: string[];
  /** Addresses that were asked for, except the page's own. */
  requests: string[];
}

/** Starts the browser; null where there is none. */
export async function startBrowser(): Promise<Browser | null> {
  const executablePath = findChromium();
  if (executablePath === null) return null;
  return await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}

/** Skips the test where there is no browser, and says so. */
export function needBrowser(browser: Browser | null, context: { skip: () => never }): Browser {
  if (browser !== null) return browser;
  notRun('the report in a browser', 'no Chromium or Chrome is installed here');
  return context.skip();
}

/** Opens an address and notes what happens. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Seen> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const seen: Seen = { page, errors: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  page.on('dialog', (dialog) => {
    seen.errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== address) seen.requests.push(request.url());
  });
  await page.goto(address);
  return seen;
}

/** What axe finds wrong on a page that was opened with `bypassCSP`: rule, and the first element. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
