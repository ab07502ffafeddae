import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { mayHoldSecret } from './redact.ts';

test('mayHoldSecret() takes hashes for harmless: nearly every checkpoint has some, and a look at all patterns costs', () => {
  const hashes = Array.from({ length: 500 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex'));
  const suspected = hashes.filter((hash) => mayHoldSecret(`"checksum": "${hash}"`));
  // What ends like a key of 32 digits behind "ac" cannot be told from one.
  expect(suspected.filter((hash) => !/ac[a-f0-9]{32}$/.test(hash))).toEqual([]);
  expect(hashes.filter((hash) => /ac[a-f0-9]{33}/.test(hash)).length).toBeGreaterThan(20);
});

test('mayHoldSecret() suspects a key that begins like a hash', () => {
  expect(mayHoldSecret(`sid ac${'0123456789abcdef'.repeat(2)}`)).toBe(true);
});
