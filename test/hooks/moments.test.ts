// Tests that each moment is told for what it is: a larger window, a repeated PreCompact, an old or late checkpoint.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Checkpoint } from '../../src/compaction/checkpoint/checkpoint.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, attachment, boundary, injection, request, summary } from '../unit/lines.ts';
import { type Host, newHost, sessionFile, sessionOf } from './host.ts';

const checkpointsOf = (host: Host): Checkpoint[] =>
  readdirSync(host.state('checkpoints'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(host.state('checkpoints', name), 'utf8')) as Checkpoint);

const compact = { trigger: 'auto', custom_instructions: null };
const batch = { tool_calls: [] };

test('a window that proves larger makes every later rise news again', () => {
  const host = newHost();
  const said: string[] = [];
  for (const [index, fill] of [60_000, 160_000, 210_000, 600_000, 860_000, 915_000, 945_000].entries()) {
    host.append(answer(fill, { id: `msg_${index}`, model: 'some-proxy-model' }));
    const { context } = host.fire('PostToolBatch', batch);
    said.push(/CONTEXT STATUS: ([A-Z]+)/.exec(context)?.[1] ?? '-');
  }
  expect(said).toEqual(['-', 'EMERGENCY', '-', 'LOW', 'WARNING', 'CRITICAL', 'EMERGENCY']);
  expect(checkpointsOf(host).map((each) => each.context_state.tier)).toEqual([
    'EMERGENCY',
    'WARNING',
    'CRITICAL',
    'EMERGENCY',
  ]);
});

test.each([
  ['just now', 0, true],
  ['an hour ago', 3_600_000, false],
])(
  'a changed checkpoint is believed only where the hook before the compaction wrote it %s',
  (_, age, isBelieved) => {
    const host = newHost();
    host.append(request('build the parser of the ledger'), answer(150_000));
    host.fire('PreCompact', compact);
    const file = host.state('checkpoints', 'cx-001-checkpoint.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('the parser', 'the lexer'));
    const pending = { ...sessionOf(host).pending_compaction, at: new Date(Date.now() - age).toISOString() };
    writeFileSync(sessionFile(host), JSON.stringify({ ...sessionOf(host), pending_compaction: pending }));
    const { context } = host.fire('SessionStart', { source: 'compact' });
    expect(context).toContain('<compaction-alert>');
    expect(context.includes('build the lexer')).toBe(isBelieved);
  },
);

test('a PreCompact that failed, then a new request: the next one makes its own checkpoint', () => {
  const host = newHost();
  host.append(request('task BETA'), answer(150_000));
  host.fire('PreCompact', { trigger: 'manual', custom_instructions: 'keep GAMMA' });
  host.append(request('task DELTA'));
  const { stdout } = host.fire('PreCompact', compact);
  expect(stdout).toContain("THE USER'S LATEST TASK: task DELTA");
  const { context } = host.fire('SessionStart', { source: 'compact' });
  expect(context).toContain('cx-002-checkpoint.json');
  expect(context).toContain("THE USER'S GOAL: task BETA\nTHE USER'S LATEST TASK: task DELTA");
});

test('the very same PreCompact twice: one checkpoint, and the summariser gets its facts both times', () => {
  const host = newHost();
  host.append(request('task BETA'), answer(150_000));
  const first = host.fire('PreCompact', compact).stdout;
  const second = host.fire('PreCompact', compact).stdout;
  expect(first).toContain('plimsoll checkpoint show cx-001');
  expect(second).toBe(first);
  expect(checkpointsOf(host)).toHaveLength(1);
});

test('the prompt of this very moment is waited for: its line is written while PreCompact looks', () => {
  // The line comes in the middle of the hook's first wait, by the hook's own clock: no second process to race with.
  const host = newHost();
  const late = path.join(host.root, 'late.cjs');
  host.env.NODE_OPTIONS = `--require "${late}"`;
  host.append(request('task BETA'), answer(150_000));
  const line = `${JSON.stringify({ ...request('task DELTA'), promptId: 'p-delta' })}\n`;
  writeFileSync(
    late,
    `const { wait } = Atomics;
    Atomics.wait = (...place) => {
      Atomics.wait = wait;
      require('node:fs').appendFileSync(${JSON.stringify(host.transcript)}, ${JSON.stringify(line)});
      return wait(...place);
    };`,
  );
  const { stdout } = host.fire('PreCompact', { ...compact, prompt_id: 'p-delta' });
  expect(stdout).toContain("THE USER'S LATEST TASK: task DELTA");
});

test('a checkpoint of an earlier compaction is not handed to a later one', () => {
  const host = newHost();
  host.append(request('job ALPHA'), answer(150_000));
  host.fire('PreCompact', compact);
  host.append(
    boundary(),
    summary(),
    answer(30_000, { id: 'msg_2' }),
    request('job DELTA'),
    answer(151_000, { id: 'msg_3' }),
  );
  host.append(boundary(), summary());
  const { context } = host.fire('UserPromptSubmit', { prompt: 'x' });
  expect(context).toContain('COMPACTION EVENT: 2 of 2 this session');
  expect(context).toContain('cx-002-checkpoint.json');
  expect(context).toContain("THE USER'S GOAL: job ALPHA\nTHE USER'S LATEST TASK: job DELTA");
});

test('a late checkpoint shows the usage before the compaction, not after it', () => {
  const host = newHost();
  host.append(request('job'), answer(60_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(answer(118_000, { id: 'msg_2' }), boundary(), summary(), answer(40_000, { id: 'msg_3' }));
  const { person } = host.fire('PostToolBatch', batch);
  expect(person).toContain('59% of the window');
  expect(checkpointsOf(host)[0]?.context_state.estimated_tokens_used).toBe(118_000);
});

test('compactions that happened while it was off are no news after "on"', () => {
  const host = newHost();
  host.append(request('job ALPHA'), answer(150_000));
  host.fire('PreCompact', compact);
  const cli = { env: host.env, projectDir: host.project };
  plimsoll(cli, 'off');
  expect(host.fire('SessionStart', { source: 'compact' }).stdout).toBe('');
  host.append(boundary(), summary(), answer(30_000, { id: 'msg_2' }));
  plimsoll(cli, 'on');
  const { context } = host.fire('UserPromptSubmit', { prompt: 'x' });
  expect(context).toMatch(/^<context-monitor>CONTEXT STATUS: NOMINAL/);
});

test('one automatic compaction is learned once, however many hooks see it', async () => {
  const host = newHost();
  host.append(request('job'), answer(160_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(boundary('auto', 167_100), summary(), answer(30_000, { id: 'msg_2' }));
  const { spawn } = await import('node:child_process');
  const { DIST } = await import('../kit/plimsoll.ts');
  const payload = (n: number) =>
    JSON.stringify({
      session_id: '0f6e3a52-1111-4222-8333-444455556666',
      transcript_path: host.transcript,
      cwd: host.project,
      hook_event_name: 'PostToolUse',
      tool_use_id: `t${n}`,
    });
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), 'PostToolUse'], {
        env: host.env,
        cwd: host.project,
      });
      child.stdin.end(payload(n));
      return new Promise((done) => child.on('close', done));
    }),
  );
  const file = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'compaction-points.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ points: { '200000': [167_100] } });
});

