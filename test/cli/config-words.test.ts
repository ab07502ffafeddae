// Tests that a refused setting says what is wrong, what may stand there and which name was meant.
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { run } from './healthy.ts';

const PARTS = 'model, bar, usage, tier, headroom, compactions, checkpoint, workflow, age';

function withFile(text: string): Host {
  const host = newHost();
  mkdirSync(host.state(), { recursive: true });
  writeFileSync(host.shared('config.toml'), text);
  return host;
}

test.each([
  [
    ['statusline.format', '{modle} {bar}'],
    `"{modle} {bar}" is no value for statusline.format`,
    `give one line with only these names in braces: ${PARTS}`,
  ],
  [
    ['guardrails.paths.protect', '["a"]'],
    '"["a"]" is no value for guardrails.paths: unknown key "protect"; did you mean "protected"?',
    'give a table with writable, ',
  ],
  [
    ['guardrails.architecture', '{ layers = [{ name = "m", files = [], forbit = [] }] }'],
    ': unknown key "layers.0.forbit"; did you mean "forbid"?',
    'give a table with layers, ',
  ],
  [
    ['guardrails.examples', '[{ path = "a", expct = "deny" }]'],
    'unknown key "0.expct"; did you mean "expect"?',
    'give a list: each a table with path, ',
  ],
  [
    ['context_monitor.model_windows.glm-5', '4'],
    '"4" is no value for context_monitor.model_windows: glm-5: Invalid value: Expected >=10000',
    'give a table: names, each with a whole number from 10,000 to 10,000,000',
  ],
  [
    ['orchestration.path', 'a\nb'],
    '"a\nb" is no value for orchestration.path\n',
    'give a text without control characters, "<" and ">"',
  ],
])('config set %j', ([key = '', value = ''], says, next) => {
  const { code, stderr } = run(newHost(), 'config', 'set', key, value);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
  expect(stderr).toContain(`  Next: ${next}`);
});

test('a misspelt name in a table of a file is told of with the name that was meant', () => {
  const host = withFile('[guardrails.governance]\nc3 = []\nacton = "warn"\n');
  const { code, stdout } = run(host, 'config', 'validate');
  expect(code).toBe(1);
  expect(stdout).toContain('"guardrails.governance": unknown key "acton"; did you mean "action"?');
});

test('a section that is written as a list of tables is told of as one, and no command changes it', () => {
  const host = withFile('[[context_monitor]]\nemit = "off"\n');
  const { code, stdout } = run(host, 'config', 'validate');
  expect(code).toBe(1);
  expect(stdout).toContain(
    ':1: "context_monitor" is a list, but settings are kept below it\n  Next: write it once, as a table [context_monitor]\n',
  );
  const set = run(host, 'config', 'set', 'context_monitor.emit', 'off', '--scope', 'project');
  expect(set.stderr).toMatch(
    /"context_monitor" is a list, but .*\n {2}Next: write it once, as a table \[context_monitor\], or/,
  );
});

test.each([
  ['PLIMSOLL_CONTEXT_MONITOR_EMIT', 'PLIMSOLL_CONTEXT_MONITOR__EMIT'],
  ['PLIMSOLL_RESUME__HEADLES', 'PLIMSOLL_RESUME__HEADLESS'],
  ['PLIMSOLL_ENABLE', 'PLIMSOLL_ENABLED'],
])('the variable %s is none of ours, and %s was meant', (name, meant) => {
  const host = newHost({ env: { [name]: 'off' } });
  const { code, stdout } = run(host, 'config', 'validate');
  expect(code).toBe(1);
  expect(stdout).toContain(`${name}: no setting has this variable; did you mean ${meant}?`);
});

test("variables of others' own are left alone", () => {
  const host = newHost({ env: { PLIMSOLL_TEAM_TOKEN_URL: 'x', PLIMSOLL_V: '1' } });
  expect(run(host, 'config', 'validate')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: 'The settings are in order. Looked at: the environment; there is no settings file.\n',
  });
});

test('a list of tables is changed by hand, and no command is named that would refuse as well', () => {
  const host = withFile('[[guardrails.examples]]\npath = "a"\nexpect = "deny"\n');
  const { code, stderr } = run(host, 'config', 'set', 'guardrails.examples', '[]', '--scope', 'project');
  expect(code).toBe(1);
  expect(stderr).toContain('.plimsoll/config.toml:1: "guardrails.examples" is a list of tables with headers');
  expect(stderr).toContain('Next: change the file by hand');
});
