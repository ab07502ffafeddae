// Tests that the status line shows the truth, in any state of its input.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Host, newHost, SESSION, sessionFile } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { until } from '../kit/wait.ts';
import { answer, boundary } from '../unit/lines.ts';
import { ENTRY, earlier, feedOf, frame, lineOf, now, plimsollStatusLine, show, usage } from './frames.ts';

describe('the figures', () => {
  test('a frame of zeros replaces no measurement, where nothing was compacted', () => {
    const host = newHost();
    mkdirSync(host.state(), { recursive: true });
    lineOf(host, 136_000);
    for (const tokens of [0, null]) {
      expect(lineOf(host, tokens)).toContain('81% of ~167k CRITICAL');
      expect(feedOf(host)).toMatchObject({ tokens: 136_000 });
      expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('CONTEXT STATUS: CRITICAL');
    }
  });

  test.each([
    ['user', (host: Host) => path.join(host.env.HOME ?? '', '.claude/settings.json')],
    ['project', (host: Host) => path.join(host.project, '.claude/settings.json')],
    ['local', (host: Host) => path.join(host.project, '.claude/settings.local.json')],
  ])('with the auto-compact window in the env of the %s settings hook, line and command agree', (_, file) => {
    const host = newHost();
    mkdirSync(path.dirname(file(host)), { recursive: true });
    writeFileSync(file(host), '{"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}}');
    host.append(answer(90_000, { at: earlier() }));
    expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain(
      'WARNING (76.9% of the way to auto-compaction at 117,000;',
    );
    expect(lineOf(host, 90_000)).toContain('76% of 117k WARNING');
    const { stdout } = plimsoll(
      { env: host.env, projectDir: host.project },
      'status',
      '--json',
      '--transcript',
      host.transcript,
    );
    expect(JSON.parse(stdout)).toMatchObject({ auto_compact: { tokens: 117_000, source: 'client' } });
  });

  test('from the first frame on: unknown, measured, estimated after a compaction, measured again', () => {
    const host = newHost();
    mkdirSync(host.state(), { recursive: true });
    expect(lineOf(host, null)).toBe('Sonnet 4.5 usage unknown\n');
    expect(feedOf(host)).toMatchObject({ v: 1, from: 'statusline', tokens: null, window: 200_000 });

    host.append(answer(24_000, { id: 'a', at: earlier() }));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    expect(lineOf(host, 24_000)).toBe(
      'Sonnet 4.5 █░░░░░░░░░ 14% of ~167k NOMINAL · 143k left · 0 compactions · no checkpoint\n',
    );
    expect(feedOf(host)).toMatchObject({
      session: SESSION,
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
      session: SESSION,
      from: 'module',
      at: Date.now(),
      tokens: 130_000,
      window: 200_000,
    };
    writeFileSync(
      host.state('sessions', SESSION, 'module.feed'),
      `${JSON.stringify({ ...told, model: 'claude-sonnet-4-5' })}\n`,
    );
    expect(lineOf(host, 120_000)).toMatch(/77% of ~167k WARNING · 37k left/);
    const switched = {
      model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
      context_window: { context_window_size: 1_000_000, current_usage: usage(120_000) },
    };
    expect(lineOf(host, null, switched)).toMatch(/^Opus 5\.5 █░{9} 12% of ~967k NOMINAL/);
  });

  test('a window that the usage disproves is not believed', () => {
    const host = newHost();
    host.fire('UserPromptSubmit', { prompt: 'x' });
    host.append(answer(430_000, { at: earlier() }));
    expect(lineOf(host, 430_000)).toMatch(/44% of ~967k NOMINAL · 537k left/);
    expect(existsSync(host.state('sessions', SESSION, 'statusline.feed'))).toBe(false);
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
    const shown = JSON.parse(cli.stdout) as Record<string, unknown>;
    expect(show(host, frame(host, tokens)).stdout).toBe(plimsollStatusLine(host, frame(host, tokens)).stdout);
    expect(shown).toMatchObject({
      tier: status.tier,
      fraction_of_limit: status.fraction_of_limit,
      headroom: status.headroom,
      auto_compact: status.auto_compact,
    });
  });
});

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
  ])('%s: the usage is unknown, and nothing breaks', (_, input) => {
    const host = newHost();
    const { code, stdout, stderr } = show(host, input, ['--wrap', 'echo theirs; cat']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^theirs\n/);
    expect(stdout).toMatch(/usage unknown( · 0 compactions)?\n$/);
    expect(readdirSync(host.project)).toEqual(['.git']);
  });

  test('a hostile name of the model moves no cursor', () => {
    const host = newHost();
    const model = { id: 'x', display_name: '\u001b[2J\u001b]0;title\u0007模型\n\u202eevil' };
    expect(lineOf(host, null, { model })).toMatch(/^模型 evil usage unknown/);
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
    mkdirSync(path.dirname(sessionFile(host)), { recursive: true });
    writeFileSync(sessionFile(host), '{"sess');
    host.append(answer(120_000, { at: earlier() }));
    expect(lineOf(host, 120_000)).toMatch(/71% of ~167k WARNING/);
    expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain(
      '"hook":"statusline","part":"state"',
    );
  });
});
