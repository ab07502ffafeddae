// Tests that hooks and commands trust the usage that the client reports until something shows that it is out of date.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { UsageSample } from '../../src/context/client-usage.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

/** A moment so many seconds ago, in ms. */
const ago = (seconds: number): number => Date.now() - seconds * 1000;
const said = (tokens: number, seconds: number, more: { id?: string; model?: string } = {}) =>
  answer(tokens, { ...more, at: new Date(ago(seconds)).toISOString() });

function feed(host: Host, more: Partial<UsageSample>): void {
  const frame = {
    v: 1,
    session: SESSION,
    from: 'module',
    at: ago(1),
    tokens: null,
    window: 1_000_000,
    model: 'claude-sonnet-4-5',
    ...more,
  };
  const folder = host.state('sessions', SESSION);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${frame.from}.feed`), `${JSON.stringify(frame)}\n`);
}
const prompt = (host: Host): string => host.fire('UserPromptSubmit', { prompt: 'x' }).context;
const reading = (host: Host) =>
  JSON.parse(
    plimsoll({ env: host.env, projectDir: host.project }, 'status', '--session', SESSION, '--json').stdout,
  ) as {
    usage: { tokens: number; source: string };
    window: { tokens: number; source: string; confidence: string };
  };

test('the window is the one that the client tells, and nothing is said of a source', () => {
  const host = newHost();
  host.append(request('go'), said(150_000, 60));
  expect(prompt(host)).toContain('CONTEXT STATUS: EMERGENCY (89.8% of the way');
  feed(host, { tokens: 150_000 });
  expect(prompt(host)).toContain(
    'CONTEXT STATUS: NOMINAL (~15% of the way to auto-compaction at 967,000; ~15% of the 1,000,000 window)',
  );
  expect(prompt(host)).not.toContain('if the window is 200,000');
});

test.each(['PostToolUse', 'PostToolBatch'])(
  'the usage is told at once: %s says a rise that the transcript does not show yet',
  (event) => {
    const host = newHost();
    host.append(request('go'), said(30_000, 60));
    feed(host, { tokens: 30_000, window: 200_000, at: ago(59) });
    prompt(host);
    feed(host, { tokens: 130_000, window: 200_000 });
    const { context } = host.fire(event, { tool_use_id: 't', tool_calls: [{ tool_use_id: 't' }] });
    expect(context).toContain('CONTEXT STATUS: WARNING (77.8% of the way');
    expect(context).not.toContain('window from the model table');
  },
);

test.each<[string, Partial<UsageSample>, string]>([
  ['older than the last answer', { tokens: 150_000, at: ago(120) }, '~5% of the 1,000,000 window'],
  ['hours older than the last answer', { at: ago(9_000) }, '~25% of the 200,000 window'],
  [
    'of another model before the last answer',
    { at: ago(130), model: 'claude-opus-5-5' },
    '~25% of the 200,000',
  ],
  ['of another session', { session: 'other', tokens: 150_000 }, '~25% of the 200,000'],
  ['of another version', { v: 2 as 1, tokens: 150_000 }, '~25% of the 200,000'],
  ['without figures', { tokens: 0, window: 0 }, '~25% of the 200,000'],
  ['without a fill', { tokens: 0 }, '~5% of the 1,000,000'],
])('a frame %s: what the transcript shows counts', (_, frame, words) => {
  const host = newHost();
  host.append(request('go'), said(50_000, 60));
  feed(host, frame);
  expect(prompt(host)).toContain(words);
});

test('after a compaction: an estimate until the client tells the new fill, and never the old one', () => {
  const host = newHost();
  host.append(request('go'), said(30_000, 90), said(160_000, 60, { id: 'msg_2' }));
  feed(host, { tokens: 160_000, window: 200_000, at: ago(60) });
  prompt(host);
  host.append(
    boundary('auto', 161_000, { timestamp: new Date(ago(30)).toISOString() }),
    summary({ timestamp: new Date(ago(30)).toISOString() }),
  );
  expect(prompt(host)).toContain(
    '(~25% of the way to auto-compaction at 167,000; ~20% of the 200,000 window; est.)',
  );
  feed(host, { tokens: null, window: 200_000, at: ago(29) });
  expect(prompt(host)).toContain('NOMINAL est 25%');
  feed(host, { tokens: 60_000, window: 200_000, at: ago(1) });
  expect(prompt(host)).toContain('NOMINAL ~35%');
});

test('status shows the same figures', () => {
  const host = newHost();
  host.append(request('go'), said(50_000, 60));
  feed(host, { tokens: 70_000 });
  expect(reading(host)).toMatchObject({
    usage: { tokens: 70_000, source: 'client', confidence: 'certain', estimated: false },
    window: { tokens: 1_000_000, source: 'client', confidence: 'certain' },
  });
  const { stdout } = plimsoll({ env: host.env, projectDir: host.project }, 'status', '--session', SESSION);
  expect(stdout).toContain('70,000 used, 897,000 left (told by the client, just now)');
  expect(stdout).toContain('1,000,000 (told by the client)');
});

test('status of a session whose first answer has not come yet', () => {
  const host = newHost();
  host.fire('SessionStart', { source: 'startup' });
  feed(host, {});
  const env = { ...host.env, CLAUDE_CODE_SESSION_ID: SESSION };
  const { stdout, code } = plimsoll({ env, projectDir: host.project }, 'status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    session: SESSION,
    transcript: null,
    usage: { tokens: null, source: 'none' },
    window: { tokens: 1_000_000, source: 'client' },
    tier: null,
  });
  expect(plimsoll({ env, projectDir: host.project }, 'status').stdout).toContain(
    'unknown: no answer has come yet',
  );
});

test('the status line gives the window where the transcript gives the usage', () => {
  const host = newHost();
  host.append(request('go'), said(50_000, 60));
  feed(host, { from: 'statusline', tokens: 40_000 });
  expect(reading(host)).toMatchObject({ usage: { tokens: 50_000 }, window: { tokens: 1_000_000 } });
});

test.each(['', '{', 'null', '\u0000'.repeat(100), '[1,2]', '{"v":1}'])(
  'a feed of %j is no feed, and no reason to speak of',
  (text) => {
    const host = newHost();
    host.append(request('go'), said(50_000, 60));
    feed(host, {});
    writeFileSync(host.state('sessions', SESSION, 'module.feed'), text);
    const { code, stderr, context } = host.fire('UserPromptSubmit', { prompt: 'x' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(context).toContain('~25% of the 200,000 window');
  },
);
