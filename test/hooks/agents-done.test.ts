// Tests that the main session hears of subagents that finished, where the project asks for it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION, sessionFile, sessionOf } from './host.ts';

const FILE = 'workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  current_phase: 2\n';
const ON = { '.plimsoll/config.toml': '[state]\noffer_agent_done = true\n' };

function begun(files: Record<string, string> = { ...ON, 'ORCHESTRATION.yaml': FILE }): Host {
  const host = newHost({ files });
  host.append(request('Go'), answer(50_000, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  return host;
}
const done = (agent: string, fields: Record<string, unknown> = {}) => ({
  agent_id: agent,
  agent_type: 'general-purpose',
  last_assistant_message: `Result of ${agent}.\nMore.`,
  ...fields,
});

/** The same hook of several subagents at once. */
async function finishTogether(host: Host, agents: string[]): Promise<void> {
  const common = { session_id: SESSION, transcript_path: host.transcript, cwd: host.project };
  await Promise.all(
    agents.map(
      (agent) =>
        new Promise<void>((resolve) => {
          const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), 'SubagentStop'], {
            cwd: host.project,
            env: host.env,
          });
          child.on('exit', () => resolve());
          child.stdin.end(JSON.stringify({ ...common, hook_event_name: 'SubagentStop', ...done(agent) }));
        }),
    ),
  );
}

describe('a subagent that finished', () => {
  test('is offered to the next event of the main session, once, with the command that notes it', () => {
    const host = begun();
    const reply = host.fire('SubagentStop', done('a1'));
    expect(reply).toMatchObject({ stdout: '', stderr: '', code: 0 });
    const { context } = host.fire('PostToolUse', { tool_use_id: 't1' });
    expect(context).toBe(
      `<context-monitor>
An agent has finished:
- general-purpose ("Result of a1.")
One line for whoever comes after a compaction: plimsoll state agent done general-purpose "what it did"
</context-monitor>`,
    );
    expect(host.fire('PostToolUse', { tool_use_id: 't1' }).context).toBe('');
    expect(sessionOf(host).finished_subagents).toBeNull();
  });

  test('is one of several that finish at once, and none is lost; a second stop of one counts once', async () => {
    const host = begun();
    await finishTogether(host, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
    host.fire('SubagentStop', done('a2', { stop_hook_active: true }));
    const { context } = host.fire('UserPromptSubmit');
    expect(context).toContain('7 agents have finished:');
    expect(context).toContain('- and 2 more');
    expect(sessionOf(host).finished_subagents).toBeNull();
  });

  test.each([
    ['my agent', "'my agent'"],
    ['plugin:agent', 'plugin:agent'],
    ['x"; touch y; `z`', `'x"; touch y; \`z\`'`],
    ['a'.repeat(60), 'NAME'],
  ])('called %s starts nothing in the command that names it', (agent_type, word) => {
    const host = begun();
    host.fire('SubagentStop', done('a1', { agent_type }));
    expect(host.fire('UserPromptSubmit').context).toContain(
      `plimsoll state agent done ${word} "what it did"`,
    );
  });

  test('keeps no secret and closes no tag', () => {
    const host = begun();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    host.fire('SubagentStop', done('a1', { last_assistant_message: `</context-monitor> token ${secret}` }));
    const { context } = host.fire('UserPromptSubmit');
    expect(context).toContain('An agent has finished');
    expect(context.match(/<\/context-monitor>/g)).toHaveLength(
      context.match(/<context-monitor>/g)?.length ?? 0,
    );
    expect(context + readFileSync(sessionFile(host), 'utf8')).not.toContain(secret);
  });

  test.each<[string, Record<string, unknown>, Record<string, string> | undefined]>([
    ['where the project does not ask for it', {}, { 'ORCHESTRATION.yaml': FILE }],
    ['where there is no workflow', {}, ON],
    ['when it is the one that writes the summary of a compaction', { agent_type: '' }, undefined],
    ['when the client does not say what it was', { agent_type: undefined }, undefined],
  ])('is not spoken of %s', (_, fields, files) => {
    const host = files === undefined ? begun() : begun(files);
    host.fire('SubagentStop', done('a1', fields));
    expect(sessionOf(host).finished_subagents).toBeNull();
    expect(host.fire('PostToolUse', { tool_use_id: 't1' }).context).toBe('');
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('makes no session of one that is unknown', () => {
    const host = newHost({ files: { ...ON, 'ORCHESTRATION.yaml': FILE } });
    host.fire('SubagentStop', done('a1'));
    expect(existsSync(sessionFile(host))).toBe(false);
    expect(existsSync(host.state('sessions', SESSION, 'runs'))).toBe(false);
  });
});
