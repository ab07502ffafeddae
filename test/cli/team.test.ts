// Tests that committed hooks work for everybody: silent without a bundle, never twice, never taken from others.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { bundle, init, local, run, team } from './healthy.ts';

/** The settings that a member of the team committed. */
function committed(clientVersion = '2.1.332'): string {
  const host = newHost();
  run(host, 'init', '--yes', '--scope', 'project', '--client-version', clientVersion);
  return readFileSync(team(host), 'utf8');
}

/** A clone of the team's project on a machine of its own. */
function clone(settings: string): Host {
  const host = newHost();
  mkdirSync(path.dirname(team(host)));
  writeFileSync(team(host), settings);
  host.append(request('go'), answer(30_000));
  return host;
}

/** Another project on the machine of a host. */
function elsewhere(host: Host): Host {
  const project = path.join(host.root, 'another');
  mkdirSync(path.join(project, '.git'), { recursive: true });
  return { ...host, project, env: { ...host.env, CLAUDE_PROJECT_DIR: project } };
}

interface Hooks {
  [event: string]: { hooks: { command: string }[] }[];
}

/** Runs every hook of a settings file as the client does, through a shell; what was said by event. */
function fireAll(host: Host, file: string): Record<string, string> {
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Hooks };
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => {
      const payload = {
        session_id: SESSION,
        transcript_path: host.transcript,
        cwd: host.project,
        hook_event_name: event,
        source: 'startup',
        reason: 'other',
        trigger: 'manual',
        tool_calls: [],
      };
      const command = groups[0]?.hooks[0]?.command ?? '';
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: host.project,
        env: host.env,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      expect([event, status, stderr]).toEqual([event, 0, '']);
      return [event, stdout];
    }),
  );
}

test('a fresh clone on a machine without the bundle: every hook is silent, exit 0, and nothing is written', () => {
  const host = clone(committed());
  const said = fireAll(host, team(host));
  expect(Object.keys(said)).toHaveLength(7);
  expect(Object.values(said).join('')).toBe('');
  expect(existsSync(host.state())).toBe(false);
});

test("init in a clone installs the bundle alone: the team's hooks work, and none are added beside them", () => {
  const settings = committed();
  const host = clone(settings);
  const result = init(host);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain(
    'Hooks are in force here already, in .claude/settings.json. None were added',
  );
  expect(result.stdout).not.toContain('another form');
  expect(existsSync(local(host))).toBe(false);
  expect(readFileSync(team(host), 'utf8')).toBe(settings);
  expect(fireAll(host, team(host)).UserPromptSubmit).toContain('CONTEXT STATUS: NOMINAL');
  expect(existsSync(host.state('.gitignore'))).toBe(true);
  expect(JSON.parse(init(host, '--json').stdout)).toMatchObject({
    changed: false,
    settings: team(host),
    bundle_replaced: false,
  });
});

test('init in a clone, shown only: nothing is written', () => {
  const host = clone(committed());
  expect(init(host, '--dry-run').stdout).toContain('Would install the bundle alone');
  expect(existsSync(bundle(host))).toBe(false);
  expect(existsSync(host.state())).toBe(false);
});

test.each([
  ['for all projects', ['--scope', 'user']],
  ['in another project', []],
])('init %s on that machine makes committed hooks work as well', (_name, args) => {
  const host = clone(committed());
  init(elsewhere(host), ...args);
  expect(fireAll(host, team(host)).UserPromptSubmit).toContain('CONTEXT STATUS: NOMINAL');
});

test('init does not change what the team has committed, but names how to bring it up to date', () => {
  const settings = committed('2.1.100');
  const host = clone(settings);
  const { stdout } = init(host);
  expect(stdout).toContain(
    "Those in .claude/settings.json are of another form than this version's: plimsoll init --scope project",
  );
  expect(readFileSync(team(host), 'utf8')).toBe(settings);
  expect(init(host, '--scope', 'project').stdout).toContain('\n  + PostToolBatch, at most 5 s\n');
  expect(readFileSync(team(host), 'utf8')).toBe(committed());
});

test('hooks for all projects are in force: init in a project adds none beside them', () => {
  const host = newHost();
  init(host, '--scope', 'user');
  expect(init(host).stdout).toContain('Hooks are in force here already, in ~/.claude/settings.json');
  expect(existsSync(local(host))).toBe(false);
});

test('who names a scope gets hooks there, and is told that they run twice', () => {
  const host = clone(committed());
  const { stdout } = init(host, '--scope', 'local');
  expect(existsSync(local(host))).toBe(true);
  expect(stdout).toContain('run twice; one is enough: plimsoll uninstall --scope local');
});

test('hooks of one person in two scopes run once, and nothing is said of it', () => {
  const host = newHost();
  init(host);
  expect(init(host, '--scope', 'user').stdout).not.toContain('run twice');
});

test('uninstall in a clone gives up the bundle, and leaves the hooks of the team', () => {
  const settings = committed();
  const host = clone(settings);
  init(host);
  const result = run(host, 'uninstall', '--yes');
  expect(result.stdout).toContain(
    'The hooks in .claude/settings.json stay; without the bundle they are silent.',
  );
  expect(readFileSync(team(host), 'utf8')).toBe(settings);
  expect(existsSync(bundle(host))).toBe(false);
  expect(Object.values(fireAll(host, team(host))).join('')).toBe('');
  expect(run(host, 'uninstall', '--yes').stdout).toContain('Nothing to remove');
});

test('uninstall in another project leaves a clone the bundle that its hooks need', () => {
  const host = clone(committed());
  init(host);
  const other = elsewhere(host);
  init(other);
  run(other, 'uninstall', '--yes');
  expect(fireAll(host, team(host)).UserPromptSubmit).toContain('CONTEXT STATUS: NOMINAL');
});

test('who had hooks of his own when the team committed some takes them out, and the bundle stays', () => {
  const host = newHost();
  init(host);
  host.append(request('go'), answer(30_000));
  writeFileSync(team(host), committed());
  expect(init(host).stdout).toContain('run twice; one is enough: plimsoll uninstall --scope local');
  expect(run(host, 'uninstall', '--yes').stdout).toContain('The hooks in .claude/settings.json stay');
  expect(fireAll(host, team(host)).UserPromptSubmit).toContain('CONTEXT STATUS: NOMINAL');
  expect(run(host, 'uninstall', '--yes').stdout).toContain('without the bundle they are silent');
  expect(existsSync(bundle(host))).toBe(false);
});
