// Tests that the built hook gives the seeds' figures, figure for figure.
import { expect, test } from 'vitest';
import { answer, request } from '../unit/lines.ts';
import { MINE, newHost } from './host.ts';

const ORCHESTRATION = 'workflow:\n  id: "w-1"\n  status: ACTIVE\nresumption:\n  next_step: "go on"\n';

test('with threshold_base = "window" the example of the detection design comes out: WARNING, 73.2%, 53,600 remaining, ~1.8 QG iterations', () => {
  const host = newHost({
    files: {
      [MINE]: '[context_monitor]\nthreshold_base = "window"\n\n[checkpoint]\non_tier_rise = false\n',
      'ORCHESTRATION.yaml': ORCHESTRATION,
    },
  });
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('go'), answer(146_400));
  const { context } = host.fire('UserPromptSubmit', { prompt: 'next' });
  const lines = context.split('\n');
  expect(lines.slice(0, 6)).toEqual([
    '<context-monitor>',
    'CONTEXT STATUS: WARNING (73.2% filled)',
    'Tokens used: 146,400 / 200,000',
    'Estimated remaining: 53,600 tokens (~1.8 QG iterations)',
    'Compaction events: 0',
    'Last checkpoint: none',
  ]);
  expect(lines.at(-1)).toBe('</context-monitor>');
  expect(context).toContain('- The resumption section of ORCHESTRATION.yaml is due for an update');
});

test('without an orchestration file no gates are counted, and both denominators are named', () => {
  const host = newHost();
  host.append(request('go'), answer(116_900));
  const { context } = host.fire('UserPromptSubmit', { prompt: 'next' });
  expect(context).toContain(
    'CONTEXT STATUS: WARNING (70% of the way to auto-compaction at 167,000; 58.5% of the 200,000 window)',
  );
  expect(context).toContain('Tokens used: 116,900 / 167,000\nEstimated remaining: 50,100 tokens\n');
  expect(context).toContain('Last checkpoint: cx-001 (just now)');
  expect(context).not.toContain('QG');
});

test('on table evidence alone for a large window, the 200,000 tiers are warned of once per segment', () => {
  const host = newHost();
  host.append(request('go'), answer(120_000, { model: 'claude-opus-5-5' }));
  const first = host.fire('UserPromptSubmit', { prompt: 'a' });
  expect(first.context).toContain(
    'If the window is 200,000 and not 1,000,000, this is WARNING: 120,000 tokens used (said once)',
  );
  host.append(request('on'), answer(121_000, { model: 'claude-opus-5-5', id: 'msg_2' }));
  expect(host.fire('UserPromptSubmit', { prompt: 'b' }).context).toBe(
    '<context-monitor>CONTEXT STATUS: NOMINAL ~15%</context-monitor>',
  );
});

test.each([
  ['always', [true, true, true]],
  ['on-change', [true, false, true]],
  ['off', [false, false, false]],
])('emit = "%s" speaks at a first, an unchanged and a changed prompt: %j', (emit, expected) => {
  const host = newHost({ files: { [MINE]: `[context_monitor]\nemit = "${emit}"\n` } });
  host.append(request('go'), answer(30_000));
  const first = host.fire('UserPromptSubmit', { prompt: 'a' });
  const second = host.fire('UserPromptSubmit', { prompt: 'b' });
  host.append(request('on'), answer(95_000, { id: 'msg_2' }));
  const third = host.fire('UserPromptSubmit', { prompt: 'c' });
  expect([first, second, third].map((each) => each.context !== '')).toEqual(expected);
});

test('at a notice of the client, which nobody typed, what was said a moment ago is not said again', () => {
  const prompt = '<task-notification>\n<task-id>a1</task-id>\n</task-notification>';
  const host = newHost();
  host.append(request('go'), answer(136_000));
  expect(host.fire('PostToolBatch', { tool_calls: [] }).context).toContain('CONTEXT STATUS: CRITICAL');
  expect(host.fire('UserPromptSubmit', { prompt }).stdout).toBe('');
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('CONTEXT STATUS: CRITICAL');
  host.append(answer(150_000, { id: 'msg_2' }));
  expect(host.fire('UserPromptSubmit', { prompt }).context).toContain('CONTEXT STATUS: EMERGENCY');
});

test('at EMERGENCY the person is told once too', () => {
  const host = newHost();
  host.append(request('go'), answer(150_000));
  const first = host.fire('PostToolBatch', { tool_calls: [] });
  expect(first.person).toBe(
    'Plimsoll: EMERGENCY, 90% of the way to auto-compaction. Checkpoint cx-001 saved.',
  );
  host.append(answer(151_000, { id: 'msg_2' }));
  expect(host.fire('PostToolBatch', { tool_calls: [] }).stdout).toBe('');
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).person).toBe('');
});
