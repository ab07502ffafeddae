import { expect, test } from 'vitest';
import { countProgress, findTrackStatus, listPlanTasks } from './summary.ts';

const status = (text: string, isClosed = false) =>
  findTrackStatus(countProgress(listPlanTasks(text)), isClosed);

test.each([
  ['', 'no plan'],
  ['- a\n- b', 'no plan'],
  ['- [ ] a\n- [ ] b', 'new'],
  ['- [x] a\n- [ ] b', 'under way'],
  ['- [~] a\n- [ ] b', 'under way'],
  ['1. [X] a\n  * [x] b', 'done'],
  ['\uFEFF- [x] **a**\r\n- [x] b\r\n', 'done'],
  ['- [x] a\n```\n- [ ] an example\n```\n<!--\n- [ ] another\n-->', 'done'],
  ['- [!] a\n- [ ] b', 'new'],
  ['- [?] a', 'no plan'],
])('the status of %j is %j', (text, expected) => {
  expect(status(text)).toBe(expected);
});

test('a closed track is closed, whatever its boxes say', () => {
  expect(status('- [ ] a', true)).toBe('closed');
});

test('a task that stands in the list and in our block is one, as far as either says', () => {
  const text = `- [ ] Task: Write it
- [x] Task: [T-2] Read it
<!-- plimsoll:entries -->
- [x] Task: [T-1] Write it
- [ ] Task: [T-2] Read it
- [!] Task: [T-3] Ship it
<!-- /plimsoll:entries -->`;
  expect(countProgress(listPlanTasks(text))).toEqual({ total: 3, done: 2, doing: 0, blocked: 1 });
});

test.each([
  ['with ids of their own', '- [x] Task: [T-1] Write tests\n- [ ] Task: [T-2] Write tests\n'],
  ['in two phases', '## One\n\n- [x] Write tests\n\n## Two\n\n- [ ] Write tests\n'],
  ['in two phases, with a label', '## One\n\n- [x] Task: Write tests\n\n## Two\n\n- [ ] Task: Write tests\n'],
])('tasks of the same words %s are two, and one of them is open', (_, text) => {
  expect(countProgress(listPlanTasks(text))).toEqual({ total: 2, done: 1, doing: 0, blocked: 0 });
  expect(listPlanTasks(text).map(({ state }) => state)).toEqual(['todo', 'done']);
});

test('a task that goes on in a second line is one with its copy in our block, and one with a fault is a task', () => {
  const text = `- [ ] Task: Write the reader
  and the writer
- [x] Task: Ship it
  - Severity: high
<!-- plimsoll:entries -->
- [~] Task: [T-001] Write the reader and the writer
<!-- /plimsoll:entries -->
`;
  expect(listPlanTasks(text)).toEqual([
    { state: 'doing', id: 'T-001', text: 'Write the reader and the writer' },
    { state: 'done', id: null, text: 'Ship it' },
  ]);
});
