// Tests that no call changes Plimsoll's state, program or hooks, nor the person's settings.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from './host.ts';

const HOOKS = {
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'node ~/plimsoll/hook.cjs PreToolUse' }] }] },
};

/** A guarded project with all that is ours in its place; no preset: what guards itself needs no list. */
function guarded(mode = 'enforce'): Host {
  const host = newHost({
    files: {
      '.plimsoll/config.toml': `[guardrails]\nmode = "${mode}"\npreset = "none"\n`,
      '.plimsoll/quality.md': 'Short functions.\n',
      '.plimsoll/state-one/sessions/a/state.json': '{}',
      '.plimsoll/state-two/sessions/a/state.json': '{}',
      '.claude/settings.json': JSON.stringify({ ...HOOKS, model: 'opus' }),
      '.claude/settings.local.json': '{}',
      'src/a.ts': 'export const a = 1;\n',
      'old/b.ts': '',
    },
  });
  const { HOME = '', XDG_DATA_HOME = '', XDG_CONFIG_HOME = '', XDG_STATE_HOME = '' } = host.env;
  for (const [folder, name] of [
    [path.join(XDG_DATA_HOME, 'plimsoll', '1.0.0'), 'hook.cjs'],
    [path.join(XDG_CONFIG_HOME, 'plimsoll'), 'config.toml'],
    [path.join(XDG_STATE_HOME, 'plimsoll'), 'installs.json'],
    [path.join(HOME, '.claude'), 'settings.json'],
    [path.join(HOME, '.cache', 'npm'), 'a'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), name === 'settings.json' ? JSON.stringify(HOOKS) : '');
  }
  symlinkSync('1.0.0', path.join(XDG_DATA_HOME, 'plimsoll', 'current'));
  symlinkSync('.plimsoll', path.join(host.project, 'notes'));
  return host;
}

interface Said {
  permissionDecision?: string;
  permissionDecisionReason?: string;
  additionalContext?: string;
}
function said(host: Host, tool: string, input: object): Said {
  const { stdout, code } = host.fire('PreToolUse', {
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't',
  });
  expect(code).toBe(0);
  if (stdout === '') return {};
  return (JSON.parse(stdout) as { hookSpecificOutput: Said }).hookSpecificOutput;
}
const decided = (host: Host, command: string): string | undefined =>
  said(host, 'Bash', { command }).permissionDecision;

describe('a command', () => {
  test.each([
    ['writes the state of a session', "echo '{}' > .plimsoll/state-one/sessions/a/state.json"],
    ['makes a folder in place of the off-mark', 'mkdir .plimsoll/off'],
    ['makes the off-mark of another state folder', 'touch .plimsoll/state-two/off'],
    ['searches and deletes', 'find .plimsoll -delete'],
    ['searches all and deletes', 'find . -delete'],
    ['searches by a name of ours', 'find . -name state.json -delete'],
    ['takes the rights away', 'chmod 000 .plimsoll'],
    ['takes the rights of all away', 'chmod -R a-w .'],
    ['gives another owner', 'chown nobody .plimsoll/state-one'],
    ['links to a device', 'ln -sf /dev/zero .plimsoll/config.toml'],
    ['links to a device in the state', 'ln -s /dev/zero .plimsoll/state-one/claims'],
    ['moves the folder', 'mv .plimsoll elsewhere'],
    ['removes the folder', 'rm -rf .plimsoll'],
    ['removes what is hidden', 'rm -rf .*'],
    ['removes through a link', 'rm notes/state-one/sessions/a/state.json'],
    ['moves the project away', 'mv ../project ../other'],
    ['makes a nearer project', 'mkdir -p src/.plimsoll'],
    ['names a second name', 'ln .plimsoll/state-one/sessions/a/state.json b.json'],
    ['writes the program', 'echo > "$HOME/data/plimsoll/current/hook.cjs"'],
    ['removes the program', 'rm -rf ~/data'],
    ['exchanges the program', 'ln -sfn /tmp ~/data/plimsoll/current'],
    ['writes the settings of the person', 'echo enabled=false > ~/config/plimsoll/config.toml'],
    ['writes the registry', 'truncate -s 0 ~/state/plimsoll/installs.json'],
    ['writes the hooks of the project', "echo '{}' > .claude/settings.json"],
    ['removes the hooks of the person', 'rm ~/.claude/settings.json'],
    ['ends with a name of ours', 'rm "$X/.plimsoll/off"'],
  ])('that %s is denied: %s', (_, command) => {
    const host = guarded();
    const { permissionDecision, permissionDecisionReason } = said(host, 'Bash', { command });
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toMatch(/guarded by the guardrail rule "own".*Go on without it/);
    expect(permissionDecisionReason).not.toMatch(/again|retry/i);
  });

  test.each([
    'plimsoll off',
    'plimsoll on',
    'npx -y plimsoll@latest off --session',
    'node ~/data/plimsoll/current/cli.cjs off',
    'sh -c "plimsoll off"',
    'plimsoll trust',
    'plimsoll config set guardrails.mode off',
    'plimsoll config unset guardrails --scope user',
    'plimsoll config set enabled false',
    'plimsoll uninstall --yes',
    'plimsoll delete --all --yes',
    'echo x >> .plimsoll/config.toml',
    'touch .claude/settings.local.json',
    `python3 -c "open('.plimsoll/off', 'w')"`,
    'python3 x.py .plimsoll/off',
    'chattr +i .plimsoll/state-one',
    'git clean -fdx',
  ])("that is the person's to decide is asked about: %s", (command) => {
    expect(decided(guarded(), command)).toBe('ask');
  });

  test.each([
    'echo x > src/state.json',
    'mkdir src/off',
    'find old -delete',
    'find . -name "*.tmp" -delete',
    'chmod 755 src/a.ts',
    'chmod -R u+w .',
    'chmod -x src/a.ts',
    'ln -s /dev/null src/none',
    'mv old new',
    'rm -rf old ~/.cache/npm',
    'rm -rf ./*',
    'ln src/a.ts src/c.ts',
    'echo x >> .plimsoll/quality.md',
    'mkdir -p .plimsoll/rules && cp src/a.ts .plimsoll/rules/a.md',
    'cat .plimsoll/state-one/sessions/a/state.json',
    'ls -la .plimsoll ~/data/plimsoll',
    'plimsoll status',
    'npx plimsoll checkpoint show 3',
    'plimsoll recall x',
    'plimsoll note decision "off"',
    'plimsoll config show guardrails.mode',
    'echo "plimsoll off"',
    'git commit -m "plimsoll off"',
    'git clean -fd',
    'cat ~/.claude/settings.json',
  ])('that is innocent goes on: %s', (command) => {
    expect(said(guarded(), 'Bash', { command })).toEqual({});
  });

  test('is told of, and goes on, with mode = "warn"', () => {
    const { permissionDecision, additionalContext } = said(guarded('warn'), 'Bash', {
      command: 'rm -rf .plimsoll',
    });
    expect(permissionDecision).toBeUndefined();
    expect(additionalContext).toContain('guardrail rule "own"');
  });

  test('is not looked at with mode = "off"', () => {
    expect(said(guarded('off'), 'Bash', { command: 'rm -rf .plimsoll' })).toEqual({});
  });
});

