import { expect, test } from 'vitest';
import { keepUsablePart } from './load.io.ts';

const layer = { name: 'model', files: ['src/model/**'] };
test.each<[string, Parameters<typeof keepUsablePart>[0], unknown, unknown]>([
  [
    'a misspelt key takes no other away',
    'guardrails.paths',
    { protectd: ['a'], secrets: ['.env'] },
    { secrets: ['.env'] },
  ],
  [
    'a faulty item takes no other away',
    'guardrails.paths',
    { protected: ['dist/**', 3] },
    { protected: ['dist/**'] },
  ],
  [
    'a faulty layer takes no other away',
    'guardrails.architecture',
    { layers: [layer, { name: 'x', onlyy: [] }], type_only: 'no' },
    { layers: [layer] },
  ],
  ['nothing that is right', 'guardrails.paths', { protectd: ['a'] }, undefined],
  ['no table', 'guardrails.mode', 'enforced', undefined],
  ['a list', 'guardrails.paths', ['a'], undefined],
])('keepUsablePart() leaves out what is wrong: %s', (_, key, value, part) => {
  expect(keepUsablePart(key, value)).toEqual(part);
});
