import { describe, expect, test } from 'vitest';
import { answer as answerOf, type Line, request, toolResult, toolUse } from '../../test/unit/lines.ts';
import { isWork, withStop } from './turn.ts';
import { workOf } from './work.ts';

const answer = (tokens: number, { text }: { text: string }): Line =>
  answerOf(tokens, { content: [{ type: 'text', text }] });
const sidechain = (line: Line): Line => ({ ...line, isSidechain: true });
const interrupted = request('[Request interrupted by user]');
const ending = (...lines: Line[]): boolean => workOf(lines).turn_open;

describe('workOf() on turns', () => {
  test.each<[string, Line[], boolean]>([
    ['nothing', [], false],
    ['a request that nothing followed', [request('Go')], true],
    ['an answer in words', [request('Go'), answer(5, { text: 'Done.' })], false],
    ['calls without results', [request('Go'), toolUse('t1', 'Bash', { command: 'x' })], true],
    [
      'a result that no answer followed',
      [request('Go'), toolUse('t1', 'Bash', { command: 'x' }), toolResult('t1', 'ok')],
      true,
    ],
    [
      'a result and an answer',
      [
        request('Go'),
        toolUse('t1', 'Bash', { command: 'x' }),
        toolResult('t1', 'ok'),
        answer(9, { text: 'Done.' }),
      ],
      false,
    ],
    ['an interruption by the user', [request('Go'), answer(5, { text: 'Let me' }), interrupted], true],
    [
      'a command of the client',
      [
        request('Go'),
        answer(5, { text: 'Done.' }),
        request('<command-name>/cost</command-name><command-args></command-args>'),
      ],
      false,
    ],
    [
      "a subagent's call",
      [request('Go'), answer(5, { text: 'Done.' }), sidechain(toolUse('t9', 'Bash', {}))],
      false,
    ],
  ])('after %s: open is %s', (_, lines, expected) => {
    expect(ending(...lines)).toBe(expected);
  });
});

describe('withStop()', () => {
  const at = (line: Line, time: string): Line => ({ ...line, timestamp: time });
  const stopped = { at: '2026-11-28T08:00:05.000Z', answer: 'All three are done.' };

  test('ends the turn with the answer that the file never got', () => {
    const lines = [at(request('Go'), '2026-11-28T08:00:00.000Z')];
    expect(withStop(workOf(lines), lines, stopped)).toMatchObject({
      turn_open: false,
      last_answer: 'All three are done.',
    });
  });

  test('gives way to what came after it', () => {
    const lines = [
      at(answer(5, { text: 'Older.' }), '2026-11-28T08:00:04.000Z'),
      at(request('And now?'), '2026-11-28T08:00:06.000Z'),
    ];
    expect(withStop(workOf(lines), lines, stopped)).toMatchObject({ turn_open: true, last_answer: 'Older.' });
  });

  test('leaves the work as it is where no Stop is known', () => {
    const lines = [request('Go')];
    expect(withStop(workOf(lines), lines, null)).toEqual(workOf(lines));
  });
});

describe('isWork()', () => {
  test.each<[string, Line[], boolean]>([
    ['nothing', [], false],
    ['a question and its answer', [request('Why?'), answer(5, { text: 'So.' })], false],
    ['a question without an answer', [request('Why?')], true],
    ['a tool', [toolUse('t1', 'Read', {}), toolResult('t1', 'x'), answer(5, { text: 'So.' })], true],
    ["a subagent's tool", [sidechain(toolUse('t1', 'Read', {}))], false],
  ])('of %s: %s', (_, lines, expected) => {
    expect(isWork(lines, workOf(lines))).toBe(expected);
  });
});
