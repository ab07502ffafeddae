// Draws a page as a picture with a browser that is installed.

import { join } from 'node:path';
import { findOnPath, runProgram } from '../platform/desktop.ts';
import { copyInto, fillFile, makeTemporaryFolder, removeTree } from '../platform/folders.ts';
import { exists } from '../platform/look.ts';
import type { Env } from '../platform/project/paths.ts';
import { setMode } from '../platform/write.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';

const BROWSERS = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  ...['microsoft-edge', 'microsoft-edge-stable', 'msedge', 'Google Chrome'],
];
/** Where the system keeps browsers that are not on the PATH. */
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const FLAGS = [
  ...['--headless', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--force-device-scale-factor=1', '--virtual-time-budget=5000'],
];
const MOST_MS = 60_000;
const WIDTH = 1_120;
/** Browsers draw no picture that is higher. */
const MOST_HEIGHT = 16_000;

/** The script that writes down how high its page is. */
export const MEASURE_SCRIPT =
  'document.documentElement.dataset.height = String(Math.ceil(document.documentElement.scrollHeight))';

const findBrowser = (env: Env): string | null =>
  env.PLIMSOLL_CHROMIUM ?? findOnPath(BROWSERS, env) ?? ELSEWHERE.find(exists) ?? null;

/**
 * Draws a page as PNG.
 * @param pages the page, and the same with MEASURE_SCRIPT
 * @throws PlimsollError where no browser is found or it draws nothing
 */
export async function drawPage(
  pages: { page: string; measured: string },
  file: string,
  env: Env,
): Promise<void> {
  const browser = findBrowser(env);
  if (browser === null)
    throw new PlimsollError('not-found', 'No Chromium, Chrome or Edge was found that could draw the page', {
      hint: 'install one, or name it: PLIMSOLL_CHROMIUM=/path/to/chrome; plimsoll report --svg needs none',
    });
  const folder = makeTemporaryFolder('plimsoll-report-');
  try {
    const names = { page: join(folder, 'page.html'), measured: join(folder, 'measured.html') };
    fillFile(names.page, pages.page);
    fillFile(names.measured, pages.measured);
    // As root a browser starts without its sandbox only; what it reads is our own page, without a network.
    const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const run = (...args: string[]): Promise<string | null> =>
      runProgram(browser, [...FLAGS, ...own, `--user-data-dir=${join(folder, 'profile')}`, ...args], {
        env: { ...env, HOME: folder },
        ms: MOST_MS,
      });
    const said = await run(`--window-size=${WIDTH},800`, '--dump-dom', `file://${names.measured}`);
    const height = Math.min(MOST_HEIGHT, Number(/data-height="(\d+)"/.exec(said ?? '')?.[1] ?? 2_000));
    const drawn = join(folder, 'page.png');
    await run(`--window-size=${WIDTH},${height}`, `--screenshot=${drawn}`, `file://${names.page}`);
    if (!exists(drawn))
      throw new PlimsollError('failed', `The browser drew nothing: "${browser}"`, {
        hint: 'name another one: PLIMSOLL_CHROMIUM=/path/to/chrome; plimsoll report --svg needs none',
      });
    copyInto(drawn, file);
    setMode(file, 0o600);
  } finally {
    removeTree(folder);
  }
}