const learnedOf = (host: Host): { points: object; sizes: object } =>
  JSON.parse(
    readFileSync(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'compaction-points.json'), 'utf8'),
  );

test.each([
  ['at the tool after it', []],
  ['though hooks ran before there was an answer', ['SessionStart', 'UserPromptSubmit', 'UserPromptSubmit']],
])('what a compaction left is learned from its first answer, once: %s', (_, before) => {
  const host = newHost();
  host.append(request('job'), answer(160_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(boundary('manual', 160_500), summary());
  for (const event of before) {
    const { context } = host.fire(event, { source: 'compact', prompt: 'go on' });
    if (context !== '') host.append(injection(context));
  }
  // The answer grows while it is written, and a second one has come by then.
  host.append(
    answer(20_000, { id: 'msg_2' }),
    answer(31_000, { id: 'msg_2' }),
    answer(45_000, { id: 'msg_3' }),
  );
  for (const tool of ['t1', 't2']) host.fire('PostToolUse', { tool_use_id: tool });
  expect(learnedOf(host)).toEqual({ schema_version: '1.1.0', points: {}, sizes: { '200000': [31_000] } });
  host.append(boundary('auto', 167_100), summary());
  host.fire('SessionStart', { source: 'compact' });
  host.append(answer(33_000, { id: 'msg_4' }));
  host.fire('UserPromptSubmit', { prompt: 'y' });
  host.fire('UserPromptSubmit', { prompt: 'z' });
  expect(learnedOf(host).sizes).toEqual({ '200000': [31_000, 33_000] });
});

test('the estimate right after a compaction is what compactions have left here, where three are known', () => {
  const host = newHost();
  const folder = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll');
  mkdirSync(folder, { recursive: true });
  const learned = { schema_version: '1.1.0', points: {}, sizes: { '200000': [42_000, 28_000, 50_000] } };
  writeFileSync(path.join(folder, 'compaction-points.json'), JSON.stringify(learned));
  host.append(request('job'), answer(20_000), answer(160_000, { id: 'msg_2' }));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(boundary('manual', 160_500), summary());
  const { context } = host.fire('UserPromptSubmit', { prompt: 'go on' });
  // 42,000 of 167,000, not 20,000 + 10,000.
  expect(context).toContain('~25% of the way');
});

test('a provider that reports no usage: hooks stay quiet, write nothing more, and do not look through the whole file', () => {
  const host = newHost();
  const zero = { input_tokens: 0, output_tokens: 0 };
  host.append(request('job'), answer(0, { usage: zero }));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  const before = readFileSync(
    host.state('sessions', '0f6e3a52-1111-4222-8333-444455556666', 'state.json'),
    'utf8',
  );
  host.append(answer(0, { id: 'msg_2', usage: zero }));
  expect(host.fire('PostToolBatch', { tool_calls: [{ tool_use_id: 'not there' }] }).stdout).toBe('');
  expect(
    readFileSync(host.state('sessions', '0f6e3a52-1111-4222-8333-444455556666', 'state.json'), 'utf8'),
  ).toBe(before);
});

test('an estimate after a compaction neither raises a tier nor writes to the person', () => {
  const host = newHost();
  host.append(request('job'), answer(140_000), answer(150_000, { id: 'msg_2' }));
  host.fire('PreCompact', compact);
  host.fire('SessionStart', { source: 'compact' });
  host.append(boundary(), summary());
  const { context, person } = host.fire('UserPromptSubmit', { prompt: 'x' });
  expect(person).toBe('');
  expect(context).toContain('CONTEXT STATUS: ');
  expect(checkpointsOf(host)).toHaveLength(1);
});

test('a model attachment without the mark takes an earlier [1m] back', () => {
  const host = newHost();
  const model = (id: string) => attachment({ type: 'model', identity: { modelId: id } });
  host.append(model('claude-sonnet-4-5[1m]'), request('job'), answer(30_000));
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('of the 1,000,000 window');
  host.append(model('claude-sonnet-4-5'), answer(31_000, { id: 'msg_2' }));
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('of the 200,000 window');
});
