// Tests that init adds our hooks and nothing else, and that uninstall restores every byte.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { bundle, local, run } from './healthy.ts';

interface Hooks {
  [event: string]: { matcher?: string; hooks: { command: string; timeout: number }[] }[];
}
const hooksIn = (file: string): Hooks => (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Hooks }).hooks;

function withSettings(text: string | null): Host {
  const host = newHost();
  if (text !== null) {
    mkdirSync(path.dirname(local(host)));
    writeFileSync(local(host), text);
  }
  return host;
}

const other = (command: string) => ({ hooks: [{ type: 'command', command }] });
const settings: [string, string | null][] = [
  ['no file', null],
  ['an empty object', '{}\n'],
  ['an empty object without a final newline', '{}'],
  ['permissions only', JSON.stringify({ permissions: { allow: ['Bash(npm test:*)'] } }, null, 2)],
  ['four spaces', `${JSON.stringify({ env: { A: 'ä' }, hooks: { Stop: [other('say done')] } }, null, 4)}\n`],
  ['tabs', `${JSON.stringify({ model: 'opus', hooks: {} }, null, '\t')}\n`],
  [
    'CRLF',
    `${JSON.stringify({ a: 1, hooks: { PreCompact: [other('x')] } }, null, 2).replaceAll('\n', '\r\n')}\r\n`,
  ],
  ['one line', JSON.stringify({ hooks: { UserPromptSubmit: [other('a'), other('b')] }, z: [1, 2] })],
  [
    "others' hooks on all of our events",
    `${JSON.stringify({ hooks: { UserPromptSubmit: [other('a')], PostToolBatch: [other('b')], PreCompact: [{ matcher: 'auto', ...other('c') }], SessionStart: [other('d')] } }, null, 2)}\n`,
  ],
  ['odd spacing', '{ "hooks" : { "Stop":[ ]\n\n } ,\n  "list": [\n1,2,\n3 ] }\n'],
];

describe('on real-looking settings', () => {
  test.each(settings)(
    '%s: init adds, init again changes nothing, uninstall is byte-identical',
    (_name, text) => {
      const host = withSettings(text);
      const first = run(host, 'init', '--yes', '--client-version', '2.1.332');
      expect(first.stderr).toBe('');
      expect(first.code).toBe(0);
      const after = readFileSync(local(host), 'utf8');
      expect(Object.keys(hooksIn(local(host)))).toEqual(
        expect.arrayContaining(['UserPromptSubmit', 'PostToolBatch', 'PreCompact', 'SessionStart']),
      );
      if (text !== null) {
        const before = JSON.parse(text) as { hooks?: Hooks };
        for (const [event, groups] of Object.entries(before.hooks ?? {})) {
          expect(hooksIn(local(host))[event]).toEqual(expect.arrayContaining(groups));
        }
        expect(JSON.parse(after)).toMatchObject({ ...before, hooks: expect.anything() });
      }
      const again = run(host, 'init', '--yes', '--client-version', '2.1.332');
      expect(again.stdout).toContain('Already installed');
      expect(readFileSync(local(host), 'utf8')).toBe(after);
      const removed = run(host, 'uninstall', '--yes');
      expect(removed.code).toBe(0);
      if (text === null) expect(existsSync(path.dirname(local(host)))).toBe(false);
      else expect(readFileSync(local(host), 'utf8')).toBe(text);
      expect(existsSync(bundle(host))).toBe(false);
    },
  );

  test('somebody edits in between: exactly our entries go', () => {
    const host = withSettings(JSON.stringify({ hooks: { Stop: [other('x')] } }, null, 2));
    run(host, 'init', '--yes', '--client-version', '2.1.332');
    const edited = JSON.parse(readFileSync(local(host), 'utf8')) as { hooks: Hooks };
    edited.hooks.PreCompact?.push({ hooks: [{ command: 'mine', timeout: 1 }] });
    writeFileSync(local(host), JSON.stringify(edited, null, 2));
    run(host, 'uninstall', '--yes');
    expect(hooksIn(local(host))).toEqual({
      Stop: [other('x')],
      PreCompact: [{ hooks: [{ command: 'mine', timeout: 1 }] }],
    });
  });

  test.each([
    ['a comment', '{\n  // mine\n  "a": 1\n}', 'line 2, column 3'],
    ['a trailing comma', '{\n  "a": 1,\n}', 'line 3, column 1: Property name expected'],
    ['torn', '{"a": ', 'line 1, column 7: Value expected'],
    ['a list', '[]', 'line 1: a JSON object is expected'],
  ])('%s: a clear error with file, line and next step, and nothing changed', (_name, text, place) => {
    const host = withSettings(text);
    const result = run(host, 'init', '--yes', '--client-version', '2.1.332');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('.claude/settings.local.json');
    expect(result.stderr).toContain(place);
    expect(result.stderr).toContain('Next: ');
    expect(readFileSync(local(host), 'utf8')).toBe(text);
  });
});

