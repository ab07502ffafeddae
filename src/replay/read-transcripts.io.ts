// Reads transcripts for the probe: whole files, plain or gzipped, line by line.
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { exists, isFolder, namesIn } from '../platform/look.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { LOG_FILE, readBytes } from '../platform/read.ts';

const NEWLINE = 0x0a;
const IS_TRANSCRIPT = /\.jsonl(?:\.gz)?$/;

/** Transcripts among the files of a folder, by name; a file stands for itself. @throws where there is nothing to read */
export function findTranscripts(path: string): string[] {
  if (!exists(path)) throw new Error(`ENOENT: nothing there: "${path}"`);
  if (!isFolder(path)) return [path];
  return namesIn(path)
    .filter((name) => IS_TRANSCRIPT.test(name))
    .sort()
    .map((name) => join(path, name));
}

/** Lines as they stand in the file, without empty ones. */
export function readTranscriptLines(path: string): string[] {
  const file = readBytes(path, LOG_FILE) ?? Buffer.alloc(0);
  const bytes = path.endsWith('.gz') ? gunzipSync(file) : file;
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, from);
    const end = found < 0 ? bytes.length : found;
    if (end > from) lines.push(bytes.toString('utf8', from, end));
    from = end + 1;
  }
  return lines;
}

/** The object on a line, or null where it is torn. */
export const parseTranscriptLine = (line: string): unknown => tryOrNull(() => JSON.parse(line));
