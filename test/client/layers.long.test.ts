// Tests the layers of rules on the real client: at a start, at prompts, and at the end of a turn that is held.
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { protectedSandbox } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { main, SMALL, standard } from './said.ts';

const RULES = '<!-- L2-REINJECT: rank=1, content="Scores below 0.92 are revised." -->\n';

test('the model gets quality rules and project once at the start, the marked rules at every prompt', async () => {
  const sandbox = await protectedSandbox({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 31_000 },
      ],
    },
    files: { '.plimsoll/quality.md': '- Target 0.92\n', 'CLAUDE.md': RULES },
  });
  onTestFinished(() => sandbox.close());
  const talk = openSession(sandbox, standard);
  await talk.say('first');
  await talk.say('second');
  await talk.end();
  const [first, second] = main(sandbox);
  expect(
    first &&
      countIn(
        first,
        "own rules (from .plimsoll/quality.md), not the user's words:\n> - Target 0.92\n</quality-context>",
      ),
  ).toBe(1);
  expect(first && countIn(first, '<project-context>')).toBe(1);
  expect(
    first &&
      countIn(
        first,
        "<quality-reinforcement>\nThe project's own rules, not the user's words:\n> Scores below 0.92 are revised.",
      ),
  ).toBe(1);
  expect(second && countIn(second, '<quality-context>')).toBe(1);
  expect(second && countIn(second, '<quality-reinforcement>')).toBe(2);
});

test('a turn at CRITICAL is held once in a session of a person, and the model is told why', async () => {
  if (!hasTmux()) return notRun('a held turn in a terminal', 'no tmux in PATH');
  const sandbox = await protectedSandbox({
    env: SMALL,
    script: {
      main: [
        { tools: [{ name: 'Bash', input: { command: 'sleep 0.4', description: 'a step' } }], fill: 100_000 },
        { tools: [{ name: 'Bash', input: { command: 'sleep 0.4', description: 'a step' } }], fill: 100_300 },
        { text: 'done', fill: 100_500 },
        { text: 'the section is current', fill: 100_900 },
        { text: 'more', fill: 101_000 },
      ],
    },
    files: {
      '.plimsoll/config.toml': '[orchestration]\nhold_stop = true\n',
      'ORCHESTRATION.yaml':
        'workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  updated_at: "2026-01-01T00:00:00Z"\n',
    },
  });
  onTestFinished(() => sandbox.close());
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('work');
  await terminal.waitFor(/the section is current/);
  const held = main(sandbox).filter((each) => countIn(each, 'This is asked once.') > 0);
  expect(held.length).toBe(1);
  expect(held[0] && textOf(held[0])).toMatch(
    /The context is at CRITICAL, and the resumption section of ORCHESTRATION\.yaml/,
  );
  await terminal.type('more');
  await terminal.waitFor(/● more/);
  // The second turn ends by itself: nothing is asked again.
  expect(main(sandbox)).toHaveLength(5);
});
