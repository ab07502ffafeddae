import { expectTypeOf, test } from 'vitest';
import type { EntryPlace, TranscriptEntry } from './entry.ts';

test('every entry names its kind and where it stands', () => {
  expectTypeOf<TranscriptEntry>().toExtend<EntryPlace & { kind: string }>();
});
