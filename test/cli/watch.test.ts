// Tests that watch shows what goes on, cheaply, in place on a terminal, in lines elsewhere, and ends when told to.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Host, SESSION } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { CLI } from '../kit/plimsoll.ts';
import { findProgram } from '../kit/programs.ts';
import { until } from '../kit/wait.ts';
import { answer, request } from '../unit/lines.ts';
import { append, compacted, fire, healthy, run } from './healthy.ts';

const OTHER = 'b0b0b0b0-1111-4222-8333-444455556666';
/** A second conversation of the project. */
function another(host: Host): void {
  const transcript = path.join(path.dirname(host.transcript), `${OTHER}.jsonl`);
  copyFileSync(host.transcript, transcript);
  const fields = { session_id: OTHER, transcript_path: transcript };
  host.fire('UserPromptSubmit', { ...fields, prompt: 'x' });
  host.fire('SessionEnd', { ...fields, reason: 'other' });
}

test('--once: every conversation with its fill, tier, sparkline and checkpoint, and the events', () => {
  const host = healthy();
  compacted(host);
  another(host);
  const { stdout, code } = run(host, 'watch', '--once');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^plimsoll watch {2}project {2}1 conversation under way\n\n/);
  expect(stdout).toMatch(
    /\n● 0f6e3a52 {2}NOMINAL {4}23% {2}40,000 of 167,000, 127,000 left\n {2}[▁▂▃▄▅▆▇█]{3} {2}1 compaction · cx-\d+ just now · 0 calls since\n/,
  );
  expect(stdout).toMatch(/\n○ b0b0b0b0 .* ended or silent just now\n/);
  expect(stdout).toMatch(/\nEvents\n.*SessionStarted/);
  expect(stdout).toMatch(/\n\S+ \S+Z {2}0f6e3a52 {2}CompactionDetected /);
  expect(stdout).not.toContain('\u001b');
  const data = JSON.parse(run(host, 'watch', '--once', '--json').stdout) as {
    conversations: { session_id: string; tokens: number; under_way: boolean }[];
    events: { type: string }[];
  };
  expect(data.conversations).toMatchObject([
    { session_id: SESSION, tokens: 40_000, under_way: true },
    { session_id: OTHER, under_way: false },
  ]);
  expect(data.events.map(({ type }) => type)).toContain('AlertDelivered');
});

test('without a conversation, and without hooks, it says so and shows what the client has', () => {
  const host = healthy();
  expect(run(host, 'watch', '--once').stdout).toMatch(
    /No conversation of Claude Code here yet\.\n\nNo events yet\./,
  );
  append(host, request('go'), answer(120_000));
  expect(run(host, 'watch', '--once').stdout).toMatch(/\n● 0f6e3a52 {2}WARNING {4}71% {2}120,000 of 167,000/);
});

/** Runs `watch` as another program would read it. */
function started(host: Host, ...args: string[]): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [CLI, 'watch', '--interval', '0.2', ...args], {
    cwd: host.project,
    env: host.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  return { child, said: () => said };
}
const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));

test('elsewhere than on a terminal: a line for each change and each event, and nothing while nothing changes', async () => {
  const host = healthy();
  compacted(host);
  const { child, said } = started(host);
  await until(() => said().includes('40,000 of 167,000'), { what: 'the first line' });
  append(host, answer(130_000, { id: 'msg_9' }));
  await until(() => said().includes('130,000 of 167,000'), { what: 'the change' });
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  await until(() => said().includes('ContextThresholdReached'), { what: 'the event' });
  const lines = said().trim().split('\n');
  expect(lines.filter((line) => line.includes('40,000 of'))).toHaveLength(1);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}0f6e3a52 {2}\S+/);
  expect(said()).not.toContain('\u001b');
  child.kill('SIGINT');
  expect(await ended(child)).toBe(0);
});

test('--json: one document a line', async () => {
  const host = healthy();
  compacted(host);
  const { child, said } = started(host, '--json');
  await until(() => said().includes('\n'), { what: 'the first line' });
  append(host, answer(130_000, { id: 'msg_9' }));
  await until(() => said().includes('130000'), { what: 'the change' });
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  const lines = said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { conversation: { tier: string } });
  expect(lines.map(({ conversation }) => conversation.tier)).toEqual(['NOMINAL', 'WARNING']);
});

test('a reader that goes away ends it', async () => {
  const host = healthy();
  compacted(host);
  const { child, said } = started(host);
  await until(() => said() !== '', { what: 'the first line' });
  child.stdout?.destroy();
  append(host, answer(130_000, { id: 'msg_9' }));
  expect(await ended(child)).toBe(0);
});

test('on a terminal it is drawn in place, follows the size, and gives the terminal back at Ctrl-C', async (context) => {
  const program = findProgram('tmux');
  if (!program) {
    notRun('watch on a terminal', 'tmux is not in PATH');
    context.skip();
    return;
  }
  const host = healthy();
  compacted(host);
  const tmux = (...command: string[]): string =>
    execFileSync(program, ['-u', '-S', path.join(host.root, 'tmux'), ...command], {
      env: host.env,
      encoding: 'utf8',
    });
  onTestFinished(() => {
    try {
      tmux('kill-server');
    } catch {
      // it has gone with its last window
    }
  });
  const script = path.join(host.root, 'watch.sh');
  writeFileSync(
    script,
    `trap : INT\necho before\n'${process.execPath}' '${CLI}' watch --interval 0.2\necho "after $?"\nsleep 600\n`,
  );
  const size = ['-x', '120', '-y', '30'];
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'w', ...size, '-c', host.project, 'sh', script);
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'w');
  const flag = (name: string): string => tmux('display-message', '-p', '-t', 'w', `#{${name}}`).trim();
  await until(() => screen().includes('40,000 of 167,000'), { what: 'the view' });
  expect(flag('alternate_on')).toBe('1');
  expect(flag('cursor_flag')).toBe('0');
  append(host, answer(130_000, { id: 'msg_9' }));
  await until(() => screen().includes('130,000 of 167,000'), { what: 'the change' });
  // In place: what was there is gone, and the title stands once, at the top.
  expect(screen()).not.toContain('40,000 of 167,000');
  expect(screen()).toMatch(/^plimsoll watch {2}project {2}1 conversation under way\n/);
  expect(screen()).toContain('Ctrl-C ends this.');
  tmux('resize-window', '-t', 'w', '-x', '40', '-y', '8');
  await until(() => screen().split('\n')[2]?.endsWith('…'), { what: 'narrow lines' });
  expect(screen().split('\n').length).toBeLessThanOrEqual(9);
  tmux('resize-window', '-t', 'w', '-x', '120', '-y', '30');
  await until(() => screen().includes('130,000 of 167,000, 37,000 left'), { what: 'wide lines' });
  tmux('send-keys', '-t', 'w', 'C-c');
  await until(() => screen().includes('after 0'), { what: 'the end' });
  expect(flag('alternate_on')).toBe('0');
  expect(flag('cursor_flag')).toBe('1');
  expect(screen()).toMatch(/^before\nplimsoll watch/);
});
