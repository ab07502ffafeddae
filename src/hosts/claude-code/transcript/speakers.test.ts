import { describe, expect, test } from 'vitest';
import { attachment, type Line, request } from '../../../../test/unit/lines.ts';
import type { TranscriptEntry } from '../../entry.ts';
import { readEntries } from './entries.ts';

/** Who said what in a line, as `who: words`; the kind of an entry that is no request. */
const said = (line: Line): string[] =>
  readEntries(line, 0).map((entry: TranscriptEntry) =>
    entry.kind === 'request'
      ? `${entry.by}: ${entry.command === null ? '' : `${entry.command} `}${entry.text}`
      : entry.kind,
  );
const origin = (kind: string, more: Line = {}): Line => ({ origin: { kind }, ...more });
const queued = (prompt: unknown, more: Line = {}): Line =>
  attachment({ type: 'queued_command', prompt, commandMode: 'prompt', ...more });
const operation = (name: string, content: string): Line => ({
  type: 'queue-operation',
  operation: name,
  content,
});

describe('a user line', () => {
  test.each<[string, Line, string[]]>([
    ['typed in an old client', request('Build the parser'), ['person: Build the parser']],
    [
      'typed in a new client',
      request('Build it', origin('human', { promptSource: 'typed' })),
      ['person: Build it'],
    ],
    ['of a headless run', request('Build it', { promptSource: 'sdk' }), ['person: Build it']],
    [
      'queued and sent later',
      request('and tests', origin('human', { promptSource: 'queued' })),
      ['queued: and tests'],
    ],
    [
      'of a task that ended',
      request('<task-notification>\n<task-id>1</task-id>', origin('task-notification')),
      ['notice'],
    ],
    ['the same in an old client', request('<task-notification>\n<task-id>1</task-id>'), ['notice']],
    ['of a peer', request('Publish it', origin('peer', { isMeta: true })), ['peer: Publish it']],
    ['of a coordinator', request('Publish it', origin('coordinator')), ['peer: Publish it']],
    ['of somebody that nobody knows', request('Delete it', origin('newkind')), ['unknown: Delete it']],
    [
      'of a teammate in an old client',
      request('<teammate-message teammate_id="a">do it</teammate-message>'),
      ['peer: <teammate-message teammate_id="a">do it</teammate-message>'],
    ],
    [
      'of another session',
      request(
        'Another Claude session sent a message:\n<cross-session-message from="x">do it</cross-session-message>',
      ),
      [
        'peer: Another Claude session sent a message:\n<cross-session-message from="x">do it</cross-session-message>',
      ],
    ],
    [
      'of a channel',
      request('<channel source="slack">do it</channel>'),
      ['peer: <channel source="slack">do it</channel>'],
    ],
    [
      'with a tag that nobody types',
      request('<deploy-event>done</deploy-event>'),
      ['unknown: <deploy-event>done</deploy-event>'],
    ],
    ['with a tag that people type', request('<div> is not closed'), ['person: <div> is not closed']],
    ['of a shell command of the person', request('<bash-input>git pull</bash-input>'), ['notice']],
    ['of an interruption', request('[Request interrupted by user]'), ['notice']],
    [
      'of a hook',
      request('Stop hook feedback:\nrun the tests'),
      ['hook: Stop hook feedback:\nrun the tests'],
    ],
    ['that the client wrote as meta', request('Base directory for this skill: /x', { isMeta: true }), []],
    ['of a caveat', request('Caveat: The messages below', { isMeta: true }), []],
    [
      'of a summary',
      request('This session is being continued', { isCompactSummary: true, parentUuid: 'b' }),
      ['summary'],
    ],
    ['of a subagent', request('Do it', { isSidechain: true }), []],
    ['of an agent', request('Do it', { agentId: 'a' }), []],
    [
      'of a command of the client',
      request('<command-name>/compact</command-name>\n<command-args>keep it</command-args>'),
      [],
    ],
    [
      'of a command of the project',
      request(
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the lexer</command-args>',
      ),
      ['command: /review the lexer'],
    ],
    [
      'of a command of ours',
      request(
        '<command-name>/plimsoll:checkpoint</command-name><command-args>port 8080 is taken</command-args>',
      ),
      ['command: /plimsoll:checkpoint port 8080 is taken'],
    ],
    [
      'with what an IDE adds',
      request([
        { type: 'text', text: '<ide_opened_file>The user opened a.ts in the IDE.</ide_opened_file>' },
        { type: 'text', text: '<ide_selection>The user selected x</ide_selection>' },
        { type: 'text', text: 'Rename it' },
      ]),
      ['person: Rename it'],
    ],
    ['with nothing but what an IDE adds', request('<ide_opened_file>a.ts</ide_opened_file>'), []],
    [
      'with a reminder',
      request('Rename it<system-reminder>be brief</system-reminder>'),
      ['person: Rename it'],
    ],
    [
      'that was pasted',
      request('\n<pasted_content id="4bd7">\nBuild the parser\n</pasted_content id="4bd7">\n'),
      ['person: Build the parser'],
    ],
    [
      'with a picture',
      request([
        { type: 'image', source: { data: 'x' } },
        { type: 'text', text: '[Image #1] Make it like this' },
      ]),
      ['person: Make it like this'],
    ],
    [
      'with words beside a result',
      {
        type: 'user',
        message: {
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'ok' },
            { type: 'text', text: 'use tabs' },
          ],
        },
      },
      ['result', 'queued: use tabs'],
    ],
    ['queued', queued('and tests', origin('human')), ['queued: and tests']],
    ['queued in an old client', queued('and tests'), ['queued: and tests']],
    ['queued, of blocks', queued([{ type: 'text', text: 'and tests' }]), ['queued: and tests']],
    [
      'queued by a task that ended',
      queued('<task-notification>\n<task-id>1', { commandMode: 'task-notification' }),
      ['notice'],
    ],
    ['queued by a shell', queued('git pull', { commandMode: 'bash' }), []],
    ['queued by a peer', queued('do it', origin('peer')), ['peer: do it']],
    ['put into the queue', operation('enqueue', 'and tests'), ['queued: and tests']],
    ['put into the queue by the client', operation('enqueue', '<task-notification>'), ['notice']],
    ['a command put into the queue', operation('enqueue', '/compact'), []],
    ['taken back', operation('popAll', 'and tests'), ['withdrawal']],
    ['sent from the queue', operation('dequeue', ''), []],
  ])('%s', (_, line, expected) => {
    expect(said(line)).toEqual(expected);
  });

  test('tells pasted material from own words', () => {
    const line = request('Translate this:\n<pasted_content id="1">\nNever do it\n</pasted_content id="1">');
    expect(readEntries(line, 0)).toMatchObject([
      { text: 'Translate this:\nNever do it', quotes: ['Never do it'] },
    ]);
  });
});
