// Tests that a person can see what the last session left, and what the next one will be told.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, MINE, newHost } from '../hooks/host.ts';
import { answer, jsonl, type Line, request, toolResult, toolUse } from '../unit/lines.ts';
import { run } from './healthy.ts';

/** A session that ends, with a task open or not. */
function converse(host: Host, id: string, status: 'pending' | 'completed'): void {
  const transcript = path.join(path.dirname(host.transcript), `${id}.jsonl`);
  const fire = (event: string, fields: object = {}): unknown =>
    host.fire(event, { session_id: id, transcript_path: transcript, ...fields });
  const write = (...lines: Line[]): void => appendFileSync(transcript, jsonl(lines));
  fire('SessionStart', { source: 'startup' });
  fire('UserPromptSubmit');
  write(
    request(`Write the parser of ${id}`),
    toolUse('t1', 'TodoWrite', { todos: [{ content: 'Run all tests', status, activeForm: 'x' }] }),
    toolResult('t1'),
    answer(60_000, { id: 'm2', content: [{ type: 'text', text: 'It parses.' }] }),
  );
  fire('Stop', { last_assistant_message: 'It parses.' });
  fire('SessionEnd', { reason: 'other' });
}

describe('plimsoll resume', () => {
  test('prints what the last session left, and consumes nothing', () => {
    const host = newHost();
    converse(host, 'session-a', 'pending');
    for (let time = 0; time < 2; time++) {
      const { code, stdout } = run(host, 'resume');
      expect(code).toBe(0);
      expect(stdout).toContain("THE USER'S GOAL: Write the parser of session-a");
      expect(stdout).toContain('OPEN TASKS:\n- Run all tests (next: the first pending task)');
      expect(stdout).toContain('plimsoll checkpoint show cx-001');
    }
    const next = host.fire('SessionStart', { source: 'startup', session_id: 'session-b' });
    expect(next.context).toContain('left work unfinished');
  });

  test('inside a session means the one before it', () => {
    const host = newHost();
    converse(host, 'session-a', 'pending');
    converse(host, 'session-b', 'pending');
    expect(run(host, 'resume').stdout).toContain('parser of session-b');
    host.env.CLAUDE_CODE_SESSION_ID = 'session-b';
    expect(run(host, 'resume').stdout).toContain('parser of session-a');
  });

  test('of a checkpoint prints what was true then', () => {
    const host = newHost();
    converse(host, 'session-a', 'pending');
    const { stdout } = run(host, 'resume', '1');
    expect(stdout).toContain('SESSION: session-, ended just now (tasks are open)');
    expect(stdout).toContain("THE USER'S GOAL: Write the parser of session-a");
  });

  test('--json gives the text and the state', () => {
    const host = newHost();
    converse(host, 'session-a', 'pending');
    const found = JSON.parse(run(host, 'resume', '--json').stdout) as Record<string, never>;
    expect(found).toMatchObject({
      because: ['tasks'],
      state: { work: { requests: ['Write the parser of session-a'] } },
    });
    expect(found.text).toMatch(/^<resumption-context>/);
  });

  test.each<[string, string[], number, RegExp]>([
    ['no session at all', ['resume'], 1, /There is no ended session of this project to tell of\n\s+Next: /],
    ['a checkpoint that is not there', ['resume', 'cx-009'], 1, /No checkpoint "cx-009"/],
    ['a preview of a checkpoint', ['resume', 'cx-001', '--preview'], 2, /--preview is about the next/],
  ])('with %s says what to do next', (_, args, code, words) => {
    const result = run(newHost(), ...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(words);
  });
});

describe('plimsoll resume --preview', () => {
  const preview = (host: Host): string => run(host, 'resume', '--preview').stdout;

  test('says the whole context after an unfinished session, and nothing once it is taken', () => {
    const host = newHost();
    converse(host, 'session-a', 'pending');
    expect(preview(host)).toMatch(
      /^The next session is told this, because .* unfinished:\n\n<resumption-context>\nAn earlier/,
    );
    const told = { session_id: 'session-b', transcript_path: null };
    host.fire('SessionStart', { source: 'startup', ...told });
    host.fire('UserPromptSubmit', told);
    expect(preview(host)).toBe(
      'The next session is told nothing: another session has taken the last one over.\n',
    );
  });

  test('says the line after a finished one', () => {
    const host = newHost();
    converse(host, 'session-a', 'completed');
    expect(preview(host)).toMatch(/finished:\n\n<resumption-context>Earlier session here/);
  });

  test.each([
    ['auto = "off"', 'resume.auto is "off"'],
    ['max_age_hours = 0', 'the last session is older than resume.max_age_hours'],
  ])('says why it is nothing with %s', (setting, why) => {
    const host = newHost({ files: { [MINE]: `[resume]\n${setting}\n` } });
    converse(host, 'session-a', 'pending');
    expect(preview(host)).toBe(`The next session is told nothing: ${why}.\n`);
  });

  test('says that there is none', () => {
    expect(preview(newHost())).toBe(
      'The next session is told nothing: there is no ended session of this project to tell of (headless runs do not count).\n',
    );
  });
});
