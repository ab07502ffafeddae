// Tests that the client's own status line shows the right figures at every moment, below another one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notRun } from '../kit/not-run.ts';
import { failures, plimsoll } from '../kit/plimsoll.ts';
import { createSandbox } from '../kit/sandbox.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { bash, SMALL, standard } from './said.ts';

/** A status line as people have one: it reads its input, has colours, quotes and two lines. */
const THEIRS = `node -e 'let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>{const p=JSON.parse(t);console.log("\\u001b[35m["+p.model.display_name+"]\\u001b[0m "+p.context_window.used_percentage+"%\\nit'"'"'s mine")})'`;

test('after each answer, in a turn, after /compact and after /model; and another one keeps its text', async (context) => {
  if (!hasTmux()) {
    notRun('the status line of the interactive client', 'tmux is not installed');
    context.skip();
  }
  const statusLine = { type: 'command', command: THEIRS, padding: 1 };
  const sandbox = await createSandbox({
    settings: { permissions: { allow: ['Bash'] } },
    localSettings: { statusLine },
    script: {
      main: [
        { text: 'one', fill: 30_000 },
        { text: 'a step', tools: [bash('sleep 2')], fill: 60_000 },
        { text: 'two', fill: 120_000 },
        { text: 'three', fill: 45_000 },
        { text: 'four', fill: 50_000 },
      ],
    },
  });
  onTestFinished(() => sandbox.close());
  const { stdout } = plimsoll(sandbox, 'init', '--yes', '--statusline', '--client-version', '2.1.332');
  expect(stdout).toContain('is on for this project');

  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  /** Theirs and ours as they stand below the prompt: ours may be ahead for a frame, for it reads the transcript. */
  const shows = async (theirs: string, ours: RegExp): Promise<void> => {
    const literal = theirs.replace(/[[\].]/g, '\\$&');
    await terminal.waitFor(new RegExp(`^ *${literal} *\\n *it's mine *\\n${ours.source}`, 'm'));
  };

  await shows('[Sonnet 4.5] null%', /^ *Sonnet 4\.5 usage unknown/m);
  await terminal.type('first');
  await shows('[Sonnet 4.5] 15%', /^ *Sonnet 4\.5 █░{9} 17% of ~167k NOMINAL · 137k left · 0 compactions/m);
  await terminal.type('second');
  await shows('[Sonnet 4.5] 30%', /^ *Sonnet 4\.5 ███░{7} 35% of ~167k NOMINAL · 107k left/m);
  await shows('[Sonnet 4.5] 60%', /^ *Sonnet 4\.5 ███████░░░ 71% of ~167k WARNING · 47k left/m);
  await terminal.type('/compact');
  await shows(
    '[Sonnet 4.5] 0%',
    /^ *Sonnet 4\.5 ██░{8} ~23% of ~167k \(estimate\) NOMINAL · ~127k left · 1 compaction · cx-00\d just now/m,
  );
  await terminal.type('third');
  await shows('[Sonnet 4.5] 23%', /^ *Sonnet 4\.5 ██░{8} 26% of ~167k NOMINAL · 122k left · 1 compaction/m);
  await terminal.type('/model opus');
  await terminal.waitFor(/Yes, switch to Opus/);
  terminal.key('Enter');
  await terminal.waitFor(/^ *Opus [\d.]+ ░{10} 4% of ~967k NOMINAL · 922k left · 1 compaction/m);
  await terminal.type('fourth');
  await terminal.waitFor(/^ *Opus [\d.]+ ░{10} 5% of ~967k NOMINAL · 917k left · 1 compaction/m);
  expect(failures(sandbox)).toEqual([]);

  await terminal.close();
  plimsoll(sandbox, 'uninstall', '--yes');
  const settings = path.join(sandbox.projectDir, '.claude', 'settings.local.json');
  expect(readFileSync(settings, 'utf8')).toBe(`${JSON.stringify({ statusLine }, null, 2)}\n`);
});

test('a compaction in the middle of a turn: what the client goes on saying of before is not shown', async (context) => {
  if (!hasTmux()) {
    notRun('the status line of the interactive client', 'tmux is not installed');
    context.skip();
  }
  const sandbox = await createSandbox({
    env: SMALL,
    settings: { permissions: { allow: ['Bash'] } },
    script: {
      main: [
        { text: 'one', fill: 30_000 },
        { text: 'a step', tools: [bash('sleep 1')], fill: 60_000 },
        { text: 'a large step', tools: [bash('sleep 2')], fill: 118_000 },
        { text: 'a step after it', tools: [bash('sleep 2')], fill: 41_000, delayMs: 3_000 },
        { text: 'done', fill: 44_000 },
      ],
    },
  });
  onTestFinished(() => sandbox.close());
  plimsoll(sandbox, 'init', '--yes', '--statusline', '--client-version', '2.1.332');
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/^ *Sonnet 4\.5 usage unknown/m);
  await terminal.type('first');
  await terminal.waitFor(/ 25% of 117k NOMINAL · 87k left · 0 compactions/);
  await terminal.type('second');
  await terminal.waitFor(/ 51% of 117k NOMINAL · 57k left/);
  await terminal.waitFor(/ 100% of 117k EMERGENCY · 0 left · 0 compactions/);
  await terminal.waitFor(/ ~34% of 117k \(estimate\) NOMINAL · ~77k left · 1 compaction/);
  await terminal.waitFor(/ 35% of 117k NOMINAL · 76k left · 1 compaction/);
  await terminal.waitFor(/ 37% of 117k NOMINAL · 73k left · 1 compaction/);
  expect(failures(sandbox)).toEqual([]);
});
