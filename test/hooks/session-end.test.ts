// Tests the end of a session: its checkpoint, the note of the end, and the cleaning up.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { work } from './earlier.ts';
import { MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

describe('the end of a session', () => {
  test('writes a checkpoint when work was done since the last one, and notes the end', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    expect(a.fire('SessionEnd', { reason: 'logout' }).stdout).toBe('');
    expect(a.state()).toMatchObject({
      ended: { reason: 'logout' },
      last_checkpoint: { id: 'cx-001' },
    });
    const text = readFileSync(host.state('checkpoints', 'cx-001-checkpoint.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      event_type: 'session-end',
      trigger: { type: 'session-end' },
      work: { turn_open: false, last_answer: 'The lexer is done.' },
    });
    // Nothing was done since: a second end writes none.
    a.fire('SessionEnd', { reason: 'other' });
    expect(readdirSync(host.state('checkpoints'))).toEqual(['cx-001-checkpoint.json']);
  });

  test('writes none where only words were exchanged, nor where the settings say so', () => {
    const plain = newHost();
    const a = talk(plain, 'session-a');
    a.fire('UserPromptSubmit');
    a.write(request('Why?'), answer(20_000, { id: 'm1' }));
    a.fire('Stop', { last_assistant_message: 'Done.' });
    a.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(plain.state('checkpoints'))).toBe(false);
    const silent = newHost({ files: { [MINE]: '[checkpoint]\non_session_end = false\n' } });
    const b = work(silent, 'session-b');
    b.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(silent.state('checkpoints'))).toBe(false);
    expect(b.state()).toMatchObject({ ended: { reason: 'other' } });
  });

  test('removes what is kept for nothing, where much has come together', () => {
    const host = newHost({ files: { [MINE]: '[checkpoint]\nkeep = 1\n' } });
    const a = work(host, 'session-a');
    a.fire('SessionEnd', { reason: 'other' });
    const folder = host.state('checkpoints');
    writeFileSync(path.join(folder, 'cx-001-checkpoint.json.acknowledged'), '{}');
    a.fire('SessionStart', { source: 'resume' });
    a.write(request('more'), toolUse('t8', 'Bash', { command: 'ls' }), toolResult('t8'));
    a.fire('UserPromptSubmit');
    a.fire('SessionEnd', { reason: 'other' });
    expect(readdirSync(folder)).toEqual(['cx-002-checkpoint.json']);
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('is taken back when the session goes on', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    a.fire('SessionEnd', { reason: 'other' });
    a.fire('SessionStart', { source: 'resume' });
    expect(a.state()).toMatchObject({ ended: null, active: true });
  });
});
