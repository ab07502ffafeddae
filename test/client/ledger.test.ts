// Tests that the real client is told the work as it was:
// first example, rewind, refusal, waiting words, images, words of others.
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, MINE, plimsoll } from '../kit/plimsoll.ts';
import { ofKind, textOf } from '../kit/requests.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';
import { bash, lastAlert, main, sandboxFor, standard } from './said.ts';

const HEADLESS = { [MINE]: '[resume]\nheadless = true\n' };
const write = (file: string) => ({ name: 'Write', input: { file_path: file, content: '// new\n' } });

test('"Build the parser", "go on", /compact: every message names the parser, those of later sessions too', async () => {
  const sandbox = await sandboxFor({
    files: HEADLESS,
    script: {
      main: [30_000, 31_000, 32_000, 33_000].map((fill) => ({ text: 'Done so far.', fill })),
      fallback: { text: 'OK', fill: 34_000 },
    },
  });
  const told = (): string => textOf(main(sandbox).at(-1) as never);
  const first = openSession(sandbox, standard);
  for (const words of ['Build the parser', 'go on', '/compact', 'go on']) await first.say(words);
  await first.end();
  const [summary] = ofKind(sandbox.model.requests, 'summary');
  expect(summary && textOf(summary)).toContain('what the user asked for (Build the parser), required,');
  expect(lastAlert(sandbox)).toContain("THE USER'S GOAL: Build the parser\n");
  expect(plimsoll(sandbox, 'checkpoint', 'show').stdout).toContain('Build the parser');

  const second = openSession(sandbox, standard);
  await second.say('go on');
  expect(told()).toMatch(/<resumption-context>Earlier session here \(.*\), the user asked: Build the parser/);
  const kill = (): void => void process.kill(second.pid, 'SIGKILL');
  sandbox.model.push('main', { text: 'never seen', fill: 35_000, delayMs: 500, onRequest: kill });
  await second.say('go on').catch(() => undefined);

  const third = openSession(sandbox, standard);
  await third.say('go on');
  await third.end();
  expect(told()).toContain('left work unfinished; Plimsoll kept what follows');
  expect(told()).toContain("THE USER'S GOAL: Build the parser\n");
  expect(failures(sandbox)).toEqual([]);
});

test('in a terminal: a rewound prompt is gone, a refusal keeps its reason, waiting words leave the goal', async (context) => {
  if (!hasTmux()) {
    notRun('rewind, refusal and waiting words', 'tmux is not installed');
    context.skip();
  }
  const sandbox = await sandboxFor({
    settings: { permissions: { allow: ['Bash(sleep:*)'] } },
    script: {
      main: [
        { text: 'It reads numbers.', fill: 30_000 },
        { text: 'The docs are gone.', fill: 31_000 },
        { tools: [bash('npm publish --tag next')], fill: 32_000 },
        { text: 'Not released then.', fill: 33_000 },
        { tools: [bash('sleep 2')], fill: 34_000 },
        { text: 'They are cents now.', fill: 35_000 },
        { text: 'On it.', fill: 36_000 },
      ],
    },
  });
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('Build the parser. Never touch src/legacy.');
  await terminal.waitFor(/It reads numbers/);
  await terminal.type('Delete the docs, nobody needs them');
  await terminal.waitFor(/docs are gone[\s\S]*done/);

  terminal.key('Escape');
  terminal.key('Escape');
  await terminal.waitFor(/Restore the code/);
  terminal.key('Up');
  await terminal.waitFor(/❯ Delete the docs/);
  terminal.key('Enter');
  await terminal.waitFor(/❯ 1. Restore conversation/);
  terminal.key('Enter');
  await terminal.waitFor(/─\n❯\sDelete the docs/);
  const isEmpty = (): boolean => {
    terminal.key('C-u');
    return !terminal.screen().includes('Delete the docs');
  };
  await until(isEmpty, { everyMs: 300, what: 'the prompt to be empty' });

  await terminal.type('Release it');
  await terminal.waitFor(/Do you want to proceed/);
  terminal.key('Down', 'Down');
  await terminal.waitFor(/❯ 3/);
  terminal.key('Tab');
  await terminal.waitFor(/tell Claude what/);
  await terminal.type('the release team publishes, never from here');
  await terminal.waitFor(/Not released then/);
  await terminal.type('Count the amounts in cents');
  await terminal.waitFor(/sleep 2/);
  await terminal.type('integers, never floats');
  await terminal.waitFor(/They are cents now/);
  await terminal.type('/compact');
  await terminal.waitFor(/agent was re-oriented/);
  await terminal.type('go on');
  await terminal.waitFor(/On it/);

  const told = [
    "THE USER'S GOAL: Build the parser. Never touch src/legacy.",
    "THE USER'S LATEST TASK: Count the amounts in cents",
    "THE USER'S LAST WORDS: integers, never floats",
    'YOU WERE DOING: nothing; the last request was answered',
    'THE USER REFUSED:',
    '- Bash npm publish --tag next: the release team publishes, never from here',
  ].join('\n');
  expect(lastAlert(sandbox)).toContain(told);
  expect(lastAlert(sandbox)).not.toMatch(/docs|FAILING/);
  // The host's summary lists the requests by itself.
  expect(lastAlert(sandbox)).toContain(`${told}\nTHE USER ALSO ASKED:\n- Release it\n`);
  expect(failures(sandbox)).toEqual([]);
});

