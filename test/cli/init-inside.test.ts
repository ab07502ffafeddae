// Tests that init and uninstall put our extension where a host in whose process we run loads it, and take it away.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHost, writeMine } from '../hooks/host.ts';
import { DIST } from '../kit/plimsoll.ts';
import { data, run } from './healthy.ts';

const PLACES = [
  ['pi', 'user', ['home', '.pi', 'agent', 'extensions', 'plimsoll.js']],
  ['pi', 'project', ['project', '.pi', 'extensions', 'plimsoll.js']],
  ['opencode', 'user', ['config', 'opencode', 'plugin', 'plimsoll.js']],
  ['opencode', 'project', ['project', '.opencode', 'plugin', 'plimsoll.js']],
  ['kilo', 'user', ['config', 'kilo', 'plugin', 'plimsoll.js']],
  ['kilo', 'project', ['project', '.kilo', 'plugin', 'plimsoll.js']],
] as const;

test.each(PLACES)(
  '%s, %s: written once, with no path of this machine, and removed with the bundle',
  (name, scope, way) => {
    const host = newHost();
    const [base, ...rest] = way;
    const bases = {
      home: host.env.HOME ?? '',
      config: host.env.XDG_CONFIG_HOME ?? '',
      project: host.project,
    };
    const file = path.join(bases[base], ...rest);
    const call = (...args: string[]) => run(host, ...args, '--host', name, '--scope', scope);
    expect(call('init', '--dry-run').stdout).toContain('Would write');
    expect(existsSync(file)).toBe(false);
    const done = call('init', '--yes');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const removal = `plimsoll uninstall --host ${name}${scope === 'project' ? ' --scope project' : ''}`;
    expect(done.stdout).toContain(`"${removal}" removes it.\n`);
    const elsewhere = run(host, 'uninstall', '--yes').stdout;
    expect(elsewhere).toMatch(
      /^Nothing to remove: [^\n]+\nPlimsoll is in \S+plimsoll\.js: plimsoll uninstall there/,
    );
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(new RegExp(`^// Plimsoll for ${name}: `));
    expect(text).not.toContain(host.root);
    expect(JSON.parse(call('init', '--yes', '--json').stdout)).toMatchObject({ changed: false, host: name });
    expect(run(host, 'doctor', '--all').stdout).toMatch(/ok +\w+ +loads us from/);

    writeFileSync(file, text.replace('homedir()', 'homedir( )'));
    expect(run(host, 'doctor').stdout).toContain(`Next: plimsoll init --host ${name} --scope ${scope}`);
    expect(call('init', '--yes').code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);

    const gone = run(host, ...removal.split(' ').slice(1), '--yes').stdout;
    expect(gone).toContain('and its bundle with it');
    const others = scope === 'user' ? '\\.plimsoll/ of each project and in ' : '';
    expect(gone).toMatch(new RegExp(`\nWhat was kept stays in ${others}[^ .]\\S*plimsoll/; delete what`));
    expect(existsSync(path.join(host.project, '.plimsoll'))).toBe(false);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(data(host))).toBe(false);
    expect(call('uninstall', '--yes').stdout).toContain('Nothing to remove');
  },
);

test.each([
  ['of the registry', () => 'npm:plimsoll@0.1.0'],
  ['in a folder', (folder: string) => ({ source: path.relative(folder, path.join(DIST, '..')) })],
] as const)('pi has our package %s: doctor says so, and init does not offer pi', (_, sourceFrom) => {
  const host = newHost();
  const folder = path.join(host.env.HOME ?? '', '.pi', 'agent');
  mkdirSync(folder, { recursive: true });
  const write = (packages: readonly unknown[]): void =>
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ packages }));
  write(['npm:plimsoll-not', { source: './nowhere' }, 7]);
  expect(run(host, 'doctor', '--all').stdout).not.toContain('as a package');
  expect(run(host, 'init', '--yes').stdout).toContain('plimsoll init --host pi');
  write([sourceFrom(folder)]);
  expect(run(host, 'doctor', '--all').stdout).toMatch(/ok +pi +loads us as a package, by .*settings\.json/);
  expect(run(host, 'init', '--yes').stdout).not.toContain('plimsoll init --host pi');
});

