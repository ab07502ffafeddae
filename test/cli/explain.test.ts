// Tests that explain and status say why the usage was announced, or why it was not, after real hooks.
import { expect, test } from 'vitest';
import { type Host, MINE, newHost, SESSION } from '../hooks/host.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { announced, last, prompt, run, tool, used } from './explained.ts';

// [what happened, the last decision, its sentence]
const rows: [string, () => Host, object, RegExp][] = [
  [
    'the first prompt',
    () => announced(30_000),
    { said: 'full', reason: 'first-report', event: 'prompt', tier: 'NOMINAL', from: null },
    /^\d\d:\d\d prompt, 18% of the limit \(NOMINAL\): said in one line, because nothing was announced before/,
  ],
  [
    'a rise at a prompt',
    () => {
      const host = announced(95_000);
      used(host, 120_000);
      prompt(host);
      return host;
    },
    { said: 'full', reason: 'tier-rose', tier: 'WARNING', from: 'LOW' },
    /prompt, 71\.9% of the limit \(WARNING\): said in full, because the tier rose from LOW\.$/,
  ],
  [
    'a rise to LOW, which one line says',
    () => {
      const host = announced(30_000);
      used(host, 95_000);
      expect(prompt(host).context.split('\n')).toHaveLength(1);
      return host;
    },
    { said: 'full', reason: 'tier-rose', tier: 'LOW', from: 'NOMINAL' },
    /\(LOW\): said in one line, because the tier rose from NOMINAL\.$/,
  ],
  [
    'a rise in the middle of a turn',
    () => {
      const host = announced(30_000);
      used(host, 120_000);
      expect(tool(host).context).toContain('WARNING');
      return host;
    },
    { said: 'full', reason: 'tier-rose', event: 'tool', tier: 'WARNING' },
    /tool, 71\.9% of the limit \(WARNING\): said in full/,
  ],
  [
    'prompts at which nothing has changed',
    () => {
      const host = announced(30_000);
      prompt(host);
      prompt(host);
      return host;
    },
    { said: 'line', reason: 'every-prompt', times: 2 },
    /2 times: said in one line, because context_monitor\.emit = "always"/,
  ],
  [
    'a fall of the tier',
    () => {
      const host = announced(118_000);
      used(host, 110_000);
      prompt(host);
      return host;
    },
    { said: 'line', reason: 'tier-changed', tier: 'LOW', from: 'WARNING' },
    /said in one line, because the tier changed from WARNING\.$/,
  ],
  [
    'a window that only the model table calls large',
    () => {
      const host = newHost();
      host.append(request('go'), answer(30_000, { model: 'claude-opus-4-7' }));
      prompt(host);
      host.append(answer(130_000, { id: 'msg_l', model: 'claude-opus-4-7' }));
      tool(host);
      return host;
    },
    { said: 'full', reason: 'window-unconfirmed', event: 'tool' },
    /said in full, because only the model table says that the window is larger than 200,000\.$/,
  ],
  [
    'emit on-change, and no change',
    () => {
      const host = announced(30_000, { [MINE]: '[context_monitor]\nemit = "on-change"\n' });
      expect(prompt(host).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'unchanged' },
    /nothing said, because nothing has changed, and context_monitor\.emit = "on-change"/,
  ],
  [
    'emit off',
    () => announced(120_000, { [MINE]: '[context_monitor]\nemit = "off"\n' }),
    { said: null, reason: 'emit-setting', tier: 'WARNING' },
    /nothing said, because context_monitor\.emit = "off"\.$/,
  ],
  [
    'the monitor switched off',
    () => announced(120_000, { [MINE]: '[context_monitor]\nenabled = false\n' }),
    { said: null, reason: 'monitor-off' },
    /nothing said, because context_monitor\.enabled = false\.$/,
  ],
  [
    'a notice of the client',
    () => {
      const host = announced(30_000);
      expect(prompt(host, { prompt: '<task-notification>done</task-notification>' }).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'client-notice' },
    /nothing said, because the client itself wrote this prompt/,
  ],
  [
    'a tool below LOW',
    () => {
      const host = announced(30_000);
      for (let times = 0; times < 3; times++) tool(host);
      return host;
    },
    { said: null, reason: 'below-lowest-tier', event: 'tool', times: 3 },
    /tool, 18% of the limit \(NOMINAL\), 3 times: nothing said, because the usage is below LOW/,
  ],
  [
    'a tool at a tier that was said before',
    () => {
      const host = announced(120_000);
      expect(tool(host).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'already-said', tier: 'WARNING' },
    /nothing said, because this tier, or a higher one, was announced before/,
  ],
  [
    'a tool of a subagent',
    () => {
      const host = announced(30_000);
      used(host, 120_000);
      expect(tool(host, { agent_id: 'a1' }).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'subagent', tier: null },
    /tool: nothing said, because the tool ran in a subagent/,
  ],
  [
    'no answer yet',
    () => {
      const host = newHost();
      host.append(request('go'));
      prompt(host);
      return host;
    },
    { said: null, reason: 'usage-unknown', tier: null },
    /nothing said, because the transcript shows no token counts yet\.$/,
  ],
  [
    'an estimate after a compaction',
    () => {
      const host = newHost({ files: { [MINE]: '[context_monitor]\nlow_threshold = 0.1\n' } });
      host.append(request('go'), answer(20_000));
      used(host, 160_000);
      prompt(host);
      host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
      host.fire('SessionStart', { source: 'compact' });
      host.append(boundary(), summary());
      tool(host);
      return host;
    },
    { said: null, reason: 'estimate' },
    /nothing said, because the usage is an estimate until the next answer\.$/,
  ],
  [
    'a usage past the threshold',
    () => {
      const host = announced(30_000);
      used(host, 168_000);
      expect(tool(host).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'compaction-due', tier: 'EMERGENCY' },
    /nothing said, because the client compacts before its next request/,
  ],
  [
    'a session that was switched off',
    () => {
      const host = announced(30_000);
      expect(run(host, 'off', '--session', SESSION).code).toBe(0);
      expect(prompt(host).stdout).toBe('');
      return host;
    },
    { said: null, reason: 'off' },
    /nothing said, because Plimsoll is off\.$/,
  ],
];

test.each(rows)('%s is explained, and status shows it', (_, happen, decision, sentence) => {
  const host = happen();
  const found = last(host);
  expect(found).toMatchObject(decision);
  expect(found?.text).toMatch(sentence);
  expect(run(host, 'explain', '--session', SESSION).stdout).toContain(found?.text ?? 'no decision');
  const { stdout } = run(host, 'status', '--transcript', host.transcript);
  expect(stdout).toContain(`Announced     ${found?.text}`);
  const status = JSON.parse(run(host, 'status', '--transcript', host.transcript, '--json').stdout) as {
    announcement: { said: string | null; reason: string };
  };
  expect(status.announcement).toMatchObject({ said: found?.said, reason: found?.reason });
});
