// Tests that the status line obeys its settings and options, and the program that it wraps.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, MINE, newHost } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { until } from '../kit/wait.ts';
import { answer } from '../unit/lines.ts';
import { ENTRY, earlier, frame, lineOf, show } from './frames.ts';

describe('settings', () => {
  const withConfig = (toml: string): Host => {
    const host = newHost({ files: { [MINE]: toml } });
    host.append(answer(120_000, { at: earlier() }));
    return host;
  };

  test('the format', () => {
    const host = withConfig('[statusline]\nformat = "{tier}: {usage} {workflow}"\n');
    expect(lineOf(host, 120_000)).toBe('WARNING: 71% of ~167k\n');
  });

  test('one that names an unknown part is told of, and not used', () => {
    const host = withConfig('[statusline]\nformat = "{tear}"\n');
    expect(lineOf(host, 120_000)).toMatch(/^Sonnet 4\.5 ███████░░░ 71%/);
    const { stdout } = plimsoll(
      { env: host.env, projectDir: host.project },
      'status',
      '--transcript',
      host.transcript,
    );
    expect(stdout).toContain(
      '"statusline.format": Expected one line with only these names in braces: model, bar, usage',
    );
  });

  // [setting, environment, colours]
  test.each<[string, Record<string, string>, boolean]>([
    ['auto', { NO_COLOR: '' }, true],
    ['auto', { NO_COLOR: '1' }, false],
    ['auto', { NO_COLOR: '', TERM: 'dumb' }, false],
    ['always', { NO_COLOR: '1' }, true],
    ['never', { NO_COLOR: '' }, false],
  ])('colors = "%s" with %j: %s', (setting, env, expected) => {
    const host = withConfig(`[statusline]\ncolors = "${setting}"\n`);
    const { stdout } = show(host, frame(host, 120_000), [], env);
    expect(stdout.includes('\u001b[33mWARNING\u001b[0m')).toBe(expected);
    expect(stdout.includes('\u001b')).toBe(expected);
  });

  test.each([
    ['80', /^Sonnet 4\.5 ███████░░░ 71% of ~167k WARNING · 47k left · 0 compactions\n$/],
    ['40', /^███████░░░ 71% of ~167k WARNING\n$/],
    ['1', /^…\n$/],
    ['0', /0 compactions\n$/],
    ['wide', /0 compactions\n$/],
  ])('COLUMNS=%s', (columns, expected) => {
    const host = withConfig('');
    expect(show(host, frame(host, 120_000), [], { COLUMNS: columns }).stdout).toMatch(expected);
  });

  test.each<[string, (host: Host) => Record<string, string>]>([
    ['PLIMSOLL=off', () => ({ PLIMSOLL: 'off' })],
    ['enabled = false', () => ({ PLIMSOLL_ENABLED: 'false' })],
    [
      'plimsoll off',
      (host) => {
        plimsoll({ env: host.env, projectDir: host.project }, 'off');
        return {};
      },
    ],
  ])('%s silences ours alone', (_, silence) => {
    const host = withConfig('');
    const env = silence(host);
    expect(show(host, frame(host, 120_000), [], env).stdout).toBe('');
    expect(show(host, frame(host, 120_000), ['--wrap', 'echo theirs'], env).stdout).toBe('theirs\n');
  });
});

describe('--wrap', () => {
  const OURS = /^Sonnet 4\.5 ███████░░░ 71% of ~167k WARNING · 47k left · 0 compactions$/;

  // [what it is, command, what is shown above ours]
  test.each<[string, string, string]>([
    ['one line', 'echo "[my line]"', '[my line]'],
    ['several lines', String.raw`printf 'one\ntwo\n\n'`, 'one\ntwo'],
    ['colours', String.raw`printf '\033[31mred'`, '\u001b[31mred\u001b[0m'],
    ['one that fails', 'echo half; exit 7', 'half'],
    ['one that complains', 'echo said; echo trouble >&2', 'said'],
    [
      'the same input',
      `node -pe 'JSON.parse(require("fs").readFileSync(0,"utf8")).model.display_name'`,
      'Sonnet 4.5',
    ],
    ['the same environment', 'echo "$COLUMNS $NODE_EXTRA_CA_CERTS."', '200 /ca.pem.'],
  ])('%s', (_, command, expected) => {
    const host = newHost();
    host.append(answer(120_000, { at: earlier() }));
    const { code, stdout, stderr } = show(
      host,
      frame(host, 120_000),
      ['--ca', '/ca.pem', '--wrap', command],
      {
        COLUMNS: '200',
        NODE_EXTRA_CA_CERTS: '',
      },
    );
    expect(`${code} ${stderr}`).toBe('0 ');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(OURS);
    expect(lines.slice(0, -1).join('\n')).toBe(expected);
  });

  test.each([
    ['silent', 'true'],
    ['missing', 'no-such-program'],
    ['no command', 'if ('],
    // Each is waited for as long as a person would: one of the two.
    ...some(
      [
        ['hanging', 'sleep 60'],
        ['hanging in a child', 'sh -c "sleep 60"; sleep 60'],
      ],
      1,
    ),
    ['killed', 'kill -9 $$'],
  ])('one that is %s does not blank ours', (_, command) => {
    const host = newHost();
    host.append(answer(120_000, { at: earlier() }));
    const { code, stdout, stderr } = show(host, frame(host, 120_000), ['--wrap', command]);
    expect(`${code} ${stderr}`).toBe('0 ');
    expect(stdout.trimEnd()).toMatch(OURS);
  });

  test('a client that ends us ends it too', async () => {
    const host = newHost();
    const file = path.join(host.root, 'pid');
    const child = spawn(process.execPath, [ENTRY, '--wrap', `echo $$ > '${file}'; sleep 60`], {
      cwd: host.project,
      env: host.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(frame(host, 1_000));
    await until(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', {
      what: 'theirs to start',
    });
    child.kill('SIGTERM');
    await until(() => child.signalCode === 'SIGTERM', { what: 'ours to end' });
    const pid = Number(readFileSync(file, 'utf8'));
    await until(
      () => {
        try {
          process.kill(pid, 0);
          return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
        } catch {
          return true;
        }
      },
      { what: 'theirs to end' },
    );
  });
});