test('an extension of that name that is not ours stays, and init says so', () => {
  const host = newHost();
  const file = path.join(host.env.HOME ?? '', '.pi', 'agent', 'extensions', 'plimsoll.js');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'export default () => {};\n');
  for (const command of ['init', 'uninstall'])
    expect(run(host, command, '--host', 'pi', '--yes')).toMatchObject({ code: 1, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe('export default () => {};\n');
});

test.each([
  [['--host', 'emacs'], /"emacs" is no host .*claude-code, pi/s],
  [['--host', 'pi', '--scope', 'local'], /--scope user for all your projects/],
])('init %j is refused with the next step', (args, words) => {
  const { code, stderr } = run(newHost(), 'init', '--yes', ...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
});

test('the hooks of Claude Code are not asked for where only another host is served', () => {
  const host = newHost();
  expect(run(host, 'init', '--host', 'pi', '--yes').code).toBe(0);
  expect(run(host, 'doctor', '--all').stdout).toMatch(/ok +hooks +none are registered with Claude Code/);
});

test('the hooks of others in the same file stay, and come back byte for byte', () => {
  const host = newHost();
  const file = path.join(host.env.HOME ?? '', '.codex', 'hooks.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const others = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},\n "a": 1}\n';
  writeFileSync(file, others);
  const call = (...args: string[]) => run(host, ...args, '--host', 'codex');
  expect(call('init', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"say done"');
  expect(text.match(/--host codex"/g)).toHaveLength(7);
  expect(text).not.toContain(host.root);
  expect(JSON.parse(call('init', '--yes', '--json').stdout)).toMatchObject({ changed: false });
  expect(run(host, 'doctor').stdout).toMatch(/Codex +does not trust/);
  expect(call('uninstall', '--yes').code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(others);

  expect(call('init', '--yes').code).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2'));
  expect(call('uninstall', '--yes').code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...JSON.parse(others), a: 2 });
});

test('a file that cannot be read is left as it is', () => {
  const host = newHost();
  const file = path.join(host.env.HOME ?? '', '.codex', 'hooks.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{');
  const { code, stderr } = run(host, 'init', '--host', 'codex', '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Cannot read .*hooks\.json[\s\S]*Next: mend that file/);
  expect(readFileSync(file, 'utf8')).toBe('{');
});

test('init of Claude Code names the other hosts of this machine, until they are served', () => {
  const host = newHost();
  const init = () => run(host, 'init', '--yes', '--client-version', '2.1.332').stdout;
  expect(init()).not.toContain('Also on this machine');
  for (const folder of ['.pi/agent', '.codex'])
    mkdirSync(path.join(host.env.HOME ?? '', folder), { recursive: true });
  expect(init()).toContain(
    'Also on this machine: pi, Codex. To serve them: plimsoll init --host pi; plimsoll init --host codex',
  );
  for (const name of ['pi', 'codex']) expect(run(host, 'init', '--host', name, '--yes').code).toBe(0);
  expect(init()).not.toContain('Also on this machine');
});

test('the status of a session of another host says nothing of Claude Code, and counts no calls that it cannot see', () => {
  const host = newHost();
  run(host, 'init', '--host', 'pi', '--yes');
  writeMine(host, '[guardrails]\nmode = "enforce"\n');
  const folder = path.join(
    host.env.HOME ?? '',
    '.pi',
    'agent',
    'sessions',
    `-${host.project.replace(/\//g, '-')}--`,
  );
  mkdirSync(folder, { recursive: true });
  const message = { role: 'assistant', content: [], usage: { input: 900 } };
  const lines = [
    { type: 'session', id: 'a-1', cwd: host.project },
    { type: 'message', id: 'b', message },
  ];
  writeFileSync(
    path.join(folder, '2026-11-30T10-00-00-000Z_a-1.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const { stdout } = run(host, 'status');
  expect(stdout).toMatch(/^Session +a-1,/m);
  expect(stdout).toMatch(/^Guardrails +"enforce"$/m);
  expect(stdout).not.toMatch(/^Model/m);
  expect(stdout).toMatch(/^Said +unknown: counted only where Claude Code/m);
});
