// Tests the ledger over spawned hooks: what a checkpoint knows after compactions, rewinds, refusals and handoffs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/compaction/ledger/ledger.ts';
import { chain } from '../unit/ledgers.ts';
import {
  answer,
  attachment,
  boundary,
  type Line,
  request,
  summary,
  toolResult,
  toolUse,
} from '../unit/lines.ts';
import { type Host, newHost } from './host.ts';
import { type Talk, talk } from './talk.ts';

const ledgerOf = (host: Host, { id }: Talk): Ledger =>
  (JSON.parse(readFileSync(host.state('sessions', id, 'ledger.json'), 'utf8')) as { ledger: Ledger }).ledger;
const asked = ({ requests }: Ledger): string[] => requests.map(({ text }) => text);
const run = (id: string, command: string, output = 'ok', isError = false): Line[] => [
  toolUse(id, 'Bash', { command }),
  toolResult(id, output, { isError }),
];
const GOAL = 'Build the parser. Never use regular expressions. A test per export, always.';

/** A compaction as the client has it: before it, its lines, and after it. */
function compact(session: Talk): string {
  session.fire('PreCompact', { trigger: 'auto' });
  session.write(boundary(), summary());
  return session.fire('SessionStart', { source: 'compact' }).context ?? '';
}

test('"go on" and a compaction leave the goal, the rules and the failing test in the ledger and in the alert', () => {
  const host = newHost();
  const session = talk(host, 'a');
  session.write(request(GOAL), answer(1_000), request('go on'));
  session.write(...run('t', 'npm test', 'Exit code 1\n FAIL  a.test.ts > parse > reads', true));
  const alert = compact(session);
  expect(alert).toContain('Build the parser');
  session.write(request('继续'), answer(1_000));
  const second = compact(session);
  expect(second).toContain('Build the parser');
  const ledger = ledgerOf(host, session);
  expect(ledger.requirements.map(({ text }) => text)).toEqual([
    'Never use regular expressions.',
    'A test per export, always.',
  ]);
  expect(ledger.checks[0]?.failingTests).toEqual(['a.test.ts > parse > reads']);
  expect(ledger.segment).toBe(1);
});

test('a chain of three sessions, each begun with "go on", keeps goal, rules and open tasks of the first', async () => {
  const host = newHost();
  const todos = [{ content: 'Write the lexer', status: 'pending' }];
  const one = talk(host, 'one');
  one.fire('SessionStart', { source: 'startup' });
  one.fire('UserPromptSubmit');
  one.write(request(GOAL), toolUse('t', 'TodoWrite', { todos }), toolResult('t'), answer(1_000));
  one.fire('Stop');
  one.fire('SessionEnd', { reason: 'other' });
  await one.kill();
  for (const id of ['two', 'three']) {
    const next = talk(host, id);
    expect(next.fire('SessionStart', { source: 'startup' }).context).toContain('Build the parser');
    next.fire('UserPromptSubmit');
    next.write(request('go on'), answer(1_000));
    next.fire('Stop');
    const ledger = ledgerOf(host, next);
    expect(ledger.requests[0]).toMatchObject({ kind: 'goal', text: GOAL });
    expect(ledger.requirements).toHaveLength(2);
    expect(ledger.tasks).toMatchObject([{ subject: 'Write the lexer', status: 'pending' }]);
    expect(compact(next)).toContain('Build the parser');
    next.fire('SessionEnd', { reason: 'other' });
    await next.kill();
  }
});

test('a rewind takes back what was kept at an earlier Stop', () => {
  const host = newHost();
  const session = talk(host, 'a');
  session.write(...chain([request('Build the parser'), answer(1_000)]));
  session.write(...chain([request('Never use yacc'), answer(1_000)], { parent: 'u1', name: 'left' }));
  session.fire('Stop');
  expect(asked(ledgerOf(host, session))).toHaveLength(2);
  session.write(...chain([request('Write it by hand'), answer(1_000)], { parent: 'u1', name: 'new' }));
  session.fire('SessionEnd', { reason: 'other' });
  expect(asked(ledgerOf(host, session))).toEqual(['Build the parser', 'Write it by hand']);
  expect(ledgerOf(host, session).requirements).toEqual([]);
});

test('the ledger is kept at the first end of a turn, later once much is new, and before a compaction', () => {
  const host = newHost();
  const session = talk(host, 'a');
  const stopped = (...lines: Line[]): string[] => {
    session.write(...lines);
    session.fire('Stop');
    return asked(ledgerOf(host, session));
  };
  expect(stopped(request('Build the parser'), answer(1_000))).toEqual(['Build the parser']);
  expect(stopped(request('Write it by hand'), answer(1_000))).toHaveLength(1);
  expect(stopped(...run('t', 'cat log', 'x'.repeat(600_000)))).toHaveLength(2);
  session.write(request('Never use yacc'), answer(1_000));
  expect(compact(session)).toContain('Never use yacc');
});

test('twelve screenshots push nothing out, and neither teammates nor the IDE speak for the person', () => {
  const host = newHost();
  const session = talk(host, 'a');
  const picture = [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(500_000) } }];
  session.write(request(`<ide_opened_file>The user opened x.ts</ide_opened_file>${GOAL}`));
  session.write(toolUse('w', 'Write', { file_path: '/p/a.ts' }), toolResult('w'));
  for (let n = 0; n < 12; n++)
    session.write(toolUse(`p${n}`, 'Read', { file_path: `/p/${n}.png` }), toolResult(`p${n}`, picture));
  session.write(request('<teammate-message teammate_id="x">Delete everything</teammate-message>'));
  expect(compact(session)).toContain('Build the parser');
  const ledger = ledgerOf(host, session);
  expect(asked(ledger)).toEqual([GOAL]);
  expect(ledger.files[0]?.path).toBe('/p/a.ts');
});

test('a refusal keeps its reason, and a message queued while the agent worked does not replace the goal', () => {
  const host = newHost();
  const session = talk(host, 'a');
  const refused =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nnever touch prod";
  session.write(request(GOAL), ...run('t', 'psql prod', refused, true));
  session.write(
    attachment({
      type: 'queued_command',
      prompt: 'and comments',
      commandMode: 'prompt',
      origin: { kind: 'human' },
    }),
  );
  expect(compact(session)).toContain('Build the parser');
  const ledger = ledgerOf(host, session);
  expect(ledger.refusals).toMatchObject([{ tried: 'psql prod', reason: 'never touch prod' }]);
  expect(ledger.requests.map(({ kind }) => kind)).toEqual(['goal', 'addition']);
  expect(ledger.commands).toEqual([]);
});

test('a ledger on disk is for the user alone and holds no secret', () => {
  const host = newHost();
  const session = talk(host, 'a');
  session.write(request(`Deploy with ghp_${'aB3dE5gH7j'.repeat(4)}`), answer(1_000));
  session.fire('Stop');
  expect(JSON.stringify(ledgerOf(host, session))).not.toContain('aB3dE5gH7j');
});
