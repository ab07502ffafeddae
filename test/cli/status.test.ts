// Tests that status tells the truth, as data and in words, without any install.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Host, MINE, newHost, SESSION } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { CLI } from '../kit/plimsoll.ts';
import { until } from '../kit/wait.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { append, healthy, run } from './healthy.ts';
import { converse } from './saved.ts';

interface Status {
  session: string;
  usage: {
    tokens: number | null;
    output: number | null;
    source: string;
    confidence: string | null;
    estimated: boolean;
    stale: boolean;
    last_seen: { tokens: number } | null;
    age_s: number | null;
  };
  window: { tokens: number; source: string; confidence: string };
  auto_compact: { tokens: number | null; source: string; confidence: string };
  effective_limit: number;
  fraction_of_limit: number | null;
  fraction_of_window: number | null;
  headroom: number | null;
  tier: string | null;
  compactions: number;
  announcement: { said: string | null; reason: string };
}
const statusOf = (host: Host, ...args: string[]): Status =>
  JSON.parse(run(host, 'status', '--json', ...args).stdout) as Status;

const corpus = path.resolve(import.meta.dirname, '../../../shared/corpus');

interface Expected {
  finalContextTokens: number | null;
  contextStaleAtEnd: boolean;
  compactions: { sidechain: boolean }[];
}

test('status --json gives the expected figures for all files of the corpus', (context) => {
  if (!existsSync(corpus)) {
    notRun('status over the corpus', 'the corpus is not there');
    context.skip();
  }
  const host = newHost();
  const expected = JSON.parse(readFileSync(path.join(corpus, 'expected.json'), 'utf8')) as Record<
    string,
    Expected
  >;
  expect(Object.keys(expected)).toHaveLength(19);
  for (const [name, want] of Object.entries(expected)) {
    const { usage, compactions, fraction_of_limit } = statusOf(host, '--transcript', path.join(corpus, name));
    expect([name, compactions]).toEqual([name, want.compactions.filter((each) => !each.sidechain).length]);
    if (usage.source === 'characters') {
      expect([name, want.finalContextTokens, usage.estimated]).toEqual([name, null, true]);
    } else if (want.finalContextTokens === null) {
      expect([name, usage.tokens, fraction_of_limit]).toEqual([name, null, null]);
    } else if (want.contextStaleAtEnd) {
      expect([name, usage.estimated, usage.last_seen?.tokens]).toEqual([name, true, want.finalContextTokens]);
      expect(usage.tokens).toBeLessThan(want.finalContextTokens);
    } else {
      expect([name, usage.tokens, usage.estimated]).toEqual([name, want.finalContextTokens, false]);
    }
  }
});

test('the newest session of the folder is found by itself', () => {
  const host = newHost();
  converse(host, [request('go'), answer(116_900)]);
  expect(statusOf(host)).toMatchObject({
    usage: {
      tokens: 116_900,
      source: 'usage',
      confidence: 'certain',
      estimated: false,
      stale: false,
      last_seen: null,
    },
    window: { tokens: 200_000, source: 'table', confidence: 'inferred' },
    auto_compact: { tokens: 167_000, source: 'default', confidence: 'assumed' },
    effective_limit: 167_000,
    fraction_of_limit: 0.7,
    fraction_of_window: 0.5845,
    headroom: 50_100,
    tier: 'WARNING',
    compactions: 0,
  });
  const { stdout } = run(host, 'status');
  expect(stdout).toMatch(/Context\s+WARNING, 70% of the way to auto-compaction, 58.5% of the window/);
  expect(stdout).toMatch(/Tokens\s+116,900 used, 50,100 left/);
});

test('after a compaction: an estimate that says so, and the old figure beside it', () => {
  const host = newHost();
  converse(host, [request('go'), answer(20_000), answer(160_000, { id: 'msg_2' }), boundary(), summary()]);
  expect(statusOf(host)).toMatchObject({
    usage: {
      tokens: 30_000,
      estimated: true,
      stale: true,
      source: 'after-compaction',
      last_seen: { tokens: 160_000 },
    },
    compactions: 1,
  });
  expect(run(host, 'status').stdout).toContain('about 30,000, estimated');
});

