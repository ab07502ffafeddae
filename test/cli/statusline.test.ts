// Does the status line show what is true, in any state of its input, and never blank what another one shows?
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { DIST, plimsoll } from '../kit/plimsoll.ts';
import { until } from '../kit/wait.ts';
import { answer, boundary } from '../unit/lines.ts';

const ENTRY = path.join(DIST, 'statusline.cjs');
const now = (): string => new Date().toISOString();
/** Long enough ago for the line to be drawn after it. */
const earlier = (): string => new Date(Date.now() - 10_000).toISOString();

const usage = (tokens: number) => ({
  input_tokens: Math.min(tokens, 10),
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: Math.max(0, tokens - 10),
});
/** What the client sends; null tokens before the first answer, zeros after a compaction. */
const frame = (host: Host, tokens: number | null, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
    workspace: { current_dir: host.project, project_dir: host.project },
    context_window: {
      context_window_size: 200_000,
      current_usage: tokens === null ? null : usage(tokens),
      used_percentage: tokens === null ? null : Math.round(tokens / 2_000),
    },
    ...more,
  })}\n`;

interface Shown {
  code: number | null;
  stdout: string;
  stderr: string;
}
const show = (host: Host, input: string, args: string[] = [], env: Record<string, string> = {}): Shown => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...args], {
    cwd: host.project,
    env: { ...host.env, NO_COLOR: '1', ...env },
    input,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { code: status, stdout, stderr };
};
const lineOf = (host: Host, tokens: number | null, more: Record<string, unknown> = {}): string => {
  const { code, stdout, stderr } = show(host, frame(host, tokens, more));
  expect(`${code} ${stderr}`).toBe('0 ');
  return stdout;
};
const feedOf = (host: Host): Record<string, unknown> =>
  JSON.parse(readFileSync(host.state('conversations', `${SESSION}.statusline.feed`), 'utf8')) as Record<
    string,
    unknown
  >;

describe('the figures', () => {
  test('from the first frame on: unknown, measured, estimated after a compaction, measured again', () => {
    const host = newHost();
    mkdirSync(host.state());
    expect(lineOf(host, null)).toBe('Sonnet 4.5 fill unknown\n');
    expect(feedOf(host)).toMatchObject({ v: 1, from: 'statusline', tokens: null, window: 200_000 });

    host.append(answer(24_000, { id: 'a', at: earlier() }));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    expect(lineOf(host, 24_000)).toBe(
      'Sonnet 4.5 █░░░░░░░░░ 14% of ~167k NOMINAL · 143k left · 0 compactions · no checkpoint\n',
    );
    expect(feedOf(host)).toMatchObject({
      conversation: SESSION,
      tokens: 24_000,
      window: 200_000,
      model: 'claude-sonnet-4-5',
    });

    host.append(answer(136_000, { id: 'b', at: earlier() }));
    host.fire('PostToolBatch', { tool_calls: [] });
    expect(lineOf(host, 136_000)).toMatch(
      /^Sonnet 4\.5 ████████░░ 81% of ~167k CRITICAL · 31k left · 0 compactions · cx-001 just now\n$/,
    );

    host.append(boundary('manual', 136_000, { timestamp: now() }));
    for (const tokens of [0, null, 136_000]) {
      expect(lineOf(host, tokens), `after a compaction the client says ${tokens}`).toMatch(
        /^Sonnet 4\.5 ██░░░░░░░░ ~20% of ~167k \(estimate\) NOMINAL · ~133k left · 1 compaction · cx-001 just now\n$/,
      );
      expect(feedOf(host).tokens).toBeNull();
    }
    host.append(answer(40_000, { id: 'c', at: now() }));
    expect(lineOf(host, 40_000)).toMatch(/ 23% of ~167k NOMINAL · 127k left · 1 compaction /);
  });

  test('a frame without figures takes nothing back: the transcript has them', () => {
    const host = newHost();
    host.append(answer(120_000, { at: earlier() }));
    for (const tokens of [null, 0]) expect(lineOf(host, tokens)).toMatch(/71% of ~167k WARNING · 47k left/);
  });

  test('the window is what the client says', () => {
    const host = newHost();
    host.fire('UserPromptSubmit', { prompt: 'x' });
    host.append(answer(120_000, { at: earlier() }));
    const large = { context_window: { context_window_size: 1_000_000, current_usage: usage(120_000) } };
    expect(lineOf(host, null, large)).toMatch(/12% of ~967k NOMINAL · 847k left/);
    expect(feedOf(host).window).toBe(1_000_000);
  });

  test('beside the module: its frame is believed as hooks believe it, but not about a model that was left', () => {
    const host = newHost();
    host.append(answer(120_000, { at: earlier() }));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    const told = {
      v: 1,
      conversation: SESSION,
      from: 'module',
      at: Date.now(),
      tokens: 130_000,
      window: 200_000,
    };
    writeFileSync(
      host.state('conversations', `${SESSION}.module.feed`),
      `${JSON.stringify({ ...told, model: 'claude-sonnet-4-5' })}\n`,
    );
    expect(lineOf(host, 120_000)).toMatch(/77% of ~167k WARNING · 37k left/);
    const switched = {
      model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
      context_window: { context_window_size: 1_000_000, current_usage: usage(120_000) },
    };
    expect(lineOf(host, null, switched)).toMatch(/^Opus 5\.5 █░{9} 12% of ~967k NOMINAL/);
  });

  test('a window that the fill disproves is not believed', () => {
    const host = newHost();
    host.fire('UserPromptSubmit', { prompt: 'x' });
    host.append(answer(430_000, { at: earlier() }));
    expect(lineOf(host, 430_000)).toMatch(/44% of ~967k NOMINAL · 537k left/);
    expect(existsSync(host.state('conversations', `${SESSION}.statusline.feed`))).toBe(false);
  });

  test.each([
    [24_000, 'a calm one'],
    [95_000, 'a low one'],
    [120_000, 'a warning'],
    [150_000, 'an emergency'],
    [190_000, 'one past the point'],
  ])('the judgement at %i tokens is that of status', (tokens) => {
    const host = newHost();
    host.fire('UserPromptSubmit', { prompt: 'x' });
    host.append(answer(tokens, { at: earlier() }));
    const run = plimsoll(
      { env: host.env, projectDir: host.project },
      'status',
      '--json',
      '--transcript',
      host.transcript,
    );
    const status = JSON.parse(run.stdout) as Record<string, unknown>;
    const cli = plimsollStatusLine(host, frame(host, tokens), '--json');
    const { assessment } = JSON.parse(cli.stdout) as { assessment: Record<string, unknown> };
    expect(show(host, frame(host, tokens)).stdout).toBe(plimsollStatusLine(host, frame(host, tokens)).stdout);
    expect(assessment).toMatchObject({
      tier: status.tier,
      usable_fill: status.usable_fill,
      headroom: status.headroom,
      point: status.compaction_point,
    });
  });
});

/** The same by the command line. */
function plimsollStatusLine(host: Host, input: string, ...args: string[]): Shown {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(DIST, 'cli.cjs'), 'statusline', ...args],
    {
      cwd: host.project,
      env: { ...host.env, NO_COLOR: '1' },
      input,
      encoding: 'utf8',
    },
  );
  return { code: status, stdout, stderr };
}

describe('the input', () => {
  test('is taken as soon as it is whole: a client need not close it', async () => {
    const host = newHost();
    host.append(answer(120_000, { at: earlier() }));
    const child = spawn(process.execPath, [ENTRY, '--wrap', 'head -c 13'], {
      cwd: host.project,
      env: { ...host.env, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let code: number | null | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('exit', (status) => {
      code = status;
    });
    const text = frame(host, 120_000).trimEnd();
    child.stdin.write(text.slice(0, 40));
    await until(() => child.pid, { what: 'the child' });
    child.stdin.write(text.slice(40));
    await until(() => code !== undefined, { what: 'an end without an end of input' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{"session_id"\nSonnet 4\.5 ███████░░░ 71% of ~167k WARNING/);
  });

  test('that never comes is not waited for', async () => {
    const host = newHost();
    const child = spawn(process.execPath, [ENTRY], {
      cwd: host.project,
      env: host.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let code: number | null | undefined;
    child.on('exit', (status) => {
      code = status;
    });
    await until(() => code !== undefined, { what: 'an end without any input' });
    expect(code).toBe(0);
  });

  test.each([
    ['nothing', ''],
    ['torn JSON', '{"session_id": "x", "context_window": {"current_'],
    ['no JSON', 'hello'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['another program', '{"some": "thing"}'],
    ['nul bytes', '\0\0\0'],
    ['half a character', '{"session_id":"\ud83d"}'],
    ['an id that is a path', '{"session_id":"../../../x","cwd":"/nowhere"}'],
  ])('%s: the fill is unknown, and nothing breaks', (_, input) => {
    const host = newHost();
    const { code, stdout, stderr } = show(host, input, ['--wrap', 'echo theirs; cat']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^theirs\n/);
    expect(stdout).toMatch(/fill unknown( · 0 compactions)?\n$/);
    expect(readdirSync(host.project)).toEqual(['.git']);
  });

  test('a hostile name of the model moves no cursor', () => {
    const host = newHost();
    const model = { id: 'x', display_name: '\u001b[2J\u001b]0;title\u0007模型\n\u202eevil' };
    expect(lineOf(host, null, { model })).toMatch(/^模型 evil fill unknown/);
  });
});

describe('what it keeps', () => {
  test('nothing where nothing of ours is', () => {
    const host = newHost();
    lineOf(host, 24_000);
    expect(readdirSync(host.project)).toEqual(['.git']);
  });

  test('a damaged state is no reason to be silent, and is told of', () => {
    const host = newHost();
    mkdirSync(host.state('conversations'), { recursive: true });
    writeFileSync(host.state('conversations', `${SESSION}.json`), '{"sess');
    host.append(answer(120_000, { at: earlier() }));
    expect(lineOf(host, 120_000)).toMatch(/71% of ~167k WARNING/);
    expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain(
      '"hook":"statusline","part":"state"',
    );
  });
});

describe('settings', () => {
  const withConfig = (toml: string): Host => {
    const host = newHost({ files: { '.plimsoll/config.toml': toml } });
    host.append(answer(120_000, { at: earlier() }));
    return host;
  };

  test('the format', () => {
    const host = withConfig('[statusline]\nformat = "{tier}: {fill} {workflow}"\n');
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
      '"statusline.format": Expected one line with only these names in braces: model, bar, fill',
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
    ['hanging', 'sleep 60'],
    ['hanging in a child', 'sh -c "sleep 60"; sleep 60'],
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
