// Tests that what was handed over is the whole of it, also where a hook may read only for a moment.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatThread, readCurrentThread } from '../../src/compaction/ledger/thread.io.ts';
import { claudeCode } from '../../src/hosts/claude-code/index.io.ts';
import { listProjectPaths } from '../../src/platform/project/paths.ts';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { newHost } from './host.ts';
import { talk } from './talk.ts';

test('the base of a session that was handed a very long one holds all that it said', async () => {
  const host = newHost({});
  const one = talk(host, 'one');
  one.fire('SessionStart', { source: 'startup' });
  one.fire('UserPromptSubmit');
  for (let index = 0; index < 20; index++) {
    one.write(request(`Goal ${index}. Never do thing ${index}.`));
    one.write(toolUse(`f${index}`, 'Bash', { command: 'cat big' }));
    one.write(toolResult(`f${index}`, 'x '.repeat(500_000)), answer(1000));
  }
  const todos = [{ content: 'Write the lexer', status: 'pending' }];
  one.write(toolUse('t', 'TodoWrite', { todos }), toolResult('t'), answer(1000));
  one.fire('Stop');
  one.fire('SessionEnd', { reason: 'other' });
  await one.kill();
  const two = talk(host, 'two');
  two.fire('SessionStart', { source: 'startup' });
  two.fire('UserPromptSubmit');
  two.write(request('go on'), answer(1000));
  two.fire('Stop');
  // As if no hook had kept a ledger yet.
  const [first, second] = ['one', 'two'].map((id) => host.state('sessions', id, 'ledger.json')) as [
    string,
    string,
  ];
  for (const path of [first, second]) rmSync(path);
  const transcript = host.transcript.replace(/[^/]+$/, 'two.jsonl');
  const source = { readerOf: () => claudeCode.entries, paths: listProjectPaths(host.project, host.env) };
  const known = readCurrentThread({ ...source, longest: 0 }, 'two', transcript);
  writeFileSync(second, formatThread(known));
  expect(known.ledger.requests.map(({ text }) => text)).toContain('Goal 9. Never do thing 9.');
  expect(known.ledger.requirements).toHaveLength(20);
  expect(JSON.parse(readFileSync(second, 'utf8')).base.requirements).toHaveLength(20);
});
