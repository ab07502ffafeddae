// Tests what a new session is told of the one before it: the whole handoff, one line, or nothing.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, jsonl, request } from '../unit/lines.ts';
import { CONTEXT, end, POINTER, work } from './earlier.ts';
import { type Host, MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

describe('a new session', () => {
  test('after an unfinished one is told its request, open tasks, files and next step; so is one after that', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const b = talk(host, 'session-b');
    const said = b.fire('SessionStart', { source: 'startup' });
    expect(said.context).toContain(CONTEXT);
    expect(said.context).toContain("THE USER'S GOAL: Port the expression compiler to TypeScript");
    expect(said.context).toContain('OPEN TASKS:\n- Write the parser (in progress)\n- Run all tests');
    expect(said.context).toContain('FILES CHANGED (latest first): src/lexer.ts');
    expect(said.context).toContain('plimsoll checkpoint show cx-001');
    expect(said.person).toContain('last session');
    expect(b.fire('UserPromptSubmit').context).not.toContain('resumption-context');
    // What was handed to it is still open: the next one in the chain is told as well.
    await end(b);
    const third = talk(host, 'session-c').fire('SessionStart', { source: 'startup' }).context;
    expect(third).toContain('OPEN TASKS:\n- Write the parser (in progress)\n- Run all tests');
    expect(third).toContain('FILES CHANGED (latest first): src/lexer.ts');
  });

  test('after a finished one is told one line', async () => {
    const host = newHost();
    await end(work(host, 'session-a', []));
    const said = talk(host, 'session-b').fire('SessionStart', { source: 'startup' });
    expect(said.context).toMatch(
      /^<resumption-context>Earlier session here \(just now\), the user asked: Port the .*plimsoll handoff.*<\/resumption-context>$/,
    );
  });

  test('is told that line once, whatever runs at the same time', async () => {
    const host = newHost();
    await end(work(host, 'session-a', []));
    const b = talk(host, 'session-b');
    const said = await Promise.all([
      b.together(2, 'SessionStart', { source: 'startup' }),
      b.together(2, 'UserPromptSubmit', { prompt: 'hi' }),
    ]);
    expect(said.flat().filter((text) => text.includes(POINTER))).toHaveLength(1);
  });

  test('after /clear is told one line, and the whole where a workflow is active, and was written within the day', async () => {
    for (const [status, hours, expected] of [
      ['COMPLETE', 1, POINTER],
      ['ACTIVE', 1, CONTEXT],
      ['ACTIVE', 25, POINTER],
    ] as const) {
      const updated = new Date(Date.now() - hours * 3_600_000).toISOString();
      const host = newHost({
        files: {
          'ORCHESTRATION.yaml': `workflow:\n  id: w\n  status: ${status}\nresumption:\n  recovery_state:\n    updated_at: "${updated}"\n  next_step: "go"\n`,
        },
      });
      const a = work(host, 'session-a');
      a.fire('SessionEnd', { reason: 'clear' });
      // The same client goes on under a new id.
      expect(a.fire('SessionStart', { source: 'clear', session_id: 'session-b' }).context).toContain(
        expected,
      );
    }
  });

  test('after one that was killed is told the whole, with the answer that the file never got', async () => {
    const host = newHost();
    const a = work(host, 'session-a', []);
    a.write(request('And now the printer'));
    a.fire('UserPromptSubmit');
    await a.kill();
    const said = talk(host, 'session-b').fire('SessionStart', { source: 'startup' });
    expect(said.context).toContain(CONTEXT);
    expect(said.context).toContain('its last turn was interrupted, it ended without saying so');
    expect(said.context).toContain("THE USER'S LATEST TASK: And now the printer");
    expect(said.context).toContain('YOU WERE DOING: the last request, not answered yet');
  });

  test('after one that was killed once the client had noted the end of its turn is told that this was answered', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    a.write(request('And now the printer'));
    a.fire('UserPromptSubmit');
    const at = new Date(Date.now() + 1_000).toISOString();
    writeFileSync(
      host.state('sessions', 'session-a', 'stop.json'),
      JSON.stringify({ at, offset: 9, answer: 'The printer prints.' }),
    );
    await a.kill();
    const said = talk(host, 'session-b').fire('SessionStart', { source: 'startup' });
    expect(said.context).toContain('(tasks are open, it ended without saying so)');
    expect(said.context).not.toContain('not answered yet');
  });

  test('while the earlier one goes on is told nothing', () => {
    const host = newHost();
    work(host, 'session-a');
    expect(talk(host, 'session-b').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });

  test('that goes on from a file (resume, fork) is told nothing', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    for (const source of ['resume', 'fork']) {
      expect(talk(host, `session-${source}`).fire('SessionStart', { source }).stdout).toBe('');
    }
  });

  test.each([
    ['off', /^$/],
    ['pointer', /^<resumption-context>Earlier session here/],
  ])('is told what resume.auto = "%s" allows', async (value, expected) => {
    const host = newHost({ files: { [MINE]: `[resume]\nauto = "${value}"\n` } });
    await end(work(host, 'session-a'));
    const { context } = talk(host, 'session-b').fire('SessionStart', { source: 'startup' });
    expect(context).toMatch(expected);
  });

  test('is told nothing of one that is older than resume.max_age_hours', async () => {
    const host = newHost({ files: { [MINE]: '[resume]\nmax_age_hours = 0\n' } });
    await end(work(host, 'session-a'));
    expect(talk(host, 'session-b').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });
});

