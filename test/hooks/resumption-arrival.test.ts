// Tests that only a session that goes on consumes a handoff, and that a handoff that was lost is told again.
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../src/text/budget.ts';
import { answer, boundary, request, summary, toolResult, toolUse } from '../unit/lines.ts';
import { CONTEXT, end, POINTER, work } from './earlier.ts';
import { type Host, MINE, newHost } from './host.ts';
import { type Talk, talk } from './talk.ts';

describe('nothing is consumed', () => {
  test('by starts that nothing follows, however many', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    for (let time = 0; time < 4; time++) {
      const phantom = talk(host, `phantom-${time}`);
      expect(phantom.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
      if (time % 2 === 0) phantom.fire('SessionEnd', { reason: 'other' });
      await phantom.kill();
    }
    expect(talk(host, 'session-b').fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
  });

  test('by a headless run in between, which gets one line', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const run = talk(host, 'headless', { entrypoint: 'sdk-cli' });
    expect(run.fire('SessionStart', { source: 'startup' }).context).toContain(POINTER);
    run.fire('UserPromptSubmit');
    run.write(request('What is the version?'), answer(20_000, { id: 'm2' }));
    run.fire('Stop', { last_assistant_message: 'Done.' });
    await end(run, 'other');
    expect(talk(host, 'session-b').fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
  });

  test('unless resume.headless lets a headless run take over', async () => {
    const host = newHost({ files: { [MINE]: '[resume]\nheadless = true\n' } });
    await end(work(host, 'session-a'));
    const run = talk(host, 'headless', { entrypoint: 'sdk-cli' });
    expect(run.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
  });

  test('by two starts at once: while one is waiting at its prompt the other is told nothing', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const first = talk(host, 'session-b');
    expect(first.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
    expect(talk(host, 'session-c').fire('SessionStart', { source: 'startup' }).stdout).toBe('');
  });
});

describe('whether it arrived', () => {
  /** A session that was told, and its first prompt. */
  async function told(host: Host): Promise<{ b: Talk; words: string }> {
    await end(work(host, 'session-a'));
    const b = talk(host, 'session-b');
    const words = b.fire('SessionStart', { source: 'startup' }).context;
    expect(b.state()).toMatchObject({
      active: false,
      received_handoff: { from: 'session-a', status: 'leased' },
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
    expect(b.state()).toMatchObject({ received_handoff: { status: 'delivered', tries: 1 } });
  });

  test('is seen behind a resume too, which adds no second copy', async () => {
    const host = newHost();
    const { b, words } = await told(host);
    b.store('SessionStart', words);
    turn(b, 30_000);
    b.fire('SessionEnd', { reason: 'other' });
    expect(b.fire('SessionStart', { source: 'resume' }).stdout).toBe('');
    expect(b.fire('UserPromptSubmit').context).not.toContain('resumption-context');
    expect(b.state()).toMatchObject({ received_handoff: { status: 'delivered', tries: 1 } });
  });

  test('is not taken from a quotation, and what is lost is said again, three times at the most', async () => {
    const host = newHost();
    const { b, words } = await told(host);
    b.store('UserPromptSubmit', '<context-monitor>something else of ours</context-monitor>');
    b.write(request(words));
    for (const tries of [2, 3]) {
      turn(b, 30_000 + tries);
      expect(b.fire('PostToolUse', { tool_use_id: 't7' }).context).toContain(CONTEXT);
      expect(b.state()).toMatchObject({ received_handoff: { status: 'leased', tries } });
    }
    turn(b, 40_000);
    expect(b.fire('PostToolUse', { tool_use_id: 't7' }).context).not.toContain(CONTEXT);
    expect(b.state()).toMatchObject({ received_handoff: { status: 'undelivered', tries: 3 } });
  });

  test('and is said again at a prompt costs no more than a prompt may, however much there is to tell', async () => {
    const host = newHost();
    const LONG = 'some words of a long text '.repeat(20).trim();
    const todos = Array.from({ length: 30 }, (_, n) => ({
      content: `${n} ${LONG}`,
      status: 'pending',
      activeForm: 'x',
    }));
    const a = work(host, 'session-a', todos);
    a.write(...Array.from({ length: 12 }, (_, n) => request(`${n} ${LONG}`)));
    await end(a);
    const b = talk(host, 'session-b');
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
    expect(b.state()).toMatchObject({ received_handoff: { status: 'unverified' } });
  });
});

describe('a compaction that goes on in a session of another id', () => {
  const compact = { trigger: 'auto', custom_instructions: null };
  const BOUNDARY = (more: object = {}) => boundary('auto', 160_000, { timestamp: undefined, ...more });

  /** A session that was about to be compacted, and the new one's lines before it. */
  function compacted(host: Host) {
    const a = talk(host, 'session-a');
    a.fire('SessionStart', { source: 'startup' });
    const lines = [
      request('Build the parser. Never touch gen/.', { uuid: '11111111-1111-4111-8111-111111111111' }),
      answer(160_000, {}, { uuid: '22222222-2222-4222-8222-222222222222' }),
    ];
    a.write(...lines);
    a.fire('UserPromptSubmit', { prompt: 'x' });
    a.fire('PreCompact', compact);
    return { a, lines };
  }

  test.each(['resume', 'fork'])('is told in it at once, and once (%s)', (source) => {
    const host = newHost();
    const { a, lines } = compacted(host);
    const b = talk(host, 'session-b');
    b.write(...lines, BOUNDARY(), summary());
    const { context } = b.fire('SessionStart', { source });
    expect(context).toContain('<compaction-alert>');
    expect(context).toContain("THE USER'S GOAL: Build the parser. Never touch gen/.");
    b.store('SessionStart', context);
    b.write(answer(30_000, { id: 'b1' }));
    expect(b.fire('PostToolBatch', { tool_calls: [] }).context).not.toContain('<compaction-alert>');
    expect(b.state()).toMatchObject({ epoch: 1, alert: { status: 'delivered' } });
    expect(a.state()).toMatchObject({ epoch: 0, alert: null });
  });

  test('is told from the checkpoint of the session before, where the new file begins with the boundary', () => {
    const host = newHost();
    compacted(host);
    const b = talk(host, 'session-b');
    b.write(BOUNDARY({ logicalParentUuid: '22222222-2222-4222-8222-222222222222' }), summary());
    const { context } = b.fire('SessionStart', { source: 'resume' });
    expect(context).toContain('CHECKPOINT: cx-002-checkpoint.json');
    expect(context).toContain("THE USER'S GOAL: Build the parser. Never touch gen/.");
  });

  test('takes no checkpoint of a session that it does not follow', () => {
    const host = newHost();
    compacted(host);
    const b = talk(host, 'session-b');
    b.write(BOUNDARY({ logicalParentUuid: '33333333-3333-4333-8333-333333333333' }), summary());
    const { context } = b.fire('SessionStart', { source: 'resume' });
    expect(context).toContain('<compaction-alert>');
    expect(context).not.toContain('parser');
  });

  test('is told at the resume of one that died before the alert', async () => {
    const host = newHost();
    const { a } = compacted(host);
    a.write(BOUNDARY(), summary());
    await a.kill();
    const { context } = a.fire('SessionStart', { source: 'resume' });
    expect(context).toContain('<compaction-alert>');
    expect(context).toContain('CHECKPOINT: cx-002-checkpoint.json');
  });

  test('is not told where an answer has followed it', () => {
    const host = newHost();
    const { lines } = compacted(host);
    const b = talk(host, 'session-b');
    b.write(...lines, BOUNDARY(), summary(), answer(30_000, { id: 'b1' }));
    for (const source of ['resume', 'fork']) expect(b.fire('SessionStart', { source }).context).toBe('');
  });
});
