// Tests that status and doctor tell what truly happened in a session of the real client.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { SMALL, sandboxFor, standard } from './said.ts';

const json = <T>(sandbox: Sandbox, ...args: string[]): T =>
  JSON.parse(plimsoll(sandbox, ...args, '--json').stdout) as T;

interface Status {
  compaction_history: {
    number: number;
    trigger: string;
    tokens_before: number;
    tokens_after: number;
    told: boolean;
  }[];
  injected: { times: number; by_tag: Record<string, { times: number; tokens: number }> } | null;
}

test('status after a compaction: its fills, its checkpoint, and what was said by tag', async () => {
  const fills = [40_000, 118_000, 41_000, 42_000];
  const sandbox = await sandboxFor({
    env: SMALL,
    script: { main: fills.map((fill, index) => ({ text: `answer ${index}`, fill })) },
  });
  const talk = openSession(sandbox, standard);
  for (const index of fills.keys()) await talk.say(`TASK-${index}`);
  await talk.end();
  const { compaction_history, injected } = json<Status>(sandbox, 'status');
  expect(compaction_history).toMatchObject([
    { number: 1, trigger: 'auto', tokens_after: 41_000, told: true },
  ]);
  // The client's own count: the last usage, and what it estimates of the messages after it.
  expect(compaction_history[0]?.tokens_before).toBeGreaterThanOrEqual(118_000);
  expect(compaction_history[0]?.tokens_before).toBeLessThan(118_500);
  expect(Object.keys(injected?.by_tag ?? {}).sort()).toEqual(['compaction-alert', 'context-monitor']);
  expect(injected?.by_tag['compaction-alert']?.times).toBe(1);
  expect(injected?.by_tag['compaction-alert']?.tokens).toBeLessThanOrEqual(500);
  // At every prompt but the first, before which there is no usage, and the one that the compaction comes before.
  expect(injected?.by_tag['context-monitor']?.times).toBe(fills.length - 2);
  const findings = json<{ findings: { level: string; finding: string }[] }>(sandbox, 'doctor').findings;
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
});

test('doctor finds that a hook ran out of its time, as the client notes it', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 31_000 },
      ],
    },
  });
  const file = path.join(sandbox.projectDir, '.claude', 'settings.local.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
  };
  const hook = settings.hooks.UserPromptSubmit?.[0]?.hooks[0];
  if (!hook) throw new Error('no hook to slow down');
  hook.command = `sleep 3; ${hook.command}`;
  hook.timeout = 1;
  writeFileSync(file, JSON.stringify(settings));
  const talk = openSession(sandbox, standard);
  await talk.say('one');
  await talk.say('two');
  await talk.end();
  const { findings } = json<{ findings: { level: string; finding: string }[] }>(sandbox, 'doctor');
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: 'error',
      finding: expect.stringMatching(/^UserPromptSubmit ran out of its time, and what it said is lost/),
    }),
  );
});
