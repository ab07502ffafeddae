// Tests what the tiers remember: full message when reached, then one line, armed again after usage has fallen.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/budget.ts';
import { answer, boundary, injection, request, summary } from '../unit/lines.ts';
import { type Host, newHost, sessionOf } from './host.ts';

const batch = { tool_calls: [] };
const compact = { trigger: 'auto', custom_instructions: null };

/** Usage goes to so many tokens, then a prompt comes or a tool has run: what is said. */
function sayAt(host: Host, event: 'UserPromptSubmit' | 'PostToolBatch') {
  let count = 0;
  return (tokens: number): string => {
    host.append(answer(tokens, { id: `msg_${event}_${count++}` }));
    return host.fire(event, event === 'UserPromptSubmit' ? { prompt: 'x' } : batch).context;
  };
}

const checkpoints = (host: Host): number =>
  readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.json')).length;

test('a tier is said in full when it is reached, then in one line at the prompts that follow', () => {
  const host = newHost();
  host.append(request('Build the parser'));
  const say = sayAt(host, 'UserPromptSubmit');
  expect(say(30_000)).toContain('of the way to auto-compaction at 167,000');
  expect(say(31_000)).toBe('<context-monitor>CONTEXT STATUS: NOMINAL ~20%</context-monitor>');
  expect(say(120_000)).toContain('plimsoll note "…"');
  const minimal = say(121_000);
  expect(minimal).toBe(
    '<context-monitor>CONTEXT STATUS: WARNING ~70% (~46,000 tokens left)</context-monitor>',
  );
  expect(estimateTokens(minimal)).toBeLessThanOrEqual(40);
  expect(say(135_000)).toContain('ACTION REQUIRED:');
  // Not by more than 10 points: WARNING was said in this segment.
  expect(say(130_000)).toBe(
    '<context-monitor>CONTEXT STATUS: WARNING ~80% (~37,000 tokens left)</context-monitor>',
  );
});

test.each([
  ['always', ['full', 'line', 'line']],
  ['on-change', ['full', '', '']],
  ['off', ['', '', '']],
])('with emit = "%s" three prompts at one tier say: %j', (emit, expected) => {
  const host = newHost({ env: { PLIMSOLL_CONTEXT_MONITOR__EMIT: emit } });
  host.append(request('Build the parser'));
  const say = sayAt(host, 'UserPromptSubmit');
  const said = [120_000, 121_000, 122_000].map(say);
  expect(said.map((text) => (text === '' ? '' : text.includes('ACTION') ? 'full' : 'line'))).toEqual(
    expected,
  );
});

test.each<[string, Record<string, unknown>]>([
  ['PreCompact', compact],
  ['UserPromptSubmit', { prompt: 'x' }],
])('at the point of compaction a tool call keeps nothing, but %s does', (event, fields) => {
  const host = newHost();
  host.append(request('Build the parser'));
  expect(sayAt(host, 'UserPromptSubmit')(120_000)).toContain('WARNING');
  const before = sessionOf(host);
  expect(sayAt(host, 'PostToolBatch')(168_000)).toBe('');
  expect(sessionOf(host)).toEqual(before);
  host.fire(event, fields);
  expect(sessionOf(host).last_announced).toMatchObject({ max_tokens: 168_000 });
});

test('after a fall of more than 10 points without a boundary every tier and its checkpoint come again', () => {
  const host = newHost();
  host.append(request('Build the parser'));
  const say = sayAt(host, 'PostToolBatch');
  expect(say(120_000)).toContain('CONTEXT STATUS: WARNING');
  expect(say(122_000)).toBe('');
  // Up within the tier, then down by 9 and by 12 points of 167,000 from where it was highest.
  expect(say(131_000)).toBe('');
  expect(say(116_000)).toBe('');
  expect(say(121_000)).toBe('');
  expect(checkpoints(host)).toBe(1);
  expect(say(100_000)).toContain('CONTEXT STATUS: LOW');
  expect(say(121_000)).toContain('CONTEXT STATUS: WARNING');
  expect(say(136_000)).toContain('CONTEXT STATUS: CRITICAL');
  expect(checkpoints(host)).toBe(3);
});

test('a fall within the tiers says again what the tier now is', () => {
  const host = newHost();
  host.append(request('Build the parser'));
  const say = sayAt(host, 'UserPromptSubmit');
  expect(say(160_000)).toContain('CONTEXT STATUS: EMERGENCY');
  expect(say(121_000)).toContain('CONTEXT STATUS: WARNING (72.5%');
  expect(say(122_000)).toMatch(/^<context-monitor>CONTEXT STATUS: WARNING ~75% /);
  expect(say(160_000)).toContain('CONTEXT STATUS: EMERGENCY (95.8%');
});

