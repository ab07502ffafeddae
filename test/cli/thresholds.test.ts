// Tests that the tiers are named with the figures that count, and with who set them.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]) =>
  plimsoll({ env: host.env, projectDir: host.project }, 'thresholds', ...args);
interface Data {
  used_tokens: number | null;
  effective_limit: number;
  window: { tokens: number; source: string };
  sensitivity: { value: string; set_by: string };
  tiers: {
    tier: string;
    tokens: number | null;
    distance: number | null;
    condition: string | null;
    set_by: string | null;
  }[];
}
const dataOf = (host: Host, ...args: string[]): Data =>
  JSON.parse(run(host, '--json', ...args).stdout) as Data;
const tokensOf = (data: Data): (number | null)[] => data.tiers.map((each) => each.tokens);

test('every tier in tokens, its share, its distance, and who set it', () => {
  const host = newHost();
  host.append(request('go'), answer(95_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  writeFileSync(host.shared('config.toml'), '[context_monitor]\ncritical_threshold = 0.78\n');
  host.env.PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD = '0.72';
  const data = dataOf(host, '--transcript', host.transcript);
  expect(data).toMatchObject({
    used_tokens: 95_000,
    effective_limit: 167_000,
    sensitivity: { value: 'C2', set_by: 'default' },
  });
  expect(data.tiers).toEqual([
    expect.objectContaining({ tier: 'NOMINAL', tokens: 0, set_by: null, condition: null }),
    expect.objectContaining({
      tier: 'LOW',
      tokens: 91_850,
      distance: -3_150,
      set_by: 'preset C2, default',
      condition: '55% of 167,000',
    }),
    expect.objectContaining({
      tier: 'WARNING',
      tokens: 120_240,
      distance: 25_240,
      set_by: 'PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD',
    }),
    expect.objectContaining({ tier: 'CRITICAL', tokens: 130_260, set_by: '.plimsoll/config.toml' }),
    expect.objectContaining({ tier: 'EMERGENCY', tokens: 146_960, set_by: 'preset C2, default' }),
  ]);
  const { stdout } = run(host, '--transcript', host.transcript);
  expect(stdout).toMatch(
    /^Window +200,000 \(from the model table\)\nAuto-compact +at about 167,000 \(assumed/,
  );
  expect(stdout).toMatch(/\nNow +95,000, LOW\n/);
  expect(stdout).toMatch(/\nLOW +91,850 +55% +45\.9% +reached +55% of 167,000 +preset C2, default\n/);
  expect(stdout).toMatch(
    /\nCRITICAL +130,260 +78% +65\.1% +in 35,260 +78% of 167,000 +\.plimsoll\/config\.toml\n/,
  );
});

test('another window and another sensitivity can be tried; on a large window the headroom counts as well', () => {
  const host = newHost();
  expect(tokensOf(dataOf(host))).toEqual([0, 91_850, 116_900, 133_600, 146_960]);
  expect(tokensOf(dataOf(host, '--sensitivity', 'c4'))).toEqual([0, 58_450, 83_500, 108_550, 130_260]);
  const large = dataOf(host, '--window', '1,000,000');
  expect(large.window).toMatchObject({ tokens: 1_000_000, source: 'config' });
  expect(run(host, '--window', '1,000,000').stdout).toMatch(/^Window +1,000,000 \(tried here\)\n/);
  expect(tokensOf(large)).toEqual([0, 531_850, 851_000, 909_000, 938_000]);
  expect(large.tiers[2]?.condition).toBe('70% of 967,000, and at most 116,000 left');
  host.env.PLIMSOLL_CONTEXT_MONITOR__MODE = 'dynamic';
  const dynamic = dataOf(host);
  expect(tokensOf(dynamic)).toEqual([0, 91_850, 109_001, 138_001, 152_501]);
  expect(dynamic.tiers[3]).toMatchObject({
    condition: 'less than 29,000 left',
    set_by: 'context_monitor.mode, PLIMSOLL_CONTEXT_MONITOR__MODE',
  });
});

test('without a session it tells the tiers all the same; what it does not understand it says', () => {
  const host = newHost();
  expect(run(host).stdout).toMatch(/\nNow +no session here\n/);
  const rows: [string[], number, RegExp][] = [
    [
      ['--window', 'large'],
      2,
      /--window "large" is not a whole number from 10,000 to 10,000,000\n {2}Next: e\.g\. plimsoll thresholds --window/,
    ],
    [['--sensitivity', 'C9'], 2, /--sensitivity "C9"/],
    [['--session', 'nobody'], 1, /No transcript of session "nobody"/],
  ];
  for (const [args, code, said] of rows) {
    const result = run(host, ...args);
    expect([args, result.code]).toEqual([args, code]);
    expect(result.stderr).toMatch(said);
  }
});

test('without a session the criticality of the active workflow counts as well', () => {
  const workflow = (status: string): string =>
    `workflow:\n  id: w-1\n  status: ${status}\n  criticality: C4\nresumption:\n  updated_at: 2026-11-27T10:00:00Z\n`;
  const host = newHost({ files: { 'ORCHESTRATION.yaml': workflow('ACTIVE') } });
  expect(dataOf(host).sensitivity).toEqual({ value: 'C4', set_by: 'criticality of the workflow' });
  writeFileSync(`${host.project}/ORCHESTRATION.yaml`, workflow('COMPLETE'));
  expect(dataOf(host).sensitivity).toEqual({ value: 'C2', set_by: 'default' });
});
