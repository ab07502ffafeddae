import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../src/tags/budget.ts';
import { answer, jsonl, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, newHost } from './host.ts';
import { type Talk, talk } from './talk.ts';

const TODOS = [
  { content: 'Write the parser', status: 'in_progress', activeForm: 'Writing the parser' },
  { content: 'Run all tests', status: 'pending', activeForm: 'Running all tests' },
];

/** A conversation that asked for something, wrote a file and left two tasks open. */
function work(host: Host, id: string, todos: object[] = TODOS): Talk {
  const a = talk(host, id);
  a.fire('SessionStart', { source: 'startup' });
  a.fire('UserPromptSubmit', { prompt: 'x' });
  const file = path.join(host.project, 'src/lexer.ts');
  a.write(
    request('Port the expression compiler to TypeScript'),
    toolUse('t1', 'TodoWrite', { todos }),
    toolResult('t1'),
    toolUse('t2', 'Write', { file_path: file, content: 'x' }),
    toolResult('t2'),
    answer(60_000, { id: 'm9', content: [{ type: 'text', text: 'The lexer is done.' }] }),
  );
  a.fire('PostToolUse', { tool_use_id: 't2' });
  a.fire('Stop', { last_assistant_message: 'The lexer is done.' });
  return a;
}

const end = async (a: Talk, reason = 'prompt_input_exit'): Promise<void> => {
  a.fire('SessionEnd', { reason });
  await a.kill();
};

const CONTEXT = '<resumption-context>\nAn earlier conversation';
const POINTER = '<resumption-context>Earlier conversation here';

describe('a new conversation', () => {
  test('after an unfinished one is told its request, open tasks, files and next step, once', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const b = talk(host, 'conversation-b');
    const said = b.fire('SessionStart', { source: 'startup' });
    expect(said.context).toContain(CONTEXT);
    expect(said.context).toContain("THE USER'S REQUEST: Port the expression compiler to TypeScript");
    expect(said.context).toContain('OPEN TASKS:\n- Write the parser (in progress)\n- Run all tests');
    expect(said.context).toContain('FILES WRITTEN:\n- src/lexer.ts');
    expect(said.context).toContain('NEXT ACTION: Write the parser');
    expect(said.context).toContain('- Last checkpoint: .plimsoll/checkpoints/cx-001-checkpoint.json');
    expect(said.person).toContain('last conversation');
    expect(b.fire('UserPromptSubmit').context).not.toContain('resumption-context');
    await end(b);
    expect(talk(host, 'conversation-c').fire('SessionStart', { source: 'startup' }).context).not.toContain(
      CONTEXT,
    );
  });

  test('after a finished one is told one line', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a', []));
    const said = talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' });
    expect(said.context).toMatch(
      /^<resumption-context>Earlier conversation here \(just now\): "Port the .*plimsoll resume.*<\/resumption-context>$/,
    );
  });

  test('after /clear is told one line, and the whole where a workflow is active', async () => {
    for (const [status, expected] of [
      ['COMPLETE', POINTER],
      ['ACTIVE', CONTEXT],
    ] as const) {
      const host = newHost({
        files: {
          'ORCHESTRATION.yaml': `workflow:\n  id: w\n  status: ${status}\nresumption:\n  next_step: "go"\n`,
        },
      });
      const a = work(host, 'conversation-a');
      a.fire('SessionEnd', { reason: 'clear' });
      // The same client goes on under a new id.
      expect(a.fire('SessionStart', { source: 'clear', session_id: 'conversation-b' }).context).toContain(
        expected,
      );
    }
  });

  test('after one that was killed is told the whole, with the answer that the file never got', async () => {
    const host = newHost();
    const a = work(host, 'conversation-a', []);
    a.write(request('And now the printer'));
    a.fire('UserPromptSubmit');
    await a.kill();
    const said = talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' });
    expect(said.context).toContain(CONTEXT);
    expect(said.context).toContain('its last turn was interrupted, it ended without saying so');
    expect(said.context).toContain("THE USER'S REQUEST: And now the printer");
    expect(said.context).toContain('NEXT ACTION: Continue: And now the printer');
  });

  test('while the earlier one goes on is told nothing', () => {
    const host = newHost();
    work(host, 'conversation-a');
    expect(talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });

  test('that goes on from a file (resume, fork) is told nothing', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    for (const source of ['resume', 'fork']) {
      expect(talk(host, `conversation-${source}`).fire('SessionStart', { source }).stdout).toBe('');
    }
  });

  test.each([
    ['off', /^$/],
    ['pointer', /^<resumption-context>Earlier conversation here/],
  ])('is told what resume.auto = "%s" allows', async (value, expected) => {
    const host = newHost({ files: { '.plimsoll/config.toml': `[resume]\nauto = "${value}"\n` } });
    await end(work(host, 'conversation-a'));
    const { context } = talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' });
    expect(context).toMatch(expected);
  });

  test('is told nothing of one that is older than resume.max_age_hours', async () => {
    const host = newHost({ files: { '.plimsoll/config.toml': '[resume]\nmax_age_hours = 0\n' } });
    await end(work(host, 'conversation-a'));
    expect(talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });
});

