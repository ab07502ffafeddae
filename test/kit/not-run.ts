// Which checks did not run here, so that nobody takes a skipped test for a passed one?
import { appendFileSync } from 'node:fs';

/** Says it loudly, and leaves a line for a summary that counts them. Skipping itself is up to the test. */
export function notRun(what: string, why: string): void {
  const line = `NOT RUN: ${what} (${why})\n`;
  process.stderr.write(line);
  const file = process.env.PLIMSOLL_NOT_RUN_FILE;
  if (file) appendFileSync(file, line);
}
