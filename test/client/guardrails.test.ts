// Tests guardrails on the real client: what is refused, what asks, and what the user's own permissions decide.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, plimsoll, protectedSandbox } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { bash, main, standard } from './said.ts';

const CONFIG = '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n';

test('a forbidden write is denied with its reason, the file is untouched, and what is free goes on', async () => {
  const sandbox = await protectedSandbox({
    script: {
      main: [
        { tools: [bash('echo changed > dist/a.js')], fill: 30_000 },
        { tools: [bash('echo free > src.txt')], fill: 30_100 },
        { text: 'done', fill: 30_200 },
      ],
    },
    files: { '.plimsoll/config.toml': CONFIG, 'dist/a.js': 'as it was\n' },
  });
  onTestFinished(() => sandbox.close());
  const talk = openSession(sandbox, standard);
  await talk.say('work');
  await talk.end();
  expect(readFileSync(path.join(sandbox.projectDir, 'dist/a.js'), 'utf8')).toBe('as it was\n');
  expect(readFileSync(path.join(sandbox.projectDir, 'src.txt'), 'utf8')).toBe('free\n');
  const [, second] = main(sandbox);
  expect(second && textOf(second)).toMatch(/Plimsoll: Writing dist\/a\.js .*guardrails\.paths\.protected/);
  const { stdout } = plimsoll(sandbox, 'events', '--type', 'GuardrailViolated', '--count');
  expect(stdout.trim()).toBe('1');
});

test('an edit of what governs the agent asks the person, whatever is allowed otherwise', async () => {
  if (!hasTmux()) return notRun('a question of the guardrails in a terminal', 'no tmux in PATH');
  const write = (file_path: string) => ({ name: 'Write', input: { file_path, content: 'changed\n' } });
  const sandbox = await protectedSandbox({
    script: {
      main: [
        { tools: [write('docs/free.md')], fill: 30_000 },
        { tools: [write('docs/governance/RULES.md')], fill: 30_100 },
        { text: 'done', fill: 30_200 },
      ],
    },
    files: { '.plimsoll/config.toml': CONFIG },
  });
  onTestFinished(() => sandbox.close());
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('work');
  await terminal.waitFor(/Do you want to create RULES\.md\?/);
  // The user allows writing: the file before was written without a question.
  expect(existsSync(path.join(sandbox.projectDir, 'docs/free.md'))).toBe(true);
  expect(existsSync(path.join(sandbox.projectDir, 'docs/governance/RULES.md'))).toBe(false);
});

test('a guarded file that a script has changed is told of in the answer of that very command, once, and may be put back', async () => {
  const files = {
    '.plimsoll/config.toml': CONFIG.replace('dist/', 'gen/'),
    'gen/a.js': 'as it was\n',
    'tools/build.cjs': "require('node:fs').writeFileSync('gen/a.js', 'changed\\n');\n",
  };
  const sandbox = await protectedSandbox({
    git: true,
    script: {
      main: [
        { tools: [bash('node tools/build.cjs')], fill: 30_000 },
        { tools: [bash('git restore gen/a.js')], fill: 30_100 },
        { text: 'done', fill: 30_200 },
      ],
    },
    files,
  });
  onTestFinished(() => sandbox.close());
  const talk = openSession(sandbox, standard);
  await talk.say('work');
  await talk.end();
  const [first, second, third] = main(sandbox);
  expect(second && textOf(second)).toContain('while `node tools/build.cjs` ran, and no other command, files');
  // What it did to the file may be undone.
  expect(readFileSync(path.join(sandbox.projectDir, 'gen/a.js'), 'utf8')).toBe('as it was\n');
  const TOLD = 'gen/a.js is changed, and';
  expect([first, second, third].map((each) => each && countIn(each, TOLD))).toEqual([0, 1, 1]);
  const { stdout } = plimsoll(sandbox, 'events', '--type', 'GuardrailViolated', '--count');
  expect(stdout.trim()).toBe('1');
  expect(failures(sandbox)).toEqual([]);
});
