import { describe, expect, test } from 'vitest';
import { indexedIn, metadataIn } from './conductor.ts';

test.each<[string, string | null, object]>([
  ['none', null, { description: null, status: null, fault: null }],
  [
    'with a BOM',
    '\uFEFF{"track_id": "a", "status": "new", "description": "A  b\\nc"}',
    { description: 'A b c', status: 'new', fault: null },
  ],
  [
    'with other keys',
    '{"id": "a", "title": "T", "state": 1, "status": 3}',
    { description: 'T', status: null, fault: null },
  ],
  ['broken', '{"status": "new",', { description: null, status: null, fault: 'no valid JSON' }],
  ['a list', '[]', { description: null, status: null, fault: 'no JSON object' }],
])('metadata: %s', (_, text, expected) => {
  expect(metadataIn(text)).toEqual(expected);
});

describe('indexedIn() reads the tracks of an index', () => {
  test.each<[string, string | null, object[]]>([
    ['no file', null, []],
    [
      'headings with a link below',
      '# T\n\n---\n## [ ] Track: One\nLink: [a_1](./tracks/a_1/)\n\n---\n## [x] Track: Two\n*Link: [./conductor/tracks/b/](./conductor/tracks/b/)*\n',
      [
        { id: 'a_1', title: 'One' },
        { id: 'b', title: 'Two' },
      ],
    ],
    [
      'items with the link in them',
      '- [~] **Track: [Three](./tracks/c/index.md)**\n',
      [{ id: 'c', title: 'Three' }],
    ],
    ['a link without a title', 'See [d](tracks/d)', [{ id: 'd', title: null }]],
    ['with a BOM and CRLF', '\uFEFF## [ ] Track: One\r\n[a](./tracks/a/)\r\n', [{ id: 'a', title: 'One' }]],
    ['no way out', '[a](./tracks/../../etc/) [b](./tracks//etc) [c](/tracks/..)', []],
  ])('%s', (_, text, expected) => {
    expect(indexedIn(text)).toEqual(expected);
  });
});