describe('the session before', () => {
  const starts = (host: Host, id: string): string =>
    talk(host, id).fire('SessionStart', { source: 'startup' }).context;

  test('is told of again when it goes on after another one took it over', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    await end(a);
    const b = talk(host, 'session-b');
    b.fire('SessionStart', { source: 'startup' });
    b.fire('UserPromptSubmit');
    await end(b);
    // Its client comes back without a word about its start.
    const again = talk(host, 'session-a');
    again.write(request('Something new'));
    again.fire('UserPromptSubmit');
    await end(again);
    expect(starts(host, 'session-c')).toContain("THE USER'S LATEST TASK: Something new");
  });

  test('is not the one that was opened again and left at once', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const b = talk(host, 'session-b');
    b.fire('SessionStart', { source: 'startup' });
    b.fire('UserPromptSubmit');
    b.write(request('Finish it'), answer(30_000, { id: 'm3' }));
    b.fire('Stop', { last_assistant_message: 'Done.' });
    await end(b);
    const phantom = talk(host, 'session-a');
    phantom.fire('SessionStart', { source: 'resume' });
    await end(phantom);
    expect(starts(host, 'session-c')).not.toContain(CONTEXT);
  });

  test('stays with itself when it went on while another one held it', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const b = talk(host, 'session-b');
    b.fire('SessionStart', { source: 'startup' });
    const again = talk(host, 'session-a');
    again.fire('SessionStart', { source: 'resume' });
    again.fire('UserPromptSubmit');
    b.fire('UserPromptSubmit');
    await end(b);
    again.write(request('Mine again'));
    again.fire('UserPromptSubmit');
    await end(again);
    expect(starts(host, 'session-c')).toContain("THE USER'S LATEST TASK: Mine again");
  });

  test('is found behind forty headless runs', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    await end(a);
    const state = JSON.stringify({ ...a.state(), entrypoint: 'sdk-cli' });
    for (let run = 0; run < 40; run++) {
      const id = `headless-${run}`;
      mkdirSync(host.state('sessions', id));
      writeFileSync(
        host.state('sessions', id, 'state.json'),
        state.replace('"session-a"', JSON.stringify(id)),
      );
    }
    expect(starts(host, 'session-b')).toContain(CONTEXT);
  });

  test("stays a person's when a script went on with it", async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const script = talk(host, 'session-a', { entrypoint: 'sdk-cli' });
    script.fire('SessionStart', { source: 'resume' });
    script.fire('UserPromptSubmit');
    await end(script);
    expect(starts(host, 'session-b')).toContain(CONTEXT);
  });

  test('is told with the workflow file of the folder that it worked in', async () => {
    const host = newHost({ files: { 'sub/ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\n' } });
    const a = talk(host, 'session-a');
    const cwd = path.join(host.project, 'sub');
    a.fire('SessionStart', { source: 'startup', cwd });
    a.write(request('Go'), answer(30_000, { id: 'm1' }));
    a.fire('UserPromptSubmit', { cwd });
    a.fire('Stop', { last_assistant_message: 'Done.', cwd });
    await end(a);
    expect(starts(host, 'session-b')).toContain('WORKFLOW: w (sub/ORCHESTRATION.yaml');
  });

  test('is told whatever blanks its words hold', async () => {
    const host = newHost();
    const content = `A${' '.repeat(12_000)}B`;
    await end(work(host, 'session-a', [{ content, status: 'pending', activeForm: 'x' }]));
    expect(starts(host, 'session-b')).toContain('OPEN TASKS:\n- A B');
  });
});
test('a fork counts its own compactions only', () => {
  const host = newHost();
  const fork = talk(host, 'session-fork');
  fork.fire('SessionStart', { source: 'fork' });
  fork.fire('UserPromptSubmit');
  const transcript = path.join(path.dirname(host.transcript), 'session-fork.jsonl');
  const old = '2026-11-01T10:00:00.000Z';
  appendFileSync(
    transcript,
    jsonl([
      request('old', { timestamp: old }),
      {
        type: 'system',
        subtype: 'compact_boundary',
        parentUuid: null,
        timestamp: old,
        compactMetadata: { trigger: 'auto', preTokens: 167_000 },
      },
      answer(40_000, { id: 'm1', at: old }),
    ]),
  );
  fork.write(request('new'), answer(41_000, { id: 'm2' }));
  expect(fork.fire('UserPromptSubmit').context).not.toContain('compaction-alert');
  expect(fork.state()).toMatchObject({ epoch: 0, alert: null });
});
