// Records checks that did not run here, so that nobody takes a skipped test for a passed one.
import { appendFileSync } from 'node:fs';

const said = new Set<string>();

/**
 * Says it loudly, once for a reason, and leaves a line for a summary that counts every test. Skipping itself is up to
 * the test.
 */
export function notRun(what: string, why: string): void {
  const line = `NOT RUN: ${what} (${why})\n`;
  if (!said.has(line)) process.stderr.write(line);
  said.add(line);
  const file = process.env.PLIMSOLL_NOT_RUN_FILE;
  if (file) appendFileSync(file, line);
}
