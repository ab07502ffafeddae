import { expect, test } from 'vitest';
import { emptyLedger } from './ledger.ts';

test('emptyLedger() knows its thread and nothing else', () => {
  const { schema_version, thread, ...rest } = emptyLedger('a');
  expect([schema_version, thread]).toEqual(['1.0.0', 'a']);
  expect(Object.values(rest).flat().filter(Boolean)).toEqual([{}]);
});
