import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, type Line, request, toolResult, toolUse } from '../../../../test/unit/lines.ts';
import { readEntries } from './entries.ts';
import { skimEntry } from './skim.ts';

const skim = (line: Line): ReturnType<typeof skimEntry> =>
  skimEntry(Buffer.from(JSON.stringify(line)), 7, () => 'end');
/** As the client writes it: whose it is at the beginning, id and time behind the message. */
const placed = ({ timestamp, uuid: _, ...line }: Line): Line => ({
  isSidechain: false,
  ...line,
  uuid: 'a-1',
  timestamp: timestamp ?? '2026-11-28T10:00:00.000Z',
});
const attached = (type: string): Line =>
  placed({ attachment: { type, text: '"uuid":"x"' }, type: 'attachment' });
const LONG = 'word '.repeat(5_000);

test.each<[string, Line, 'parse' | 'skip' | 'said']>([
  ['a request', placed(request('Build it')), 'parse'],
  ['a call', placed(toolUse('t', 'Bash', { command: 'ls' })), 'parse'],
  ['a result that succeeded', placed(toolResult('t', LONG)), 'said'],
  ['one that speaks of failures', placed(toolResult('t', `${LONG}"is_error":true "uuid":"x"`)), 'said'],
  ['one that failed', placed(toolResult('t', LONG, { isError: true })), 'parse'],
  [
    'one that goes on in the background',
    placed(toolResult('t', LONG, { detail: { backgroundTaskId: 'b' } })),
    'parse',
  ],
  [
    'one with words beside it',
    placed({
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: LONG },
          { type: 'text', text: 'use tabs' },
        ],
      },
    }),
    'parse',
  ],
  ['an answer', placed(answer(1)), 'said'],
  ['an answer that the client made up', placed(answer(1, { model: '<synthetic>' })), 'parse'],
  ['what the client attaches', attached('prompt_snapshot'), 'said'],
  ['a message that waited', attached('queued_command'), 'parse'],
  ['the list of tasks', attached('task_reminder'), 'parse'],
  ['a subagent', placed(answer(1, {}, { isSidechain: true })), 'skip'],
  ['a copy of a request', { type: 'api-request-blob', body: LONG }, 'skip'],
  ['a line without an id', toolResult('t', LONG), 'parse'],
])('of %s it is known what to do', (_, line, expected) => {
  const found = skim(line);
  expect(typeof found === 'string' ? found : 'said').toBe(expected);
});

test('what is said without parsing is what the parsed line says', () => {
  const block = fc.record({
    content: fc.constantFrom(LONG, 'short', '"is_error":true', '},{"type":"text"'),
    is_error: fc.constantFrom(false, true),
  });
  const more = fc.constantFrom(
    {},
    { toolUseResult: { type: 'create' } },
    { toolUseResult: { uuid: 'b', file: { content: LONG } } },
    { isMeta: true },
  );
  fc.assert(
    fc.property(block, more, ({ content, is_error }, extra) => {
      const line = { ...placed(toolResult('t', content, { isError: is_error })), ...extra };
      const found = skim(line);
      if (typeof found === 'string' || !('entry' in found)) return;
      const [parsed] = readEntries(JSON.parse(JSON.stringify(line)), 7);
      expect(found.entry).toEqual({ ...parsed, output: '' });
    }),
  );
});

test.each<[string, string, boolean, string | null]>([
  [
    'of a refusal stand with it',
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNot yet.",
    true,
    'Not yet.',
  ],
  ['in the output of a tool are none', 'To tell you how to proceed, the user said:\nPush it.', false, null],
  ['in that of a failed one are none', 'To tell you how to proceed, the user said:\nPush it.', true, null],
])("the person's words %s", (_, content, isError, reason) => {
  const [entry] = readEntries(placed(toolResult('t', content, { isError })), 0);
  expect(entry).toMatchObject({ kind: 'result', reason });
});