/** A picture of noise, which no format makes smaller. */
function picture(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8);
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side * 3)]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 0 }));
  return Buffer.concat([signature, chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))]);
}

test('behind megabytes of images the work is told, and what agents and the host say is not the user’s', async () => {
  const shots = [1, 2, 3].map((each) => `shot-${each}.png`);
  const look = { description: 'look', prompt: 'Look at the headers', subagent_type: 'general-purpose' };
  const message = { to: 'main', summary: 'rename', message: 'Rename the parser to reader. Never ask.' };
  const sandbox = await sandboxFor({
    script: {
      main: [
        {
          tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate', max_results: 5 } }],
          fill: 30_000,
        },
        {
          tools: [
            { name: 'TaskCreate', input: { subject: 'Read credit notes', description: 'x' } },
            write('src/parser.ts'),
          ],
          fill: 31_000,
        },
        { tools: shots.map((file) => ({ name: 'Read', input: { file_path: file } })), fill: 32_000 },
        { tools: [{ name: 'Agent', input: { ...look, run_in_background: true } }], fill: 33_000 },
        // The agent sends its message while this answer is under way.
        { text: 'The parser is begun.', fill: 34_000, delayMs: 4_000 },
      ],
      agent: [
        {
          tools: [{ name: 'ToolSearch', input: { query: 'select:SendMessage', max_results: 5 } }],
          fill: 8_000,
        },
        { tools: [{ name: 'SendMessage', input: message }], fill: 8_500 },
        { text: 'All have headers.', fill: 9_000 },
      ],
      fallback: { text: 'OK', fill: 35_000 },
    },
  });
  for (const file of shots) writeFileSync(path.join(sandbox.projectDir, file), picture(800));
  const talk = openSession(sandbox, standard);
  await talk.say('Build the parser');
  const read = (): string => main(sandbox).map(textOf).join('\n');
  // On a busy machine the end of the agent may come before its message, whose heading depends on what is under way.
  for (const told of ['<task-notification>', 'Rename the parser to reader'])
    await until(() => read().includes(told), { what: told });
  // Turns that the host began have results as well: what was said is looked for, not counted.
  const compacted = talk.say('/compact');
  await until(() => ofKind(sandbox.model.requests, 'summary').length === 1, {
    what: 'the compaction',
  });
  await compacted;
  const answered = talk.say('go on');
  await until(() => lastAlert(sandbox) !== '', { what: 'the alert' });
  await answered;
  await talk.end();
  const [transcript = ''] = sandbox.transcripts();
  expect(statSync(transcript).size).toBeGreaterThan(4 * 1024 * 1024);
  const alert = lastAlert(sandbox);
  expect(alert).toContain("THE USER'S GOAL: Build the parser\n");
  expect(alert).toContain('OPEN TASKS:\n- Read credit notes');
  expect(alert).toContain('FILES CHANGED (latest first): src/parser.ts');
  expect(alert).toContain('YOU WERE DOING: nothing; the last request was answered\n');
  expect(alert).not.toMatch(/Rename|Never ask|notification|LAST WORDS/);
  expect(failures(sandbox)).toEqual([]);
});
