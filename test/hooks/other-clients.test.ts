// Tests that our hooks stay silent in other clients, which run what stands in Claude Code's files; payloads as those clients send them.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION, userState } from './host.ts';

interface OtherClient {
  env: Record<string, string>;
  /** What it sends, by the event. */
  events: Record<string, Record<string, unknown>>;
}

const copilot = (host: Host): OtherClient => {
  const common = { timestamp: '2026-11-30T07:08:33.924Z', transcript_path: undefined };
  const transcript_path = `${host.root}/home/.copilot/session-state/${SESSION}/events.jsonl`;
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };
  const tool_result = { result_type: 'success', text_result_for_llm: 'a' };
  return {
    env: { COPILOT_CLI: '1', COPILOT_PROJECT_DIR: host.project },
    events: {
      SessionStart: { ...common, source: 'resume', initial_prompt: 'go' },
      UserPromptSubmit: { ...common, prompt: 'go' },
      PreToolUse: { ...common, ...call },
      PostToolUse: { ...common, ...call, tool_result },
      PreCompact: { ...common, transcript_path, trigger: 'auto', custom_instructions: '' },
      Stop: { ...common, transcript_path, stop_reason: 'end_turn', stop_hook_active: false },
      SessionEnd: { ...common, reason: 'complete' },
    },
  };
};

const droid = (host: Host): OtherClient => {
  const transcript_path = `${host.root}/home/.factory/sessions/-project/${SESSION}.jsonl`;
  const common = { transcript_path, permission_mode: 'auto-high' };
  return {
    env: { FACTORY_PROJECT_DIR: host.project, DROID_PROJECT_DIR: host.project },
    events: {
      SessionStart: { ...common, permission_mode: 'off', source: 'startup' },
      UserPromptSubmit: { ...common, prompt: 'go' },
      PreToolUse: { ...common, tool_name: 'Execute', tool_input: { command: 'ls' } },
      PostToolUse: { ...common, tool_name: 'Execute', tool_input: { command: 'ls' }, tool_response: 'a' },
      PreCompact: { ...common, trigger: 'auto' },
      Stop: { ...common, message_id: 'm', stop_hook_active: false },
      SessionEnd: { ...common, reason: 'other', message_count: 25 },
    },
  };
};

const kept = (host: Host): string[] => [host.state(), userState(host)].flatMap(listBelow).sort();
const listBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name))
    : [];

test.each([
  ['Copilot CLI', copilot],
  ['Droid', droid],
] as const)('%s runs our hooks: nothing is said, kept or noted as a failure', (_, describeClient) => {
  const host = newHost();
  const { env, events } = describeClient(host);
  Object.assign(host.env, env);
  const before = kept(host);
  for (const [event, fields] of Object.entries(events))
    expect({ event, ...host.fire(event, fields) }).toMatchObject({ event, code: 0, stdout: '', stderr: '' });
  expect(kept(host)).toEqual(before);
});

test.each([
  ['Copilot CLI', copilot],
  ['Droid', droid],
] as const)('Claude Code, started in a shell of %s, is served as ever', (_, describeClient) => {
  const host = newHost();
  Object.assign(host.env, describeClient(host).env);
  host.append(request('go'), answer(130_000));
  expect(host.fire('UserPromptSubmit', { prompt: 'go' }).context).toContain('CONTEXT STATUS: WARNING');
});