test('configuration and environment change what is measured against', () => {
  const host = newHost({ files: { [MINE]: '[context_monitor]\nwindow_tokens = 500000\n' } });
  converse(host, [request('go'), answer(100_000)]);
  expect(statusOf(host).window).toEqual({ tokens: 500_000, source: 'config', confidence: 'certain' });
  host.env.PLIMSOLL_CONTEXT_MONITOR__WINDOW_TOKENS = '250000';
  expect(statusOf(host).window.tokens).toBe(250_000);
  host.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW = '150000';
  expect(statusOf(host).auto_compact).toEqual({
    tokens: 117_000,
    source: 'client',
    confidence: 'inferred',
  });
});

test.each([
  [['status'], 1, 'No session was found'],
  [['status', '--transcript', 'nothing.jsonl'], 1, 'Cannot read the transcript "nothing.jsonl"'],
  [['status', '--session', 'unknown-id'], 1, 'give the whole id, as plimsoll session list shows it'],
  [['status', '--bogus'], 2, "unknown option '--bogus'"],
  [['checkpoint', 'show', 'cx-999'], 1, 'No checkpoint "cx-999"'],
  [['frobnicate'], 2, "unknown command 'frobnicate'"],
  [['off', '--session'], 2, 'No session is named'],
] as const)('%j: exit code %i, and words that name the next step', (args, code, words) => {
  const result = run(newHost(), ...args);
  expect(result.code).toBe(code);
  expect(result.stderr).toContain(words);
  expect(result.stderr).toContain('Next: ');
});

test.each([
  [['frobnicate'], 'plimsoll --help lists the commands'],
  [['status', '--bogus'], 'plimsoll status --help shows how it is called'],
  [['checkpoint', 'frobnicate'], 'plimsoll checkpoint --help lists the commands'],
  [['state', 'gate', 'enter'], 'plimsoll state gate enter --help shows how it is called'],
])('a call that was not understood, %j, is pointed to the help that is about it', (args, next) => {
  expect(run(newHost(), ...args).stderr).toMatch(new RegExp(`\\n  Next: ${next}\\n$`));
});

test('every command has help with an example', () => {
  const host = newHost();
  for (const args of [
    ['init'],
    ['uninstall'],
    ['on'],
    ['off'],
    ['status'],
    ['doctor'],
    ['checkpoint', 'list'],
    ['checkpoint', 'show'],
  ]) {
    const result = run(host, ...args, '--help');
    expect([args, result.code]).toEqual([args, 0]);
    expect(result.stdout).toContain('Example');
  }
});

test('off for one session leaves the others alone', () => {
  const host = newHost();
  host.append(request('go'), answer(30_000));
  host.env.CLAUDE_CODE_SESSION_ID = SESSION;
  expect(run(host, 'off', '--session').stdout).toContain(`off for session ${SESSION}`);
  expect(run(host, 'status').stdout).toMatch(
    new RegExp(`^Silenced +for this session; plimsoll on --session ${SESSION} ends it$`, 'm'),
  );
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).stdout).toBe('');
  expect(host.fire('UserPromptSubmit', { prompt: 'x', session_id: 'another' }).stdout).not.toBe('');
  run(host, 'on', '--session', SESSION);
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).stdout).not.toBe('');
});

test('checkpoints are listed and shown, damaged ones named', () => {
  const host = newHost();
  host.append(request('write the lexer'), answer(160_000));
  host.fire('PreCompact', { trigger: 'manual', custom_instructions: null });
  writeFileSync(host.state('checkpoints', 'cx-002-checkpoint.json'), '{}');
  const list = run(host, 'checkpoint', 'list').stdout;
  expect(list).toMatch(/cx-001 +just now +manual +80% +kept +write the lexer/);
  expect(list).toContain('cx-002  unreadable: ');
  const shown = run(host, 'checkpoint', 'show', '1').stdout;
  expect(shown).toContain('160,000 tokens, 80% of the 200,000 window, EMERGENCY');
  expect(shown).toContain("THE USER'S GOAL:\n  write the lexer");
  expect(run(host, 'checkpoint', 'show', 'cx-002').stderr).toContain('Cannot use checkpoint "cx-002"');
});

test('--watch prints the status again when it changes, and nothing while nothing does', async () => {
  const host = healthy();
  append(host, request('go'), answer(40_000));
  const child = spawn(process.execPath, [CLI, 'status', '--watch', '--json'], {
    cwd: host.project,
    env: host.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  await until(() => said.includes('\n'), { what: 'the first status' });
  append(host, request('and on'));
  append(host, answer(130_000, { id: 'msg_9' }));
  await until(() => said.includes('"WARNING"'), { what: 'the change' });
  const lines = said.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as Status).tier)).toEqual(['NOMINAL', 'WARNING']);
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});
