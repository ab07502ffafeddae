// Tests on the real client that a failing test run is noted once, though the plugin hears of successful calls only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { DIST, failures } from '../kit/plimsoll.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../kit/sandbox.ts';
import { bash, SMALL, sandboxFor, standard } from './said.ts';

const PLUGIN = ['--plugin-dir', path.join(DIST, 'plugin')];
const FILES = {
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  'docs/tracks/cache/SPEC.md': '# Cache\n',
  'tests.sh': 'echo "FAIL evicts the oldest"; echo "1 failed"; exit 1\n',
  Makefile: 'test:\n\t@sh tests.sh\n',
};
const settings = { permissions: { allow: ['Bash', 'Agent', 'Task'], deny: ['Bash(rm:*)'] } };
/** As long as any real answer takes at the least: the client writes its lines some 100 ms late, and no real hook outruns it. */
const THINKING = { delayMs: 1_000 };
const LINE = 'Bash `make test`: failed (exit 2)';

async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ settings, files: FILES, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** What is kept of the only session; '' where nothing is. */
function kept(sandbox: Sandbox, name: string): string {
  const folder = path.join(sandbox.projectDir, 'artifacts', 'sessions');
  const [session = ''] = existsSync(folder) ? readdirSync(folder) : [];
  const file = path.join(folder, session, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
const lines = (sandbox: Sandbox): string[] =>
  kept(sandbox, 'work_log.md')
    .split('\n')
    .flatMap((line) => /^- \d{4}-\S+Z (.*)$/.exec(line)?.[1] ?? []);

test('with the plugin alone it is noted at the end of the turn and before a compaction, that of a subagent when it has finished', async () => {
  const agent = {
    description: 'look',
    prompt: 'SUBAGENT',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const atCompaction: string[] = [];
  const sandbox: Sandbox = await sandboxWith({
    env: SMALL,
    script: {
      main: [
        { tools: [bash('make test'), bash('echo one')], fill: 30_000 },
        { tools: [bash('rm -rf x')], fill: 31_000 },
        { tools: [{ name: 'Agent', input: agent }], fill: 32_000 },
        { text: 'worked', fill: 33_000, ...THINKING },
        { tools: [bash('exit 7')], fill: 34_000 },
        { tools: [bash('echo two')], fill: 118_000, ...THINKING },
        { tools: [bash('exit 8')], fill: 40_000 },
        { text: 'after the compaction', fill: 41_000 },
      ],
      summary: {
        text: '<summary>so far</summary>',
        onRequest: () => void atCompaction.push(...lines(sandbox)),
      },
      agent: [
        { tools: [bash('exit 5')], fill: 20_000 },
        { text: 'looked', fill: 20_500, ...THINKING },
      ],
    },
  });
  const talk = openSession(sandbox, [...standard, ...PLUGIN]);
  await talk.say('work');
  const first = [
    'Bash `echo one`: ok',
    expect.stringMatching(/^Bash `exit 5`: failed \(exit 5\) \(agent general-purpose \w{8}\)$/),
    'Agent look: ok',
    LINE,
  ];
  expect(lines(sandbox)).toEqual(first);
  expect(kept(sandbox, 'test_output.txt')).toMatch(
    /^## `make test` at \S+Z: failed \(exit 2\)\n {2}Exit code 2\n[\s\S]*FAIL evicts the oldest/,
  );
  await talk.say('go on');
  await talk.end();
  // In the middle of the turn, and not once more at its end.
  expect(atCompaction).toEqual([...first, 'Bash `echo two`: ok', 'Bash `exit 7`: failed (exit 7)']);
  expect(lines(sandbox)).toEqual([...atCompaction, 'Bash `exit 8`: failed (exit 8)']);
  expect(failures(sandbox)).toEqual([]);
});

test.each([
  ['2.1.112', 'beforeModulesPath'],
  ['2.0.76', 'oldClientPath'],
] as const)('with the plugin alone on %s it is noted, once', async (version, name) => {
  const client = inject(name);
  if (client === '') {
    notRun(`failed calls on ${version}`, 'it could not be installed');
    return;
  }
  const main = [
    { tools: [bash('make test')], fill: 30_000 },
    { text: 'worked', fill: 31_000 },
  ];
  const sandbox = await sandboxWith({ client, script: { main } });
  const talk = openSession(sandbox, [...standard, ...PLUGIN]);
  await talk.say('work');
  await talk.say('go on');
  await talk.end();
  expect(lines(sandbox)).toEqual([LINE]);
  expect(kept(sandbox, 'test_output.txt')).toContain('FAIL evicts the oldest');
  expect(failures(sandbox)).toEqual([]);
});

test('with hooks in settings, alone and beside the plugin, it is noted as soon as it has failed, and no more', async () => {
  const sandbox = await sandboxFor({
    files: FILES,
    script: {
      main: [
        { tools: [bash('make test')], fill: 30_000 },
        { text: 'worked', fill: 31_000 },
        { tools: [bash('exit 7')], fill: 32_000 },
        { text: 'worked again', fill: 33_000 },
      ],
    },
  });
  const alone = openSession(sandbox, standard);
  await alone.say('work');
  await alone.end();
  const both = openSession(sandbox, ['--continue', ...standard, ...PLUGIN]);
  await both.say('go on');
  await both.say('/compact');
  await both.end();
  expect(lines(sandbox)).toEqual([LINE, 'Bash `exit 7`: failed (exit 7)']);
  expect(failures(sandbox)).toEqual([]);
});
