// Tests which status line shows when several settings files have one, or hooks and status line lie in different ones.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { init, local, run, team } from './healthy.ts';
import { json, lineIn, OURS, read, shown, user, write } from './status-lines.ts';

describe('init --statusline', () => {
  test('one for all projects that these settings would hide is shown with it, and stays where it is', () => {
    const host = newHost();
    const text = json({ statusLine: { type: 'command', command: 'echo everywhere', padding: 3 } });
    write(user(host), text);
    const result = init(host, '--statusline');
    expect(result.stdout).toContain('+ status line, below the present one: echo everywhere');
    expect(lineIn(local(host))).toMatchObject({ type: 'command', padding: 3 });
    expect(shown(host, local(host))).toBe(`everywhere\n${OURS}`);
    // An edit in between, so that nothing but the text itself says what is to be done.
    const edited = JSON.parse(read(local(host))) as Record<string, unknown>;
    write(local(host), json({ ...edited, model: 'opus' }));
    run(host, 'uninstall', '--yes');
    expect(JSON.parse(read(local(host)))).toEqual({ model: 'opus' });
    expect(read(user(host))).toBe(text);
  });

  test('for all projects, and then for one: ours is not shown twice', () => {
    const host = newHost();
    write(user(host), json({ statusLine: { type: 'command', command: 'echo mine' } }));
    init(host, '--scope', 'user', '--statusline');
    expect(shown(host, user(host))).toBe(`mine\n${OURS}`);
    init(host, '--scope', 'local', '--statusline');
    expect(shown(host, local(host))).toBe(`mine\n${OURS}`);
    run(host, 'uninstall', '--yes');
    expect(existsSync(local(host))).toBe(false);
    expect(shown(host, user(host))).toBe(`mine\n${OURS}`);
    run(host, 'uninstall', '--yes', '--scope', 'user');
    expect(read(user(host))).toBe(json({ statusLine: { type: 'command', command: 'echo mine' } }));
  });

  test("the team's settings get nobody's own paths and nobody's own status line", () => {
    const host = newHost();
    write(user(host), json({ statusLine: { command: 'echo private' } }));
    init(host, '--scope', 'project', '--statusline');
    const shared = read(team(host));
    expect(shared).not.toContain(host.root);
    expect(shared).not.toContain(process.execPath);
    expect(shared).not.toContain('private');
    expect(shown(host, team(host))).toBe(OURS);
  });

  test('where hooks of another scope are in force, the status line comes alone, and goes alone', () => {
    const host = newHost();
    init(host, '--scope', 'project');
    const shared = read(team(host));
    const result = init(host, '--statusline');
    expect(result.stdout).toContain('none were added');
    expect(JSON.parse(read(local(host)))).toEqual({ statusLine: expect.anything() });
    expect(shown(host, local(host))).toBe(OURS);
    expect(init(host).stdout).toContain('Already installed');
    expect(run(host, 'uninstall', '--yes').stdout).toContain(
      'Plimsoll is removed from .claude/settings.local.json.',
    );
    expect(existsSync(local(host))).toBe(false);
    expect(read(team(host))).toBe(shared);
    expect(existsSync(path.join(host.env.XDG_DATA_HOME ?? '', 'plimsoll', 'current'))).toBe(true);
  });

  test('where the plugin brings the hooks, the status line comes alone', () => {
    const host = newHost();
    mkdirSync(path.join(host.env.HOME ?? '', '.claude', 'plugins', 'cache', 'market', 'plimsoll', '1.0.0'), {
      recursive: true,
    });
    write(user(host), json({ enabledPlugins: { 'plimsoll@market': true } }));
    expect(init(host, '--statusline').stdout).toContain('by the plugin plimsoll@market; none were added');
    expect(JSON.parse(read(local(host)))).toEqual({ statusLine: expect.anything() });
    expect(shown(host, local(host))).toBe(OURS);
    run(host, 'uninstall', '--yes');
    expect(existsSync(local(host))).toBe(false);
  });

  test('a nearer status line is named, because it is what is shown', () => {
    const host = newHost();
    write(local(host), json({ statusLine: { command: 'echo near' } }));
    const result = init(host, '--scope', 'user', '--statusline');
    expect(result.stdout).toContain('The status line in .claude/settings.local.json is nearer');
  });
});
