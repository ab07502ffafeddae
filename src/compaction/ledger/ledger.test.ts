import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';

test('createLedger() knows its thread and nothing else', () => {
  const { schema_version, thread, ...rest } = createLedger('a');
  expect([schema_version, thread]).toEqual(['1.0.0', 'a']);
  expect(Object.values(rest).flat().filter(Boolean)).toEqual([{}]);
});
