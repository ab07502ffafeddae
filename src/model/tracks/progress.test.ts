import { expect, test } from 'vitest';
import { progressOf, statusOf } from './progress.ts';
import { textLines } from './text-lines.ts';

const status = (text: string, isClosed = false) => statusOf(progressOf(textLines(text)), isClosed);

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
<!-- plimsoll:plan -->
- [x] Task: [T-1] Write it
  <!-- from artifacts/sessions/a/work_log.md:12 #0123456789ab -->
- [ ] Task: [T-2] Read it
- [!] Task: [T-3] Ship it
<!-- /plimsoll:plan -->`;
  expect(progressOf(textLines(text))).toEqual({ total: 3, done: 2, doing: 0, blocked: 1 });
});
