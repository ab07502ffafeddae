// Tests that a note comes back in the alert and in the handoff, whether the agent or a person wrote it.
import { expect, test } from 'vitest';
import { newHost, SESSION } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';

test.each([
  ['the shell of the agent', { CLAUDE_CODE_SESSION_ID: SESSION }, 'noted: port 4711 is taken'],
  ['the shell of a person', {}, 'the user noted: port 4711 is taken'],
])('a note from %s comes back in the alert and in the handoff', (_, env, expected) => {
  const host = newHost();
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('Build the parser'), answer(120_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  const noted = plimsoll(
    { env: { ...host.env, ...env }, projectDir: host.project },
    'note',
    'port 4711 is taken',
  );
  expect(noted.stdout).toContain(`Noted for session ${SESSION}: port 4711 is taken`);
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  const { context } = host.fire('SessionStart', { source: 'compact' });
  expect(context).toContain("THE USER'S GOAL: Build the parser");
  expect(context).toContain(expected);
  host.fire('SessionEnd', { reason: 'other' });
  const { stdout } = plimsoll({ env: host.env, projectDir: host.project }, 'handoff');
  expect(stdout).toContain(expected);
});

test('a note without words says how one is written', () => {
  const host = newHost();
  const result = plimsoll({ env: host.env, projectDir: host.project }, 'note');
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('plimsoll note "');
});
