// Tests what a file holds after an edit, done as the host's tools do it.
import { describe, expect, test } from 'vitest';
import { applyEditText, readNotebookCode } from './after-edit.ts';

const edit = (old_string: string, new_string: string, replace_all?: boolean) => ({
  old_string,
  new_string,
  ...(replace_all === undefined ? {} : { replace_all }),
});
const refused = (why: string) => ({ refused: why });

describe('the text after an edit', () => {
  // [what, tool, input, text before, after]
  const cases: [string, string, Record<string, unknown>, string | null, unknown][] = [
    ['Write replaces all', 'Write', { content: 'new' }, 'old', { text: 'new' }],
    ['Write makes a file', 'Write', { content: '' }, null, { text: '' }],
    ['Write without content', 'Write', {}, 'old', refused('the call has no content')],
    ['Edit replaces the one place', 'Edit', edit('b', 'x'), 'abc', { text: 'axc' }],
    ['Edit keeps $& as it is', 'Edit', edit('b', '$&$1'), 'abc', { text: 'a$&$1c' }],
    [
      'Edit of two places',
      'Edit',
      edit('b', 'x'),
      'abcb',
      refused('the text to be replaced is there more than once'),
    ],
    [
      'Edit of overlapping places',
      'Edit',
      edit('aa', 'x'),
      'aaa',
      refused('the text to be replaced is there more than once'),
    ],
    ['replace_all', 'Edit', edit('b', 'x', true), 'abcb', { text: 'axcx' }],
    ['replace_all with what it makes', 'Edit', edit('b', 'bb', true), 'abcb', { text: 'abbcbb' }],
    [
      'Edit of a text that is not there',
      'Edit',
      edit('q', 'x'),
      'abc',
      refused('the text to be replaced is not in the file'),
    ],
    ['Edit of a missing file', 'Edit', edit('q', 'x'), null, refused('the file does not exist')],
    ['Edit makes a file', 'Edit', edit('', 'x'), null, { text: 'x' }],
    ['Edit with no old text in a full file', 'Edit', edit('', 'x'), 'abc', refused('the file is not empty')],
    ['Edit across CRLF', 'Edit', edit('a\nb', 'c\nd'), 'a\r\nb\r\n', { text: 'c\r\nd\r\n' }],
    ['Edit without texts', 'Edit', { old_string: 1 }, 'abc', refused('an edit has no old or new text')],
    [
      'MultiEdit in order',
      'MultiEdit',
      { edits: [edit('a', 'b'), edit('b', 'c', true)] },
      'ab',
      { text: 'cc' },
    ],
    [
      'MultiEdit in the other order',
      'MultiEdit',
      { edits: [edit('b', 'c', true), edit('a', 'b')] },
      'ab',
      { text: 'bc' },
    ],
    [
      'MultiEdit of what an earlier edit made',
      'MultiEdit',
      { edits: [edit('a', 'import x'), edit('import x', 'y')] },
      'a',
      { text: 'y' },
    ],
    [
      'MultiEdit of which one fails',
      'MultiEdit',
      { edits: [edit('a', 'b'), edit('a', 'c')] },
      'a',
      refused('the text to be replaced is not in the file'),
    ],
    [
      'MultiEdit makes a file',
      'MultiEdit',
      { edits: [edit('', 'ab'), edit('b', 'c')] },
      null,
      { text: 'ac' },
    ],
    ['MultiEdit without edits', 'MultiEdit', {}, 'a', refused('the call has no edits')],
    ['another tool', 'Read', {}, 'a', null],
  ];
  test.each(cases)('%s', (_what, tool, input, text, after) => {
    expect(applyEditText(tool, input, text)).toEqual(after);
  });

  const book = JSON.stringify({
    cells: [
      { id: 'a', cell_type: 'code', source: ['import os\n', 'x = 1'] },
      { id: 'b', cell_type: 'markdown', source: 'import not_code' },
    ],
  });
  const code = (input: Record<string, unknown>): string | null => {
    const after = applyEditText('NotebookEdit', input, book);
    return after !== null && 'text' in after ? readNotebookCode(after.text) : JSON.stringify(after);
  };
  // [what, input, the code afterwards]
  const books: [string, Record<string, unknown>, string][] = [
    ['replaces a cell', { cell_id: 'a', new_source: 'import sys' }, 'import sys'],
    ['replaces a cell by its number', { cell_id: 'cell-0', new_source: 'y' }, 'y'],
    ['replaces a cell by the number of old clients', { cell_number: 0, new_source: 'z' }, 'z'],
    [
      'inserts behind a cell',
      { cell_id: 'a', edit_mode: 'insert', cell_type: 'code', new_source: 'y' },
      'import os\nx = 1\ny',
    ],
    [
      'inserts at the start',
      { edit_mode: 'insert', cell_type: 'code', new_source: 'y' },
      'y\nimport os\nx = 1',
    ],
    ['makes text code', { cell_id: 'b', cell_type: 'code', new_source: 'y' }, 'import os\nx = 1\ny'],
    ['deletes a cell', { cell_id: 'a', edit_mode: 'delete', new_source: '' }, ''],
    ['leaves out the commands of the notebook', { cell_id: 'a', new_source: '%pip x\n!ls\ny' }, '\n\ny'],
    [
      'of a cell that is not there',
      { cell_id: 'q', new_source: '' },
      '{"refused":"the cell is not in the notebook"}',
    ],
  ];
  test.each(books)('NotebookEdit %s', (_what, input, after) => expect(code(input)).toBe(after));

  test('a notebook that is no JSON cannot be edited', () => {
    expect(applyEditText('NotebookEdit', {}, 'x')).toEqual(refused('the notebook cannot be read'));
  });
});
