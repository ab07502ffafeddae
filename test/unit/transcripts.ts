// Writes transcripts to disk for tests: any bytes, and lines that say nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/** A transcript of these bytes. */
export function transcript(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'a.jsonl');
  writeFileSync(path, content);
  return path;
}

/** A line that says nothing, of so many bytes and a few more. */
export const noise = (length: number): string =>
  `${JSON.stringify({ type: 'progress', data: 'x'.repeat(length) })}\n`;
