// Tests that settings changed in the middle of a turn are read again once, by whichever hook comes first.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

const WRITE = { tool_name: 'Write', tool_input: { file_path: 'gen/a.js', content: '' }, tool_use_id: 't' };
const config = (protects: string): string =>
  `[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["${protects}"]\n`;
const snapshot = (host: Host): string => readFileSync(host.state('config.snapshot.json'), 'utf8');

/** A turn under way, in which somebody has just changed the settings. */
function changed(text: string): Host {
  const host = newHost({ files: { '.plimsoll/config.toml': config('other/**') } });
  host.append(request('Go'), answer(30_000));
  host.fire('UserPromptSubmit', { prompt: 'go' });
  expect(snapshot(host)).toContain('other/**');
  writeFileSync(path.join(host.project, '.plimsoll/config.toml'), text);
  return host;
}

test.each<[string, string, object]>([
  ['a call of the main session', 'PreToolUse', WRITE],
  ['a call of a subagent', 'PreToolUse', { ...WRITE, agent_id: 'a1' }],
  ['what a subagent has called', 'PostToolUse', { ...WRITE, agent_id: 'a1', tool_response: {} }],
  ['a subagent that ends', 'SubagentStop', { agent_id: 'a1', agent_type: 'reviewer' }],
  ['what the main session has called', 'PostToolUse', { ...WRITE, tool_response: {} }],
])('%s keeps them for the next hook', (_, event, fields) => {
  const host = changed(config('gen/**'));
  const { stdout } = host.fire(event, { ...fields });
  if (event === 'PreToolUse') expect(stdout).toContain('"permissionDecision":"deny"');
  const kept = snapshot(host);
  expect(kept).toContain('gen/**');
  host.fire('PreToolUse', WRITE);
  expect(snapshot(host)).toBe(kept);
});

test('what is wrong with them is noted once, not at every call', () => {
  const host = changed('[guardrails]\nmode = "warn"\nmood = 1\n');
  for (let calls = 0; calls < 3; calls++) host.fire('PreToolUse', { ...WRITE });
  const failures = readFileSync(host.state('failures.jsonl'), 'utf8');
  expect(failures.match(/guardrails\.mood/g)).toHaveLength(1);
});

test('a subagent keeps nothing else of the main session', () => {
  const host = changed(config('gen/**'));
  const state = readFileSync(host.state('sessions', SESSION, 'state.json'), 'utf8');
  host.fire('PostToolUse', { ...WRITE, agent_id: 'a1', tool_response: {} });
  expect(readFileSync(host.state('sessions', SESSION, 'state.json'), 'utf8')).toBe(state);
});