describe('the conversation before', () => {
  const starts = (host: Host, id: string): string =>
    talk(host, id).fire('SessionStart', { source: 'startup' }).context;

  test('is told of again when it goes on after another one took it over', async () => {
    const host = newHost();
    const a = work(host, 'conversation-a');
    await end(a);
    const b = talk(host, 'conversation-b');
    b.fire('SessionStart', { source: 'startup' });
    b.fire('UserPromptSubmit');
    await end(b);
    // Its client comes back without a word about its start.
    const again = talk(host, 'conversation-a');
    again.write(request('Something new'));
    again.fire('UserPromptSubmit');
    await end(again);
    expect(starts(host, 'conversation-c')).toContain("THE USER'S REQUEST: Something new");
  });

  test('is not the one that was opened again and left at once', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const b = talk(host, 'conversation-b');
    b.fire('SessionStart', { source: 'startup' });
    b.fire('UserPromptSubmit');
    b.write(request('Finish it'), answer(30_000, { id: 'm3' }));
    b.fire('Stop', { last_assistant_message: 'Done.' });
    await end(b);
    const phantom = talk(host, 'conversation-a');
    phantom.fire('SessionStart', { source: 'resume' });
    await end(phantom);
    expect(starts(host, 'conversation-c')).not.toContain(CONTEXT);
  });

  test('stays with itself when it went on while another one held it', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const b = talk(host, 'conversation-b');
    b.fire('SessionStart', { source: 'startup' });
    const again = talk(host, 'conversation-a');
    again.fire('SessionStart', { source: 'resume' });
    again.fire('UserPromptSubmit');
    b.fire('UserPromptSubmit');
    await end(b);
    again.write(request('Mine again'));
    again.fire('UserPromptSubmit');
    await end(again);
    expect(starts(host, 'conversation-c')).toContain("THE USER'S REQUEST: Mine again");
  });

  test('is found behind forty headless runs', async () => {
    const host = newHost();
    const a = work(host, 'conversation-a');
    await end(a);
    const state = JSON.stringify({ ...a.state(), entrypoint: 'sdk-cli' });
    for (let run = 0; run < 40; run++) {
      const id = `headless-${run}`;
      writeFileSync(
        host.state('conversations', `${id}.json`),
        state.replace('"conversation-a"', JSON.stringify(id)),
      );
    }
    expect(starts(host, 'conversation-b')).toContain(CONTEXT);
  });

  test("stays a person's when a script went on with it", async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const script = talk(host, 'conversation-a', { entrypoint: 'sdk-cli' });
    script.fire('SessionStart', { source: 'resume' });
    script.fire('UserPromptSubmit');
    await end(script);
    expect(starts(host, 'conversation-b')).toContain(CONTEXT);
  });

  test('is told with the workflow file of the folder that it worked in', async () => {
    const host = newHost({ files: { 'sub/ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\n' } });
    const a = talk(host, 'conversation-a');
    const cwd = path.join(host.project, 'sub');
    a.fire('SessionStart', { source: 'startup', cwd });
    a.write(request('Go'), answer(30_000, { id: 'm1' }));
    a.fire('UserPromptSubmit', { cwd });
    a.fire('Stop', { last_assistant_message: 'Done.', cwd });
    await end(a);
    expect(starts(host, 'conversation-b')).toContain('its workflow is active');
  });

  test('is told whatever blanks its words hold', async () => {
    const host = newHost();
    const content = `A${' '.repeat(12_000)}B`;
    await end(work(host, 'conversation-a', [{ content, status: 'pending', activeForm: 'x' }]));
    expect(starts(host, 'conversation-b')).toContain('OPEN TASKS:\n- A B');
  });
});

