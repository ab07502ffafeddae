// Tests that a person can write a checkpoint of a running session, in whichever folder it runs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SessionState } from '../../src/sessions/session-state.ts';
import { type Host, MINE, newHost, SESSION, STATE, sessionFile, writeMine } from '../hooks/host.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { run } from './healthy.ts';
import { afternoon, converse, cx, json, morning, runIn, saved, stateOf, todos } from './saved.ts';

describe('checkpoint create', () => {
  test('writes what is known of the newest session of the folder, and says where', () => {
    const host = newHost();
    const transcript = converse(host, morning(host));
    const result = cx(host, 'create', '--note', 'before API_TOKEN=abcdEFGH12345678 is used');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain(`Checkpoint cx-001 written: ${STATE}/checkpoints/cx-001-checkpoint.json`);
    expect(result.stdout).toContain('1 request, 2 open tasks, 1 file written');
    const [found] = saved(host);
    expect(found).toMatchObject({
      event_type: 'manual',
      trigger: {
        type: 'cli',
        source: 'plimsoll checkpoint create',
        custom_instructions: 'before API_TOKEN=[redacted] is used',
      },
      conversation: { session_id: SESSION, epoch: 0, transcript, git: { branch: 'main' } },
      context_state: { estimated_tokens_used: 120_000 },
      work: { requests: ['write the lexer'], last_answer: 'One test is red.' },
    });
    expect(stateOf(host)?.last_checkpoint).toEqual({
      id: 'cx-001',
      at: found?.timestamp,
      offset: readFileSync(transcript).length,
    });
  });

  test('holds the work before and after a compaction, which is no news for the hooks afterwards', () => {
    const host = newHost({ files: { [MINE]: '[checkpoint]\non_tier_rise = false\n' } });
    const lines = [...morning(host), boundary(), summary(), ...afternoon(host)];
    const transcript = converse(host, lines);
    const { id, epoch, session_id, problems } = json<Record<string, unknown>>(cx(host, 'create', '--json'));
    expect({ id, epoch, session_id, problems }).toEqual({
      id: 'cx-001',
      epoch: 1,
      session_id: SESSION,
      problems: [],
    });
    expect(saved(host)[0]?.work).toMatchObject({
      requests: ['write the lexer', 'go on with the parser'],
      files_written: ['src/lexer.ts', 'src/parser.ts'].map((name) => path.join(host.project, name)),
    });
    const said = host.fire('UserPromptSubmit', { prompt: 'x', transcript_path: transcript }).context;
    expect(said).not.toContain('compaction-alert');
    expect(said).toContain('Last checkpoint: cx-001');
  });

  test('leaves what the hooks know of the session as it is', () => {
    const host = newHost();
    host.append(...morning(host));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    const before = stateOf(host);
    expect(cx(host, 'create', '--session', SESSION).code).toBe(0);
    const { last_checkpoint, ...after } = stateOf(host) ?? ({} as SessionState);
    expect({ ...after, last_checkpoint: before?.last_checkpoint }).toEqual(before);
    expect(last_checkpoint?.id).toBe(saved(host).at(-1)?.event_id);
  });

  test('takes the session that it runs in before a newer one of the folder', () => {
    const host = newHost();
    converse(host, morning(host));
    converse(host, [request('something else'), answer(20_000)], 'another');
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe('another');
    host.env.CLAUDE_CODE_SESSION_ID = SESSION;
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe(SESSION);
    host.env.CLAUDE_CODE_SESSION_ID = 'unknown';
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe('another');
  });

  test('puts no session of another folder into this one', () => {
    const host = newHost();
    const elsewhere = path.join(host.root, 'elsewhere');
    converse(host, [request('secret plans'), answer(20_000)], 'theirs', elsewhere);
    const result = cx(host, 'create', '--session', 'theirs');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Session "theirs" ran in another folder\n  Next: ');
    expect(saved(host)).toEqual([]);
    const below = path.join(host.project, 'packages', 'a');
    converse(host, [request('ours'), answer(20_000)], 'ours', below);
    expect(cx(host, 'create', '--session', 'ours').code).toBe(0);
  });

  test.each([
    ['switched off', (host: Host) => void run(host, 'off')],
    [
      'disabled',
      (host: Host) => {
        mkdirSync(host.state(), { recursive: true });
        writeMine(host, 'enabled = false\n');
      },
    ],
  ])('writes all the same where everything is %s, because a person asked', (_, prepare) => {
    const host = newHost();
    converse(host, morning(host));
    prepare(host);
    expect(cx(host, 'create').code).toBe(0);
    expect(saved(host)).toHaveLength(1);
  });

  test('says clearly that there is no session', () => {
    const host = newHost();
    const result = cx(host, 'create');
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(`No session was found for "${host.project}"`);
    expect(result.stderr).toContain('Next: run this in a folder where an agent has run');
    expect(existsSync(host.state())).toBe(false);
  });

  test('keeps the checkpoint where the state of the session is of a newer version, and says so', () => {
    const host = newHost();
    converse(host, morning(host));
    const newer = JSON.stringify({ session_id: SESSION, schema_version: '2.0.0' });
    mkdirSync(path.dirname(sessionFile(host)), { recursive: true });
    writeFileSync(sessionFile(host), newer);
    const result = cx(host, 'create');
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('state of the session: Written by a newer version');
    expect(saved(host)).toHaveLength(1);
    expect(readFileSync(sessionFile(host), 'utf8')).toBe(newer);
  });
});
test('what a checkpoint holds cannot move the cursor of a terminal', () => {
  const host = newHost();
  const evil = 'clear\u001b[2J the \u0007 screen \u202e';
  const lines = [request(evil), ...todos([evil, 'pending']), answer(20_000)];
  converse(host, lines);
  cx(host, 'create', '--note', evil);
  converse(host, [...lines, request(`${evil}2`), ...todos([`${evil}2`, 'pending']), answer(20_000)]);
  cx(host, 'create');
  for (const args of [['show'], ['list'], ['diff', '1'], ['show', '1']]) {
    const { stdout } = cx(host, ...args);
    expect(stdout).toContain('clear the  screen');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  }
});

test('checkpoints of a home folder are written and read beside the state of the user', () => {
  const host = newHost();
  delete host.env.CLAUDE_PROJECT_DIR;
  const home = host.env.HOME ?? '';
  converse(host, [request('tidy up'), answer(20_000)], SESSION, home);
  expect(runIn(host, home, 'checkpoint', 'create').stdout).toMatch(
    /state\/plimsoll\/projects\/[0-9a-f]{16}\/checkpoints\/cx-001/,
  );
  expect(runIn(host, home, 'checkpoint', 'show').stdout).toContain("THE USER'S GOAL:\n  tidy up");
  expect(existsSync(path.join(home, '.plimsoll'))).toBe(false);
});

test('the list has its columns below each other, and says where a request was cut', () => {
  const host = newHost();
  converse(host, [request(`Port the compiler ${'with error recovery '.repeat(5)}`), answer(60_000)]);
  for (const note of ['one', 'two']) cx(host, 'create', '--note', note);
  cx(host, 'ack', 'cx-001');
  const lines = cx(host, 'list').stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.slice(30))).toEqual([
    expect.stringMatching(/ told to the agent {2}Port the compiler with.* w…$/),
    expect.stringMatching(/ kept {15}Port the compiler with.* w…$/),
  ]);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});