describe('a program', () => {
  test('that has changed what guards us is told of afterwards', () => {
    const host = guarded();
    spawnSync('git', ['init', '-q'], { cwd: host.project, env: host.env });
    const input = { command: './build.sh' };
    const call = { tool_name: 'Bash', tool_input: input, tool_use_id: 't' };
    const state = path.relative(host.project, host.state());
    const changing = (file: string, text: string): string => {
      host.fire('PreToolUse', call);
      writeFileSync(path.join(host.project, file), text);
      return host.fire('PostToolUse', { ...call, tool_response: {} }).context;
    };
    expect(changing('.plimsoll/config.toml', '[guardrails]\nmode = "enforce"\n')).toContain(
      '.plimsoll/config.toml is changed, and it is the project\'s configuration of Plimsoll (rule "own")',
    );
    expect(changing(`${state}/config.local.toml`, 'enabled = true\n')).toContain(
      `${state}/config.local.toml is changed, and it belongs to Plimsoll (rule "own")`,
    );
    expect(changing('src/a.ts', 'export const a = 2;\n')).toBe('');
  });
});

describe('an edit', () => {
  const at = (host: Host, file: string): string => path.join(host.project, file);
  const settings = (host: Host, value: object): object => ({
    file_path: at(host, '.claude/settings.json'),
    content: JSON.stringify(value),
  });

  test.each<[string, (host: Host) => object, string | undefined]>([
    ['the state', (host) => ({ file_path: at(host, '.plimsoll/state-one/x.json'), content: '' }), 'deny'],
    ['the off-mark', (host) => ({ file_path: at(host, '.plimsoll/off'), content: '' }), 'deny'],
    ['the configuration', (host) => ({ file_path: at(host, '.plimsoll/config.toml'), content: '' }), 'ask'],
    [
      'the quality rules',
      (host) => ({ file_path: at(host, '.plimsoll/quality.md'), content: '' }),
      undefined,
    ],
    ['settings without our hooks', (host) => settings(host, { model: 'opus' }), 'deny'],
    ['settings without any hooks', (host) => settings(host, { ...HOOKS, disableAllHooks: true }), 'deny'],
    ['settings that move us', (host) => settings(host, { ...HOOKS, env: { PLIMSOLL: 'off' } }), 'deny'],
    ['settings, our hooks kept', (host) => settings(host, { ...HOOKS, model: 'sonnet' }), undefined],
  ])('of %s', (_, input, decision) => {
    const host = guarded();
    expect(said(host, 'Write', input(host)).permissionDecision).toBe(decision);
  });

  test('that takes a hook of ours out of the settings is denied, one beside it goes on', () => {
    const host = guarded();
    const edit = (from: string, to: string): object => ({
      file_path: at(host, '.claude/settings.json'),
      old_string: from,
      new_string: to,
    });
    expect(said(host, 'Edit', edit('hook.cjs', 'hook2.cjs')).permissionDecision).toBe('deny');
    expect(said(host, 'Edit', edit('opus', 'haiku'))).toEqual({});
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });
});
