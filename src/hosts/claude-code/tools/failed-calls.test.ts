import { describe, expect, test } from 'vitest';
import { answer, type Line, request, summary, toolResult, toolUse } from '../../../../test/unit/lines.ts';
import { findFailedCalls } from './runs.ts';

const CALLED = '2026-11-28T10:00:00.000Z';
const FAILED = '2026-11-28T10:00:05.000Z';

/** A command and what came back, as the client writes both. */
function call(id: string, output: unknown, more: Line = {}, name = 'Bash'): Line[] {
  return [
    toolUse(id, name, { command: `run ${id}` }, { timestamp: CALLED }),
    { ...toolResult(id, output, { isError: true, detail: `Error: ${output}` }), timestamp: FAILED, ...more },
  ];
}
const passed = (id: string): Line[] => [
  toolUse(id, 'Bash', { command: `run ${id}` }),
  toolResult(id, 'ok', { detail: { stdout: 'ok' } }),
];
const found = (lines: Line[], isAgents = false): string[] =>
  findFailedCalls(lines, { isAgents }).map(({ run }) => String(run.input.command));

const GO = request('Go');
const DONE = answer(50_000);
const CUT = request([{ type: 'text', text: '[Request interrupted by user for tool use]' }]);

describe('findFailedCalls()', () => {
  test('tells of each failed call what it was, how it ended, and when', () => {
    const lines = [
      GO,
      ...call('a', 'Exit code 3\nout'),
      ...passed('b'),
      ...call('c', 'No file', {}, 'Read'),
      DONE,
    ];
    expect(findFailedCalls(lines)).toEqual([
      {
        run: {
          tool: 'Bash',
          input: { command: 'run a' },
          ending: { state: 'failed', code: 3 },
          output: 'Exit code 3\nout',
        },
        calledAt: CALLED,
        at: FAILED,
      },
      expect.objectContaining({
        run: {
          tool: 'Read',
          input: { command: 'run c' },
          ending: { state: 'failed', code: null },
          output: 'No file',
        },
      }),
    ]);
  });

  test.each<[string, Line[]]>([
    ['that a rule or a person did not let run', call('a', 'whatever', { toolDenialKind: 'user-rejected' })],
    [
      'that a person refused, on a client that says it in words only',
      call('a', "The user doesn't want to proceed with this tool use."),
    ],
    ['that was denied, in words only', call('a', 'Permission to use Bash with command x has been denied.')],
    ['that was interrupted', call('a', '[Request interrupted by user for tool use]\nout')],
    ['of which the client tells as of one that went well', call('a', 'Exit code 1', { toolUseResult: {} })],
    [
      'of a subagent, in the main file of an old client',
      call('a', 'Exit code 1').map((line) => ({ ...line, isSidechain: true })),
    ],
    ['of which it is not known what it was', call('a', 'Exit code 1').slice(1)],
    ['that went well', passed('a')],
  ])('leaves out a call %s', (_, lines) => {
    expect(found([GO, ...lines, ...call('z', 'Exit code 1'), DONE])).toEqual(['run z']);
  });

  test.each<[string, Line[], string[]]>([
    ['that has ended', [DONE, GO], []],
    ['that has ended, and a note of the client', [DONE, request('a note', { isMeta: true })], []],
    ['that was interrupted', [CUT, GO], ['run a']],
    ['whose client was killed', [GO], ['run a']],
    ['that an error of the service broke off', [answer(0, { model: '<synthetic>' }), GO], ['run a']],
    ['that was compacted in its middle', [summary()], ['run a']],
    ['that goes on', [answer(50_000), ...passed('b')], ['run a']],
  ])('of a turn %s and what follows gives %j', (_, lines, expected) => {
    expect(found([GO, ...call('a', 'Exit code 1'), ...lines])).toEqual(expected);
  });

  test('counts those of an ended turn that had failed when the last turn ended that was looked at', () => {
    const lines = [...call('a', 'Exit code 1'), DONE, GO, ...call('b', 'Exit code 1'), DONE];
    const named = (endedAt: string) =>
      findFailedCalls(lines, { endedAt }).map(({ run }) => run.input.command);
    expect(named(FAILED)).toEqual(['run a', 'run b']);
    expect(named('2026-11-28T10:00:04.999Z')).toEqual(['run b']);
  });

  test('knows what was asked for before these lines, and tells of nothing that had failed there', () => {
    const [asked, came] = call('b', 'Exit code 1');
    const before = [GO, ...call('a', 'Exit code 1'), null, asked];
    const [only, ...others] = findFailedCalls([came, DONE], { before });
    expect(only).toMatchObject({ run: { input: { command: 'run b' } }, calledAt: CALLED, at: FAILED });
    expect(others).toEqual([]);
  });

  test('reads the file of a subagent whole, and the parts of an output as one', () => {
    const blocks = [
      { type: 'text', text: 'Exit code 1' },
      { type: 'text', text: 'more' },
    ];
    const lines = [GO, ...call('a', blocks)].map((line) => ({ ...line, isSidechain: true, agentId: 'x' }));
    expect(findFailedCalls(lines, { isAgents: true }).map(({ run }) => run.output)).toEqual([
      'Exit code 1\nmore',
    ]);
  });

  test('takes odd lines for nothing', () => {
    const odd = [
      null,
      7,
      {},
      { type: 'user' },
      { type: 'assistant', message: 'x' },
      { type: 'user', message: null },
    ];
    const bare = [{ type: 'tool_use' }, null, { type: 'tool_result', is_error: true }];
    const lines = [...odd, ...['user', 'assistant'].map((type) => ({ type, message: { content: bare } }))];
    expect(findFailedCalls([...lines, ...call('a', 7)]).map(({ run }) => run.output)).toEqual(['']);
  });
});
