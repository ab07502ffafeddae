// How are lines appended so that parallel processes never mix theirs?
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Appends one JSON line in a single write on an append descriptor: no lock is needed on a local disk. */
export function appendLine(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  appendFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}