test.each([
  ['2.1.332', 'PostToolBatch'],
  ['2.1.118', 'PostToolBatch'],
  ['2.1.117', 'PostToolUse'],
  ['2.0.76', 'PostToolUse'],
  ['1.0.128', 'PostToolUse'],
  ['3.0.0', 'PostToolBatch'],
])('client %s gets the mid-turn hook %s', (version, event) => {
  const host = withSettings(null);
  run(host, 'init', '--yes', '--client-version', version);
  expect(Object.keys(hooksIn(local(host))).filter((name) => name.startsWith('PostTool'))).toEqual([event]);
});

test('no client on PATH: only hooks that every version knows', () => {
  const host = withSettings(null);
  host.env.PATH = path.dirname(process.execPath);
  const result = run(host, 'init', '--yes');
  expect(result.stdout).toContain('claude was not found on PATH');
  expect(hooksIn(local(host))).toHaveProperty('PostToolUse');
});

test('an upgrade from another form leaves no second copy', () => {
  const host = withSettings(null);
  run(host, 'init', '--yes', '--client-version', '2.1.117');
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  const hooks = hooksIn(local(host));
  expect(Object.keys(hooks).sort()).toEqual([
    'PostToolBatch',
    'PreCompact',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'SubagentStop',
    'UserPromptSubmit',
  ]);
  expect(Object.values(hooks).every((groups) => groups.length === 1)).toBe(true);
});

test('init, an edit by somebody else, an upgrade, uninstall: nothing of ours is left, and the edit stays', () => {
  const host = withSettings('{\n  "permissions": { "allow": [] }\n}\n');
  run(host, 'init', '--yes', '--client-version', '2.1.117');
  const edited = readFileSync(local(host), 'utf8').replace('"allow": []', '"allow": ["Bash(ls)"]');
  writeFileSync(local(host), edited);
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  run(host, 'uninstall', '--yes');
  expect(JSON.parse(readFileSync(local(host), 'utf8'))).toEqual({ permissions: { allow: ['Bash(ls)'] } });
});

test.each([
  ['a BOM', '\uFEFF{\n  "model": "opus"\n}\n'],
  ['hooks: null', '{\n  "hooks": null\n}\n'],
])('%s survives init and uninstall', (_name, text) => {
  const host = withSettings(text);
  expect(run(host, 'init', '--yes', '--client-version', '2.1.332').code).toBe(0);
  expect(run(host, 'uninstall', '--yes').code).toBe(0);
  expect(readFileSync(local(host), 'utf8')).toBe(text);
});

test('hooks of others that merely mention the name are not ours', () => {
  const theirs = { hooks: [{ type: 'command', command: 'node /x/plimsoll/my-hook.cjs' }] };
  const host = withSettings(JSON.stringify({ hooks: { Stop: [theirs] } }));
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  run(host, 'uninstall', '--yes');
  expect(hooksIn(local(host))).toEqual({ Stop: [theirs] });
});

test("settings that a team shares carry nobody's own paths", () => {
  const host = withSettings(null);
  run(host, 'init', '--yes', '--scope', 'project', '--client-version', '2.1.332');
  const shared = readFileSync(path.join(host.project, '.claude', 'settings.json'), 'utf8');
  expect(shared).not.toContain(host.root);
  expect(shared).not.toContain(process.execPath);
  expect(shared).toContain('${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/hook.cjs');
  expect(run(host, 'uninstall', '--yes').stdout).toContain('plimsoll uninstall --scope project');
});

test('--dry-run shows the change and writes nothing', () => {
  const host = withSettings(null);
  const result = run(host, 'init', '--dry-run', '--client-version', '2.1.332');
  expect(result.stdout).toContain('Would add to .claude/settings.local.json');
  expect(readdirSync(host.project)).toEqual(['.git']);
});

test('without a terminal and without --yes nothing is changed, exit code 2, and the next step is named', () => {
  const host = withSettings(null);
  const result = run(host, 'init', '--client-version', '2.1.332');
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('--yes');
  expect(existsSync(local(host))).toBe(false);
});

test('the home folder is no project', () => {
  const host = newHost();
  const result = plimsoll(
    { env: { ...host.env, CLAUDE_PROJECT_DIR: host.env.HOME ?? '' }, projectDir: host.env.HOME ?? '' },
    'init',
    '--yes',
  );
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('--scope user');
});

test('the command is silent when its bundle is gone, and clears NODE_EXTRA_CA_CERTS', () => {
  const host = withSettings(null);
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  const command = hooksIn(local(host)).UserPromptSubmit?.[0]?.hooks[0]?.command ?? '';
  expect(command).toContain('NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec ');
  expect(command).toContain('[ -f "$f" ] || exit 0');
});

test('--quality creates rules that git takes, once, and never over what is there', () => {
  const host = withSettings(null);
  const file = path.join(host.project, '.plimsoll', 'quality.md');
  const first = run(host, 'init', '--yes', '--quality', '--client-version', '2.1.332');
  expect(first.stdout).toContain("quality   .plimsoll/quality.md, to be made the project's own");
  expect(readFileSync(file, 'utf8')).toContain('0.92');
  writeFileSync(file, 'mine\n');
  expect(run(host, 'init', '--yes', '--quality').stdout).toContain(
    '.plimsoll/quality.md was there, and stays',
  );
  expect(readFileSync(file, 'utf8')).toBe('mine\n');
  expect(run(host, 'uninstall', '--yes').code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('mine\n');
});