test('a first report at NOMINAL is remembered by the transcript, where the client stores what hooks say', () => {
  const host = newHost();
  host.append(request('Build the parser'), injection('<compaction-alert>'));
  sayAt(host, 'PostToolBatch')(160_000);
  expect(sessionOf(host).client_stores_hook_output).toBe(true);
  host.fire('PreCompact', compact);
  const alert = host.fire('SessionStart', { source: 'compact' }).context;
  host.append(boundary(), summary(), injection(alert), answer(30_000, { id: 'msg_first' }));
  host.fire('PostToolBatch', batch);
  const say = sayAt(host, 'UserPromptSubmit');
  const before = sessionOf(host);
  expect(before).toMatchObject({ epoch: 1, last_announced: null });
  // A prompt whose hook was killed before the client had its words is told again.
  const full = say(31_000);
  expect(full).toMatch(
    /^<context-monitor>CONTEXT STATUS: NOMINAL \(~20% of the way .*\)<\/context-monitor>$/,
  );
  expect(say(31_500)).toBe(full);
  host.append(injection(full));
  expect(say(32_000)).toBe('<context-monitor>CONTEXT STATUS: NOMINAL ~20%</context-monitor>');
  expect(sessionOf(host)).toEqual(before);
  // A rise is known once the state has it, and a line of the next tier is none.
  expect(say(120_000)).toContain('ACTION RECOMMENDED');
  expect(sessionOf(host).last_announced).toMatchObject({ epoch: 1, tier: 'WARNING' });
});

test('usage at which the compaction comes first is not told: it would arrive behind it', () => {
  const host = newHost();
  host.append(request('Build the parser'));
  const say = sayAt(host, 'UserPromptSubmit');
  expect(say(120_000)).toContain('CONTEXT STATUS: WARNING');
  expect(say(168_000)).not.toContain('CONTEXT STATUS');
  // The hook before the compaction takes the checkpoint.
  expect(checkpoints(host)).toBe(1);
  host.fire('PreCompact', compact);
  expect(checkpoints(host)).toBe(2);
  host.fire('SessionStart', { source: 'compact' });
  host.append(boundary(), summary(), answer(40_000, { id: 'msg_after' }));
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('CONTEXT STATUS: NOMINAL (');
});

test('where no compaction follows, the tier is said after all', () => {
  const host = newHost();
  host.append(request('Build the parser'));
  const say = sayAt(host, 'PostToolBatch');
  expect(say(168_000)).toBe('');
  expect(say(178_000)).toContain('CONTEXT STATUS: EMERGENCY');
});

test('where the provider reports no usage the length of the text warns from WARNING on, each tier and its checkpoint once', () => {
  const host = newHost({ env: { PLIMSOLL_CONTEXT_MONITOR__WINDOW_TOKENS: '100000' } });
  host.append(request('Build the parser'));
  // 2.8 characters for a token, an auto-compact threshold of 67,000.
  const grow = (tokens: number, event: 'UserPromptSubmit' | 'PostToolBatch'): string => {
    host.append(request('x'.repeat(tokens * 2.8)), answer(0));
    return host.fire(event, event === 'UserPromptSubmit' ? { prompt: 'x' } : batch).context;
  };
  expect(grow(20_000, 'UserPromptSubmit')).toBe('');
  expect(grow(20_000, 'PostToolBatch')).toBe('');
  const warning = grow(8_000, 'PostToolBatch');
  expect(warning).toContain(
    'CONTEXT STATUS: WARNING (71.7% of the way to auto-compaction at 67,000; 48% of the 100,000 window; estimated)',
  );
  expect(warning).toContain('Tokens used: ~48,015 / 67,000');
  expect(warning).toContain('usage estimated from the length of the text: the provider reports none');
  for (let step = 0; step < 3; step++) expect(grow(500, 'PostToolBatch')).toBe('');
  expect(grow(500, 'UserPromptSubmit')).toBe(
    '<context-monitor>CONTEXT STATUS: WARNING est 75% (~17,000 tokens left)</context-monitor>',
  );
  expect(checkpoints(host)).toBe(1);
  expect(grow(5_000, 'PostToolBatch')).toContain('CONTEXT STATUS: CRITICAL');
  host.fire('PreCompact', compact);
  host.append(boundary('auto', 25), summary(), answer(0));
  expect(host.fire('SessionStart', { source: 'compact' }).context).toContain('<compaction-alert>');
  expect(grow(8_000, 'UserPromptSubmit')).toBe('');
  expect(grow(40_000, 'PostToolBatch')).toContain('CONTEXT STATUS: WARNING');
  expect(checkpoints(host)).toBe(4);
});

test('a compaction that the main file shows no boundary of, as of a subagent on an old client, is none of the main session', () => {
  const host = newHost();
  host.append(request('Build the parser'), answer(50_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.fire('PreCompact', compact);
  // It goes to the subagent: to the main session nothing of it may come.
  host.fire('SessionStart', { source: 'compact' });
  expect(host.fire('PostToolBatch', batch).context).toBe('');
  host.append(answer(120_000, { id: 'after' }));
  const text = host.fire('PostToolBatch', batch).context;
  expect(text).toContain('CONTEXT STATUS: WARNING');
  expect(text).toContain('Compaction events: 0');
  expect(text).not.toContain('<compaction-alert>');
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).not.toContain('<compaction-alert>');
});
