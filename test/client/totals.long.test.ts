// Measures how much the model gets of us at once, with every layer on and everything long, on its own requests.
import Tokenizer from 'ai-tokenizer';
import * as claude from 'ai-tokenizer/encoding/claude';
import { expect, onTestFinished, test } from 'vitest';
import { BUDGETS } from '../../src/text/budget.ts';
import { openSession } from '../kit/client.ts';
import { failures, MINE, protectedSandbox, unregister } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { bash, main, SMALL, standard } from './said.ts';

const tokenizer = new Tokenizer(claude);
const tokensOf = (text: string): number => tokenizer.encode(text).length;

const LONG = 'some words of a long text that goes on '.repeat(25).trim();
const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('');
const FILES = {
  [MINE]:
    '[resume]\nheadless = true\n\n[context_monitor]\nsensitivity = "C4"\n\n[guardrails]\nmode = "enforce"\n',
  '.plimsoll/quality.md': many(200, (n) => `- ${n}: ${LONG.slice(0, 80)}\n`),
  '.plimsoll/rules/all.md': many(
    60,
    (n) => `<!-- L2-REINJECT: rank=${n}, content="Rule ${n}: ${LONG.slice(0, 60)}" -->\n`,
  ),
  'ORCHESTRATION.yaml': `workflow:
  id: a-workflow-with-a-long-name
  status: ACTIVE
resumption:
  updated_at: "${new Date().toISOString()}"
  current_phase: 2
  current_phase_name: "${LONG.slice(0, 60)}"
  next_step: "${LONG}"
  decisions:
${many(30, (n) => `    - id: RD-${n}\n      decision: "${LONG}"\n      applied: false\n`)}  agent_summaries:
${many(30, (n) => `    agent-${n}: "${LONG}"\n`)}`,
};

interface Said {
  event: string;
  text: string;
}
/** What hooks of ours added, as the client stored it, in order, of one session. */
const saidIn = (sandbox: Sandbox, transcript: string | undefined): Said[] =>
  sandbox.transcriptLines(transcript).flatMap(({ attachment }) => {
    const { type, hookEvent, content } = (attachment ?? {}) as Record<string, unknown>;
    if (type !== 'hook_additional_context') return [];
    return [{ event: String(hookEvent), text: [content].flat().join('\n\n') }];
  });

/** Each was received by the model word for word, and costs at most what its moment may cost. */
function expectWithin(sandbox: Sandbox, all: readonly Said[], event: string, most: number): string[] {
  const own = all.filter((each) => each.event === event).map(({ text }) => text);
  expect(own.length).toBeGreaterThan(0);
  for (const text of own) {
    expect(main(sandbox).some((request) => textOf(request).includes(text))).toBe(true);
    expect(tokensOf(text), text).toBeLessThanOrEqual(most);
  }
  return own;
}
const tagsIn = (text = ''): string[] => [...text.matchAll(/^<([a-z-]+)>/gm)].map(([, name]) => name ?? '');

async function sandboxWith(fills: readonly number[]): Promise<Sandbox> {
  const sandbox = await protectedSandbox({
    git: true,
    env: SMALL,
    files: FILES,
    script: {
      main: fills.map((fill, n) =>
        n % 2 === 0 ? { text: LONG, tools: [bash(`echo ${n}`)], fill } : { text: LONG, fill },
      ),
    },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('a start with quality rules, project and the whole resumption costs at most 2,300 tokens', async () => {
  const sandbox = await sandboxWith([30_000, 31_000, 32_000, 33_000, 30_000, 31_000]);
  const first = openSession(sandbox, standard);
  await first.say(`one ${LONG}`);
  await first.say(`two ${LONG}`);
  await first.end();
  const second = openSession(sandbox, standard);
  await second.say('go on');
  await second.end();
  const all = saidIn(sandbox, sandbox.transcripts().at(-1));
  const [start] = expectWithin(sandbox, all, 'SessionStart', BUDGETS.start);
  expect(tagsIn(start).sort()).toEqual(['project-context', 'quality-context', 'resumption-context']);
  // Everything is as long as it may be: the ceiling is what holds it.
  expect(tokensOf(start ?? '')).toBeGreaterThan(1_200);
  expectWithin(sandbox, all, 'UserPromptSubmit', BUDGETS.prompt);
  expect(failures(sandbox)).toEqual([]);
});

test('a prompt costs at most 1,300 tokens: at EMERGENCY with all rules, and where an alert is owed', async () => {
  const sandbox = await sandboxWith([90_000, 105_000, 105_500, 106_000, 40_000, 104_000, 105_000, 106_000]);
  // The alert of a compaction is left to the prompt after it.
  unregister(sandbox, 'SessionStart');
  const talk = openSession(sandbox, standard);
  await talk.say(`one ${LONG}`);
  await talk.say(`two ${LONG}`);
  await talk.say('/compact');
  await talk.say(`three ${LONG}`);
  await talk.say(`four ${LONG}`);
  await talk.end();
  const all = saidIn(sandbox, sandbox.transcripts().at(-1));
  const prompts = expectWithin(sandbox, all, 'UserPromptSubmit', BUDGETS.prompt);
  const [, emergency, owed, later] = prompts;
  for (const text of [emergency, later]) {
    expect(text).toContain('CONTEXT STATUS: EMERGENCY');
    expect(tagsIn(text)).toEqual(['context-monitor', 'quality-reinforcement']);
    expect(tokensOf(text ?? '')).toBeGreaterThan(500);
  }
  expect(tagsIn(owed)[0]).toBe('compaction-alert');
  expect(tagsIn(owed)).toContain('context-monitor');
  expect(failures(sandbox)).toEqual([]);
});
