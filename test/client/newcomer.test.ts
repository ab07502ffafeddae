// Tests that a newcomer can install, work, look and leave again, on the real client, by the README's commands.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { createSandbox, type Sandbox } from '../kit/sandbox.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';
import { ROOT } from './plugin.ts';
import { bash, standard } from './said.ts';

/** Runs a command that has to work, and reads its every line: nothing of a program's insides may stand there. */
function run(sandbox: Sandbox, ...args: string[]): string {
  const { code, stdout, stderr } = plimsoll(sandbox, ...args);
  expect(`${code} ${stderr}`, args.join(' ')).toBe('0 ');
  expect(stdout, args.join(' ')).not.toMatch(/undefined|NaN|\bnull\b|\[object|Infinity|Invalid Date/);
  expect(stdout.trim(), args.join(' ')).not.toBe('');
  return stdout;
}

test('init, a session with a compaction, status, doctor, checkpoints, resume, uninstall', async (context) => {
  if (!hasTmux()) {
    notRun('the way of a newcomer', 'tmux is not installed');
    context.skip();
  }
  const sandbox = await createSandbox({
    git: true,
    files: { 'README.md': '# Ledger\n' },
    settings: { permissions: { allow: ['Bash', 'Write'] } },
    script: {
      main: [
        { text: 'I read the plan.', tools: [bash('cat README.md')], fill: 60_000 },
        { text: 'The plan is clear.', fill: 62_000 },
        {
          text: 'On it.',
          tools: [{ name: 'Write', input: { file_path: 'src/ledger.ts', content: 'x' } }],
          fill: 130_000,
        },
        { text: 'The ledger is written.', fill: 131_000 },
        { text: 'Only the tests are left.', fill: 40_000 },
      ],
    },
  });
  onTestFinished(() => sandbox.close());

  expect(run(sandbox, 'init', '--dry-run', '--client-version', '2.1.332')).toContain('SessionEnd');
  expect(run(sandbox, 'init', '--yes', '--client-version', '2.1.332')).toContain('is on for this project');
  expect(run(sandbox, 'init', '--yes', '--client-version', '2.1.332')).toContain('Already installed');

  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('Read the plan of the ledger');
  await terminal.waitFor(/The plan is clear/);
  await terminal.type('Write the ledger');
  await terminal.waitFor(/The ledger is written/);
  await terminal.type('/compact');
  const screen = await terminal.waitFor(/agent was re-oriented/);
  // One sentence: neither the shell line of a hook, nor the facts that the alert holds.
  const shown = screen.slice(screen.lastIndexOf('Compacted')).replace(/\s+/g, ' ');
  expect(shown).toMatch(
    /PreCompact \[\S+\/plimsoll\/current\/hook PreCompact 2>\/dev\/null \|\| :\] completed/,
  );
  expect(shown).toContain(
    'Keep word for word in the summary what the user asked for (Read the plan of the ledger … Write the ledger), required, decided, corrected and refused.',
  );
  expect(shown).not.toMatch(/exec|NODE_|Facts to keep|THE USER'S/);
  await terminal.type('What is left?');
  await terminal.waitFor(/Only the tests are left/);

  // The client shows an answer a moment before it writes it.
  const status = await until(
    () => {
      const text = run(sandbox, 'status');
      return /^Context +NOMINAL, 24% of the way to auto-compaction/m.test(text) ? text : '';
    },
    { what: 'status to show the last answer' },
  );
  expect(status).toMatch(/^Compactions +1$/m);
  expect(run(sandbox, 'resume', '--preview')).toBe(
    'The next session is told nothing: there is no ended session of this project to tell of (headless runs do not count).\n',
  );
  await terminal.close();
  await until(() => sessionStates(sandbox)[0]?.ended != null, { what: 'SessionEnd' });

  const doctor = run(sandbox, 'doctor', '--all');
  expect(doctor).not.toMatch(/ERROR/);
  expect(doctor).toMatch(/ok +delivery +the alert about compaction 1 .* arrived/);
  expect(doctor).toMatch(/ok +failures +none/);
  for (const event of [
    'SessionStart',
    'UserPromptSubmit',
    'PostToolBatch',
    'PreCompact',
    'Stop',
    'SessionEnd',
  ]) {
    expect(doctor).toMatch(new RegExp(`${event} (just now|\\d+ min ago) \\(\\d+ ms\\)`));
  }
  // On a busy machine the client may write the usage of a fast tool too late for a checkpoint at the rise.
  expect(run(sandbox, 'checkpoint', 'list')).toMatch(/^cx-\d+ .* manual .*Write the ledger$/m);
  expect(run(sandbox, 'checkpoint', 'show')).toContain('Write the ledger');
  expect(run(sandbox, 'checkpoint', 'verify')).not.toMatch(/damaged/);
  const manual = /^(cx-\d+) .* manual /m.exec(run(sandbox, 'checkpoint', 'list'))?.[1] ?? '';
  const created = /cx-\d+/.exec(run(sandbox, 'checkpoint', 'create'))?.[0] ?? '';
  expect(run(sandbox, 'checkpoint', 'diff', manual, created)).toContain('tokens: 131,000 → ');
  const preview = run(sandbox, 'resume', '--preview');
  expect(preview).toMatch(/^The next session is told this, because the last session is finished:/);
  expect(run(sandbox, 'resume')).toContain('Write the ledger');
  expect(run(sandbox, 'gc', '--dry-run')).toMatch(/./);
  expect(run(sandbox, 'off')).toContain('off');
  expect(run(sandbox, 'on')).toContain('on');
  expect(run(sandbox, 'uninstall', '--yes')).toContain('Plimsoll is removed');
  expect(existsSync(path.join(sandbox.projectDir, '.claude', 'settings.local.json'))).toBe(false);
});

test("the guide's commands for the plugin work as written, and doctor sees it come and go", async () => {
  const guide = readFileSync(path.join(ROOT, 'docs/guide.md'), 'utf8').replace(/\s+/g, ' ');
  const commands = [...guide.matchAll(/`claude (plugin (?:marketplace add|install) [^`]+)`/g)].map(
    ([, command = '']) => command.split(' '),
  );
  expect(commands).toHaveLength(2);
  const sandbox = await createSandbox({ git: true, script: { main: [] } });
  onTestFinished(() => sandbox.close());
  for (const command of commands) {
    const { code, stdout } = await runHeadless(sandbox, command, { cwd: ROOT });
    expect(`${code} ${stdout}`).toMatch(/^0 [\s\S]*Successfully/);
  }
  expect(plimsoll(sandbox, 'doctor', '--all').stdout).toContain('registered by the plugin plimsoll@plimsoll');
  await runHeadless(sandbox, ['plugin', 'uninstall', 'plimsoll@plimsoll'], { cwd: ROOT });
  expect(plimsoll(sandbox, 'doctor', '--all').stdout).toMatch(/ERROR {2}hooks +not registered/);
});