describe('nothing is consumed', () => {
  test('by starts that nothing follows, however many', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    for (let time = 0; time < 4; time++) {
      const phantom = talk(host, `phantom-${time}`);
      expect(phantom.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
      if (time % 2 === 0) phantom.fire('SessionEnd', { reason: 'other' });
      await phantom.kill();
    }
    expect(talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' }).context).toContain(
      CONTEXT,
    );
  });

  test('by a headless run in between, which gets one line', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const run = talk(host, 'headless', { entrypoint: 'sdk-cli' });
    expect(run.fire('SessionStart', { source: 'startup' }).context).toContain(POINTER);
    run.fire('UserPromptSubmit');
    run.write(request('What is the version?'), answer(20_000, { id: 'm2' }));
    run.fire('Stop', { last_assistant_message: 'Done.' });
    await end(run, 'other');
    expect(talk(host, 'conversation-b').fire('SessionStart', { source: 'startup' }).context).toContain(
      CONTEXT,
    );
  });

  test('unless resume.headless lets a headless run take over', async () => {
    const host = newHost({ files: { '.plimsoll/config.toml': '[resume]\nheadless = true\n' } });
    await end(work(host, 'conversation-a'));
    const run = talk(host, 'headless', { entrypoint: 'sdk-cli' });
    expect(run.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
  });

  test('by two starts at once: while one is waiting at its prompt the other is told nothing', async () => {
    const host = newHost();
    await end(work(host, 'conversation-a'));
    const first = talk(host, 'conversation-b');
    expect(first.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
    expect(talk(host, 'conversation-c').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });
});

describe('whether it arrived', () => {
  /** A conversation that was told, and its first prompt. */
  async function told(host: Host): Promise<{ b: Talk; words: string }> {
    await end(work(host, 'conversation-a'));
    const b = talk(host, 'conversation-b');
    const words = b.fire('SessionStart', { source: 'startup' }).context;
    expect(b.state()).toMatchObject({
      active: false,
      resumption: { from: 'conversation-a', status: 'leased' },
    });
    b.fire('UserPromptSubmit');
    return { b, words };
  }
  const turn = (b: Talk, tokens: number): void =>
    b.write(
      request('go on'),
      toolUse('t7', 'Bash', { command: 'ls' }, {}),
      toolResult('t7'),
      answer(tokens, { id: `m${tokens}` }),
    );

  test('is seen in the transcript', async () => {
    const host = newHost();
    const { b, words } = await told(host);
    b.store('SessionStart', words);
    turn(b, 30_000);
    expect(b.fire('PostToolUse', { tool_use_id: 't7' }).stdout).toBe('');
    expect(b.state()).toMatchObject({ resumption: { status: 'delivered', tries: 1 } });
  });

  test('is seen behind a resume too, which adds no second copy', async () => {
    const host = newHost();
    const { b, words } = await told(host);
    b.store('SessionStart', words);
    turn(b, 30_000);
    b.fire('SessionEnd', { reason: 'other' });
    expect(b.fire('SessionStart', { source: 'resume' }).stdout).toBe('');
    expect(b.fire('UserPromptSubmit').context).not.toContain('resumption-context');
    expect(b.state()).toMatchObject({ resumption: { status: 'delivered', tries: 1 } });
  });

  test('is not taken from a quotation, and what is lost is said again, three times at the most', async () => {
    const host = newHost();
    const { b, words } = await told(host);
    b.store('UserPromptSubmit', '<context-monitor>something else of ours</context-monitor>');
    b.write(request(words));
    for (const tries of [2, 3]) {
      turn(b, 30_000 + tries);
      expect(b.fire('PostToolUse', { tool_use_id: 't7' }).context).toContain(CONTEXT);
      expect(b.state()).toMatchObject({ resumption: { status: 'leased', tries } });
    }
    turn(b, 40_000);
    expect(b.fire('PostToolUse', { tool_use_id: 't7' }).context).not.toContain(CONTEXT);
    expect(b.state()).toMatchObject({ resumption: { status: 'undelivered', tries: 3 } });
  });

  test('and is said again at a prompt costs no more than a prompt may, however much there is to tell', async () => {
    const host = newHost();
    const LONG = 'some words of a long text '.repeat(20).trim();
    const todos = Array.from({ length: 30 }, (_, n) => ({
      content: `${n} ${LONG}`,
      status: 'pending',
      activeForm: 'x',
    }));
    const a = work(host, 'conversation-a', todos);
    a.write(...Array.from({ length: 12 }, (_, n) => request(`${n} ${LONG}`)));
    await end(a);
    const b = talk(host, 'conversation-b');
    b.fire('SessionStart', { source: 'startup' });
    b.store('UserPromptSubmit', '<context-monitor>something else of ours</context-monitor>');
    turn(b, 130_000);
    const { context } = b.fire('UserPromptSubmit');
    expect(context).toContain(CONTEXT);
    expect(context).toContain('CONTEXT STATUS: WARNING');
    expect(estimateTokens(context)).toBeLessThanOrEqual(BUDGETS.prompt);
    expect(estimateTokens(context)).toBeGreaterThan(1_000);
  });

  test('cannot be seen on a client that stores no attachments: unverified, and said once', async () => {
    const host = newHost();
    const { b } = await told(host);
    turn(b, 30_000);
    expect(b.fire('PostToolUse', { tool_use_id: 't7' }).stdout).toBe('');
    expect(b.state()).toMatchObject({ resumption: { status: 'unverified' } });
  });
});

describe('the end of a conversation', () => {
  test('writes a checkpoint when work was done since the last one, and notes the end', async () => {
    const host = newHost();
    const a = work(host, 'conversation-a');
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
    const a = talk(plain, 'conversation-a');
    a.fire('UserPromptSubmit');
    a.write(request('Why?'), answer(20_000, { id: 'm1' }));
    a.fire('Stop', { last_assistant_message: 'Done.' });
    a.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(plain.state('checkpoints'))).toBe(false);
    const silent = newHost({ files: { '.plimsoll/config.toml': '[checkpoint]\non_session_end = false\n' } });
    const b = work(silent, 'conversation-b');
    b.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(silent.state('checkpoints'))).toBe(false);
    expect(b.state()).toMatchObject({ ended: { reason: 'other' } });
  });

  test('removes what is kept for nothing, where much has come together', () => {
    const host = newHost({ files: { '.plimsoll/config.toml': '[checkpoint]\nkeep = 1\n' } });
    const a = work(host, 'conversation-a');
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

  test('is taken back when the conversation goes on', async () => {
    const host = newHost();
    const a = work(host, 'conversation-a');
    a.fire('SessionEnd', { reason: 'other' });
    a.fire('SessionStart', { source: 'resume' });
    expect(a.state()).toMatchObject({ ended: null, active: true });
  });
});

test('a fork counts its own compactions only', () => {
  const host = newHost();
  const fork = talk(host, 'conversation-fork');
  fork.fire('SessionStart', { source: 'fork' });
  fork.fire('UserPromptSubmit');
  const transcript = path.join(path.dirname(host.transcript), 'conversation-fork.jsonl');
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
