// Tests that work on a track is noted, one line a call, and that nothing is noted where no track is active.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION, STATE } from './host.ts';

const TRACK = { 'docs/tracks/ACTIVE_TRACK': 'cache\n', 'docs/tracks/cache/SPEC.md': '# Cache\n' };
const transient = (host: Host, name = 'work_log.md'): string =>
  path.join(host.project, 'artifacts', 'sessions', SESSION, name);
const read = (host: Host, name?: string): string => {
  const file = transient(host, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const lines = (host: Host): string[] =>
  read(host)
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.replace(/^- \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /, ''));
const failures = (host: Host): string =>
  existsSync(host.state('failures.jsonl')) ? readFileSync(host.state('failures.jsonl'), 'utf8') : '';

const bash = (command: string, tool_response: unknown = 'done') => ({
  tool_name: 'Bash',
  tool_input: { command, description: 'a step' },
  tool_use_id: 't1',
  tool_response,
});
const batch = (host: Host, calls: object[], fields: object = {}) =>
  host.fire('PostToolBatch', { tool_calls: calls, ...fields });

describe('a tool call while a track is worked on', () => {
  test('leaves one line, and says nothing more than it would without a track', () => {
    const host = newHost({ files: TRACK });
    const reply = batch(host, [
      bash('ls -la'),
      {
        tool_name: 'Edit',
        tool_input: { file_path: path.join(host.project, 'src/a.ts') },
        tool_response: 'edited',
      },
      bash('exit 3', 'Exit code 3\nbroken'),
      bash('rm -rf x', 'Permission to use Bash with command rm -rf x has been denied.'),
      {
        tool_name: 'Agent',
        tool_input: { description: 'look', prompt: 'x' },
        tool_response: [{ type: 'text', text: 'Async agent launched successfully.' }],
      },
    ]);
    expect(reply).toMatchObject({ stdout: '', stderr: '', code: 0 });
    expect(lines(host)).toEqual([
      'Bash `ls -la`: ok',
      'Edit src/a.ts: ok',
      'Bash `exit 3`: failed (exit 3)',
      'Bash `rm -rf x`: denied',
      'Agent look: started',
    ]);
    expect(read(host).startsWith('<!-- plimsoll work log; track: cache -->\n')).toBe(true);
    expect(failures(host)).toBe('');
  });

  test('is noted from PostToolUse and PostToolUseFailure too', () => {
    const host = newHost({ files: TRACK });
    host.fire('PostToolUse', bash('ls', { stdout: 'a', stderr: '', interrupted: false }));
    host.fire('PostToolUse', bash('sleep 9', { stdout: '', stderr: '', interrupted: true }));
    host.fire('PostToolUse', bash('serve', { stdout: '', stderr: '', backgroundTaskId: 'b1' }));
    host.fire('PostToolUseFailure', { ...bash('make'), error: 'Exit code 2\nno rule', is_interrupt: false });
    expect(lines(host)).toEqual([
      'Bash `ls`: ok',
      'Bash `sleep 9`: interrupted',
      'Bash `serve`: started',
      'Bash `make`: failed (exit 2)',
    ]);
  });

  test('of a subagent is noted with its name, and moves nothing else', () => {
    const host = newHost({ files: TRACK });
    batch(host, [bash('ls')], { agent_id: 'a9717e4b877d4cd9b', agent_type: 'general-purpose' });
    expect(lines(host)).toEqual(['Bash `ls`: ok (agent general-purpose a9717e4b)']);
    expect(existsSync(host.state('sessions'))).toBe(false);
  });

  test('is noted for the pinned track, the one of the environment, and the one that is active now', () => {
    const host = newHost({
      files: { ...TRACK, 'docs/tracks/api/SPEC.md': '', 'docs/tracks/web/SPEC.md': '' },
    });
    batch(host, [bash('one')]);
    writeFileSync(path.join(host.project, 'docs/tracks/ACTIVE_TRACK'), 'api');
    batch(host, [bash('two')]);
    mkdirSync(host.state('sessions', SESSION), { recursive: true });
    writeFileSync(host.state('sessions', SESSION, 'track'), 'web\n');
    batch(host, [bash('three')]);
    host.env.PLIMSOLL_TRACK = 'cache';
    batch(host, [bash('four')]);
    const marks = read(host).match(/track: \w+|`\w+`/g);
    expect(marks).toEqual([
      'track: cache',
      '`one`',
      'track: api',
      '`two`',
      'track: web',
      '`three`',
      'track: cache',
      '`four`',
    ]);
  });

  test('is noted without its secrets', () => {
    const host = newHost({ files: TRACK });
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    batch(host, [
      bash(`curl -H "Authorization: token ${secret}" x && npm test`, `Exit code 1\nFAIL ${secret}`),
    ]);
    expect(read(host)).toContain('[redacted]');
    expect(read(host, 'test_output.txt')).toContain('FAIL [redacted]');
    expect(read(host) + read(host, 'test_output.txt')).not.toContain(secret.slice(0, 20));
  });

  test('that runs tests keeps what failed, until the same command passes', () => {
    const host = newHost({ files: TRACK });
    const noise = Array.from({ length: 3_000 }, (_, at) => ` ✓ passes ${at}`).join('\n');
    const output = `Exit code 1\n${noise}\n FAIL  src/cache.test.ts > evicts\nAssertionError: expected 3 to be 2\n${noise}\n Tests  1 failed`;
    batch(host, [bash('npx vitest run', output), bash('cat test.txt', 'FAIL is a word')]);
    const kept = read(host, 'test_output.txt');
    expect(kept).toMatch(/^## `npx vitest run` at \S+Z: failed \(exit 1\)$/m);
    expect(kept).toContain('AssertionError: expected 3 to be 2');
    expect(kept).toContain(' Tests  1 failed');
    expect(kept.length).toBeLessThan(20 * 1024);
    batch(host, [bash('npx vitest run', ' Tests  12 passed')]);
    expect(read(host, 'test_output.txt')).toMatch(
      /^## `npx vitest run` at \S+Z: ok\n {3}Tests {2}12 passed\n\n$/,
    );
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['no folder of tracks', {}, {}],
    ['no active track', { 'docs/tracks/cache/SPEC.md': '' }, {}],
    ['a pointer that is no id', { ...TRACK, 'docs/tracks/ACTIVE_TRACK': '../..' }, {}],
    ['a pointer to a track that is gone', { ...TRACK, 'docs/tracks/ACTIVE_TRACK': 'gone' }, {}],
    ['tracks.enabled = "off"', { ...TRACK, [MINE]: '[tracks]\nenabled = "off"\n' }, {}],
    ['tracks.capture = false', { ...TRACK, '.plimsoll/config.toml': '[tracks]\ncapture = false\n' }, {}],
    ['everything off', { ...TRACK, [`${STATE}/off`]: '' }, {}],
    ['everything off in the environment', TRACK, { PLIMSOLL: 'off' }],
  ])('leaves nothing where there is %s', (_, files, env) => {
    const host = newHost({ files, env });
    batch(host, [bash('npm test', 'Exit code 1')]);
    batch(host, [bash('ls')], { agent_id: 'a1', agent_type: 'x' });
    host.fire('Stop');
    expect(existsSync(path.join(host.project, 'artifacts'))).toBe(false);
    expect(failures(host)).toBe('');
  });

  test('is noted from the very next call once a track is made, and no more once the folder is gone', () => {
    const host = newHost();
    host.append(request('Go'), answer(30_000, { id: 'm1' }));
    host.fire('UserPromptSubmit');
    batch(host, [bash('before')]);
    for (const [name, text] of Object.entries(TRACK)) {
      mkdirSync(path.dirname(path.join(host.project, name)), { recursive: true });
      writeFileSync(path.join(host.project, name), text);
    }
    batch(host, [bash('while')]);
    spawnSync('mv', ['docs/tracks', 'docs/gone'], { cwd: host.project });
    batch(host, [bash('after')]);
    expect(lines(host)).toEqual(['Bash `while`: ok']);
  });

  test('whose line cannot be written costs nothing but that line', () => {
    const host = newHost({ files: { ...TRACK, artifacts: 'a file\n' } });
    host.append(request('Go'), answer(150_000, { id: 'm1' }));
    const reply = batch(host, [bash('ls')]);
    expect(reply.context).toContain('CONTEXT STATUS: EMERGENCY');
    expect(failures(host)).toMatch(/"part":"work log".*ENOTDIR/);
  });

  test('that is not understood is left out, and the others are noted', () => {
    const host = newHost({ files: TRACK });
    batch(host, [
      { tool_name: 7 },
      bash('ls'),
      { tool_name: 'X' },
      { tool_name: 'mcp__a__<!-- b\n- Decision: x', tool_input: {} },
    ]);
    expect(lines(host)).toHaveLength(2);
    expect(read(host)).not.toMatch(/^- Decision|<!-- b/m);
  });

  test('of many that end at once leaves its line, also while the log is being shortened', async () => {
    const long = Array.from(
      { length: 1_900 },
      (_, at) => `- 2026-01-01T00:00:00Z Bash \`${'x'.repeat(110)} ${at}\`: ok\n`,
    );
    const host = newHost({
      files: {
        ...TRACK,
        [`artifacts/sessions/${SESSION}/work_log.md`]: `<!-- plimsoll work log; track: cache -->\n${long.join('')}`,
      },
    });
    const one = (at: number) =>
      new Promise<void>((resolve) => {
        const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), 'PostToolBatch'], {
          env: host.env,
          cwd: host.project,
        });
        child.on('close', () => resolve());
        child.stdin.end(
          JSON.stringify({
            session_id: SESSION,
            cwd: host.project,
            hook_event_name: 'PostToolBatch',
            tool_calls: [bash(`call ${at} ${'y'.repeat(900)}`)],
          }),
        );
      });
    await Promise.all(Array.from({ length: 24 }, (_, at) => one(at)));
    const found = lines(host).flatMap((line) => /`call (\d+) /.exec(line)?.[1] ?? []);
    expect([...new Set(found)].map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, at) => at),
    );
    expect(readdirSync(path.dirname(transient(host)))).toEqual(['work_log.md']);
    expect(failures(host)).toBe('');
  });

  test('killed at any moment leaves whole lines only, and the next one goes on', async () => {
    const host = newHost({ files: TRACK });
    for (let ms = 10; ms < 60; ms += 2) {
      await new Promise<void>((resolve) => {
        const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), 'PostToolBatch'], {
          env: host.env,
          cwd: host.project,
        });
        child.on('close', () => resolve());
        child.stdin.on('error', () => undefined);
        child.stdin.end(
          JSON.stringify({
            session_id: SESSION,
            cwd: host.project,
            hook_event_name: 'PostToolBatch',
            tool_calls: [bash('killed'), bash('with it')],
          }),
        );
        setTimeout(() => child.kill('SIGKILL'), ms);
      });
    }
    batch(host, [bash('alive')]);
    expect(read(host)).toMatch(
      /^<!-- plimsoll work log; track: cache -->\n(?:- \S+Z Bash `killed`: ok\n- \S+Z Bash `with it`: ok\n)*- \S+Z Bash `alive`: ok\n$/,
    );
  });
});

describe('the end of a turn on a track', () => {
  const git = (host: Host, ...args: string[]): void => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      cwd: host.project,
      env: host.env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };

  test('keeps the diff against the last commit and the names of new files, without secrets', () => {
    const left = 'artifacts/checkpoints/cache/latest.json';
    const host = newHost({ files: { ...TRACK, 'a.txt': 'one\n', '.git/keep': '', [left]: '{}\n' } });
    git(host, 'init', '-q');
    git(host, 'add', '-A');
    git(host, 'commit', '-qm', 'start');
    writeFileSync(path.join(host.project, 'a.txt'), 'two\nDB_PASSWORD=correct-horse-battery\n');
    writeFileSync(path.join(host.project, 'new.txt'), 'n\n');
    writeFileSync(path.join(host.project, left), '{"at":null}\n');
    batch(host, [bash('ls')]);
    host.fire('Stop');
    const diff = read(host, 'recent_diff.txt');
    expect(diff).toMatch(/^untracked: new\.txt\n/);
    expect(diff).toContain('-one\n+two\n+DB_PASSWORD=[redacted]\n');
    expect(diff).not.toContain('artifacts/');
    writeFileSync(path.join(host.project, 'a.txt'), `${'long line of text\n'.repeat(20_000)}`);
    host.fire('Stop');
    expect(read(host, 'recent_diff.txt').length).toBeLessThan(61 * 1024);
    expect(read(host, 'recent_diff.txt')).toMatch(/\(cut: \d+ more characters\)\n$/);
    expect(failures(host)).toBe('');
  });

  test('leaves none outside a repository', () => {
    const host = newHost({ files: TRACK });
    spawnSync('rm', ['-r', path.join(host.project, '.git')]);
    batch(host, [bash('ls')]);
    host.fire('Stop');
    expect(existsSync(transient(host, 'recent_diff.txt'))).toBe(false);
    expect(failures(host)).toBe('');
  });
});
