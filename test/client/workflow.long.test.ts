// Tests what hooks do for a workflow on the real client, if configured: agents offered, compactions entered.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseOrchestration } from '../../src/addons/orchestration/orchestration-file.io.ts';
import { openSession } from '../kit/client.ts';
import { plimsoll, protectedSandbox } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import { main, SMALL, standard } from './said.ts';

test('an agent that finished is offered to the main session once, and a compaction stands in the file', async () => {
  const task = { description: 'check', prompt: 'check the headers', subagent_type: 'general-purpose' };
  const sandbox = await protectedSandbox({
    env: SMALL,
    script: {
      main: [
        { text: 'ready', fill: 30_000 },
        { tools: [{ name: 'Agent', input: { ...task, run_in_background: false } }], fill: 40_000 },
        { tools: [{ name: 'Bash', input: { command: 'true' } }], fill: 41_000 },
        { text: 'noted', fill: 120_000 },
        { text: 'compacted before this', fill: 40_000 },
      ],
      agent: [{ text: 'PASS. 403 files have headers.', fill: 9_000 }],
    },
    files: {
      '.plimsoll/config.toml': '[state]\noffer_agent_done = true\nauto_merge = true\n',
      'ORCHESTRATION.yaml': '# ours\nworkflow:\n  id: "w"\n  status: "ACTIVE"\n',
    },
  });
  onTestFinished(() => sandbox.close());
  expect(plimsoll(sandbox, 'state', 'init').code).toBe(0);

  const talk = openSession(sandbox, standard);
  await talk.say('begin');
  await talk.say('send an agent');
  await talk.say('go on');
  await talk.end();

  const requests = main(sandbox);
  const offers = requests.filter((each) => textOf(each).includes('An agent has finished:'));
  expect(offers.length).toBeGreaterThan(0);
  const [offer] = offers;
  expect(offer && textOf(offer)).toMatch(
    /- general-purpose \("PASS\. 403 files have headers\."\)\nOne line for .*: plimsoll state agent done general-purpose/,
  );
  // Later requests carry it along as history; nothing says it again.
  for (const each of requests) expect(countIn(each, 'An agent has finished:')).toBeLessThanOrEqual(1);

  const text = readFileSync(path.join(sandbox.projectDir, 'ORCHESTRATION.yaml'), 'utf8');
  const { top, faults } = parseOrchestration(text);
  expect(faults).toEqual([]);
  expect(text.startsWith('# ours\n')).toBe(true);
  expect(top.resumption).toMatchObject({ compaction_events: { count: 1, events: [{ trigger: 'auto' }] } });
});
