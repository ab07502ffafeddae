import { expect, test } from 'vitest';
import { isOurHook } from '../claude-code/install/hooks.ts';
import { CODEX_HOOKS } from './hooks.ts';
import { CODEX_REGISTRATIONS, listUntrusted } from './registrations.ts';

test('Codex is asked for hooks that we know, within the time that it gives them', () => {
  expect(CODEX_REGISTRATIONS.map(({ event }) => event)).toEqual(CODEX_HOOKS);
  for (const { command, event, timeout } of CODEX_REGISTRATIONS) {
    expect(isOurHook({ type: 'command', command })).toBe(true);
    expect(timeout).toBeLessThanOrEqual(event === 'SessionEnd' ? 3 : 5);
  }
});

const places = [
  { event: 'UserPromptSubmit', group: 1, hook: 0 },
  { event: 'Stop', group: 0, hook: 0 },
];
const head = (key: string) => `[hooks.state."/h/hooks.json:${key}"]`;
const hash = 'trusted_hash = "sha256:7c68"\n';

test.each<[string, string, string[]]>([
  ['nothing', '', ['UserPromptSubmit', 'Stop']],
  ['one of them', `${head('user_prompt_submit:1:0')}\n${hash}`, ['Stop']],
  ['both', `${head('user_prompt_submit:1:0')}\n${hash}\n${head('stop:0:0')}\n${hash}`, []],
  ['one at another place', `${head('user_prompt_submit:0:0')}\n${hash}`, ['UserPromptSubmit', 'Stop']],
  ['one switched off', `${head('stop:0:0')}\nenabled = false\n${hash}`, ['UserPromptSubmit', 'Stop']],
  ['a table without a hash', `${head('stop:0:0')}\n\n[x]\n${hash}`, ['UserPromptSubmit', 'Stop']],
  ["Windows' quotes", `[hooks.state.'/h/hooks.json:stop:0:0']\n${hash}`, ['UserPromptSubmit']],
])('where the settings hold %s, these are not trusted yet: %#', (_, config, expected) => {
  expect(listUntrusted(config, '/h/hooks.json', places)).toEqual(expected);
});
