// Tests that the test kit drives the real client and sees what the model would see.
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { countIn, newText, ofKind, textOf } from '../kit/requests.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../kit/sandbox.ts';
import { startScriptedModel } from '../kit/scripted-model.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';

/** The event's name is all the hook says, so a test can tell which hook was heard. */
const echoHook = `
let input = '';
process.stdin.on('data', (chunk) => (input += chunk)).on('end', () => {
  const { hook_event_name: hookEventName, source } = JSON.parse(input);
  const additionalContext = ['heard', hookEventName, source].filter(Boolean).join('-');
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }));
});
`;

const echo = [{ hooks: [{ type: 'command', command: 'node', args: ['${CLAUDE_PROJECT_DIR}/echo.mjs'] }] }];
const model = ['--model', 'claude-sonnet-4-5'];
const tooLong = { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' };

async function sandboxWithHooks(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({
    ...options,
    files: { 'echo.mjs': echoHook, ...options.files },
    settings: {
      hooks: { SessionStart: echo, UserPromptSubmit: echo },
      permissions: { allow: ['Bash'] },
      ...options.settings,
    },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'a step' } });

function boundaries(sandbox: Sandbox): string[] {
  return sandbox
    .transcriptLines()
    .filter((line) => line.subtype === 'compact_boundary')
    .map((line) => (line.compactMetadata as { trigger: string }).trigger);
}

describe('the kit on the real client', () => {
  test("a hook's context reaches the model with the prompt, in a folder with an awkward name", async () => {
    const sandbox = await sandboxWithHooks({
      script: {
        main: [
          { text: 'one', fill: 30_000 },
          { text: 'two', fill: 60_000 },
        ],
      },
      projectName: 'mein Projekt für 你',
      git: true,
    });
    const talk = openSession(sandbox, model);
    expect((await talk.say('first')).result).toBe('one');
    expect((await talk.say('second')).result).toBe('two');
    expect(await talk.end()).toBe(0);

    const [first, second, ...more] = ofKind(sandbox.model.requests, 'main');
    expect(more).toEqual([]);
    if (!first || !second) throw new Error('two main requests expected');
    expect(countIn(first, 'heard-UserPromptSubmit')).toBe(1);
    expect(countIn(second, 'heard-UserPromptSubmit')).toBe(2);
    expect(newText(second, first)).toContain('second');
    expect(newText(second, first)).not.toContain('heard-SessionStart');
    expect(textOf(first)).toContain('mein Projekt für 你');
    expect(sandbox.transcripts()).toHaveLength(1);
  });

  test('a tool loop compacts by itself once it has passed the threshold of its window', async () => {
    const sandbox = await sandboxWithHooks({
      script: {
        main: [
          { text: 'a', tools: [bash('echo step-1')], fill: 100_000 },
          { text: 'b', tools: [bash('echo step-2')], fill: 117_000 },
          { text: 'c', fill: 25_000 },
        ],
      },
      env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' },
    });
    const talk = openSession(sandbox, model);
    expect((await talk.say('a long job')).result).toBe('c');
    await talk.end();

    expect(sandbox.model.requests.filter((r) => r.kind !== 'side').map((r) => r.kind)).toEqual([
      'main',
      'main',
      'summary',
      'main',
    ]);
    const last = ofKind(sandbox.model.requests, 'main')[2];
    expect(last && textOf(last)).toContain('heard-SessionStart-compact');
    expect(last && textOf(last)).toContain('SCRIPTED-SUMMARY');
    expect(boundaries(sandbox)).toEqual(['auto']);
  });

  test('a refusal because the prompt is too long leads to a compaction and a second try', async () => {
    const sandbox = await sandboxWithHooks({
      script: {
        main: [{ fill: 100_000 }, { fill: 190_000 }, { error: tooLong }, { text: 'recovered', fill: 30_000 }],
      },
    });
    const talk = openSession(sandbox, model);
    await talk.say('first');
    await talk.say('second');
    expect((await talk.say('third')).result).toBe('recovered');
    await talk.end();
    expect(ofKind(sandbox.model.requests, 'summary')).toHaveLength(1);
    expect(boundaries(sandbox)).toEqual(['auto']);
  });

  test('a resumed session takes /compact with instructions', async () => {
    const sandbox = await sandboxWithHooks({
      script: {
        main: [],
        summary: { text: '<summary>a summary of my own</summary>' },
        fallback: { fill: 30_000 },
      },
    });
    const first = await runHeadless(sandbox, ['-p', 'hello', '--output-format', 'json', ...model]);
    const { session_id: id } = JSON.parse(first.stdout) as { session_id: string };
    await runHeadless(sandbox, ['-p', '--resume', id, ...model], { stdin: 'again' });
    const compacted = await runHeadless(sandbox, [
      '-p',
      '/compact keep the marker',
      '--resume',
      id,
      ...model,
    ]);
    expect(compacted.code).toBe(0);
    await runHeadless(sandbox, ['-p', 'go on', '--resume', id, ...model]);

    const [summary] = ofKind(sandbox.model.requests, 'summary');
    expect(summary && countIn(summary, 'keep the marker')).toBeGreaterThan(0);
    const last = ofKind(sandbox.model.requests, 'main').at(-1);
    expect(last && textOf(last)).toContain('a summary of my own');
    expect(boundaries(sandbox)).toEqual(['manual']);
  });

  test("a subagent's requests are told apart from the main loop's", async () => {
    const seen: number[] = [];
    const task = { description: 'look around', prompt: 'find the marker', subagent_type: 'general-purpose' };
    const sandbox = await sandboxWithHooks({
      script: {
        main: [
          { tools: [{ name: 'Agent', input: { ...task, run_in_background: false } }] },
          { text: 'main is done' },
        ],
        agent: [
          { tools: [bash('echo inside')], when: /find the marker/, onRequest: ({ n }) => void seen.push(n) },
          { text: 'agent is done' },
        ],
      },
      settings: { permissions: { allow: ['Bash', 'Agent', 'Task'] } },
    });
    const talk = openSession(sandbox, model);
    await talk.say('send an agent');
    await talk.end();

    const agent = ofKind(sandbox.model.requests, 'agent');
    expect(agent).toHaveLength(2);
    expect(seen).toEqual([agent[0]?.n]);
    expect(agent[0]?.agentId).toBeTruthy();
    expect(agent[1]?.agentId).toBe(agent[0]?.agentId);
    expect(agent[1] && textOf(agent[1])).toContain('inside');
    const last = ofKind(sandbox.model.requests, 'main').at(-1);
    expect(last && textOf(last)).toContain('agent is done');
  });

  test('a client can be killed in the middle of a turn, and the sandbox still closes', async () => {
    const sandbox = await sandboxWithHooks({
      script: {
        main: [
          { tools: [bash('echo step-1')] },
          // Not right away: the client writes its transcript in batches.
          { delayMs: 5_000, onRequest: () => void setTimeout(() => process.kill(talk.pid, 'SIGKILL'), 300) },
        ],
      },
    });
    const talk = openSession(sandbox, model);
    await expect(talk.say('a job that is cut short')).rejects.toThrow('SIGKILL');
    expect(await talk.end()).toBeNull();
    expect(ofKind(sandbox.model.requests, 'main')).toHaveLength(2);
    expect(JSON.stringify(sandbox.transcriptLines())).toContain('step-1');
  });

  test('a terminal shows the answer to a prompt and takes /compact', async (context) => {
    if (!hasTmux()) {
      notRun('the interactive client under tmux', 'no tmux in PATH');
      context.skip('no tmux');
    }
    const sandbox = await sandboxWithHooks({
      script: {
        main: [
          { text: 'answer one', fill: 40_000 },
          { text: 'answer two', fill: 50_000 },
        ],
      },
    });
    const terminal = await openTerminal(sandbox, model);
    await terminal.waitFor(/❯/);
    await terminal.type('the first prompt');
    await terminal.waitFor(/answer one/);
    await terminal.type('the second prompt');
    await terminal.waitFor(/answer two/);
    await terminal.type('/compact');
    await until(() => boundaries(sandbox).length === 1, { what: 'a compact boundary' });
    await terminal.close();

    const [first] = ofKind(sandbox.model.requests, 'main');
    expect(first && countIn(first, 'heard-UserPromptSubmit')).toBe(1);
    expect(ofKind(sandbox.model.requests, 'summary')).toHaveLength(1);
    expect(boundaries(sandbox)).toEqual(['manual']);
  });

  test('the scripted model listens on this machine only, and reports what went wrong in it', async () => {
    await expect(startScriptedModel({ main: [] }, '0.0.0.0')).rejects.toThrow('127.0.0.1 only');
    const failing = () => {
      throw new Error('an expectation');
    };
    const scripted = await startScriptedModel({ main: [], side: { onRequest: failing } });
    const request = { method: 'POST', body: JSON.stringify({ messages: [] }) };
    expect((await fetch(`${scripted.url}/v1/messages`, request)).status).toBe(400);
    expect(await (await fetch(`${scripted.url}/anything/else`)).json()).toEqual({});
    await expect(scripted.close()).rejects.toThrow('an expectation');
  });
});
