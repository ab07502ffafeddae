// Tests that the first answer of a session is recognised as such, however late the first look comes.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { newHost, sessionOf } from './host.ts';

test.each([
  ['one answer', [24_000]],
  ['three answers', [24_000, 80_000, 136_000]],
])('a first look at a file with %s', (_, fills) => {
  const host = newHost();
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit');
  host.append(request('Go'), ...fills.map((tokens, n) => answer(tokens, { id: `m${n}` })));
  for (const id of ['t1', 't2']) {
    host.append(toolUse(id, 'Bash', { command: 'x' }), toolResult(id));
    host.fire('PostToolUse', { tool_use_id: id });
  }
  expect(sessionOf(host).first_answer_tokens).toBe(24_000);
});

test('a transcript that is gone leaves what is known of it', () => {
  const host = newHost();
  host.append(request('Go'), answer(24_000, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  rmSync(host.transcript);
  host.fire('UserPromptSubmit');
  expect(sessionOf(host).first_answer_tokens).toBe(24_000);
});
