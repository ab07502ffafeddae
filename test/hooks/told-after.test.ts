// Tests that the agent is told of each way to write a guarded file that is seen only after the call, by running it.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { notRun } from '../kit/not-run.ts';
import { TIER } from '../unit/guardrails/attempt.ts';
import { FURTHER_TOLD_AFTER } from '../unit/guardrails/further-ways.ts';
import { TOLD_AFTER } from '../unit/guardrails/ways-to-write.ts';
import { bash, git, put, WARNED, working } from './behind.ts';
import type { Host } from './host.ts';

const WRITES = `open('${TIER}', 'a').write('x')`;
/** What each of them runs, and the file that they write. */
const FILES: Record<string, string> = {
  [TIER]: 'export const tier = 1;\n',
  'docs/guide.md': '# Guide\n',
  'src/model/package.json':
    '{ "name": "model", "version": "1.0.0", "dependencies": { "other": "file:../../other" } }\n',
  'other/package.json': '{ "name": "other", "version": "1.0.0" }\n',
  'package.json': `{ "scripts": { "generate": "echo x >> ${TIER}" } }\n`,
  'tools/rewrite.py': `${WRITES}\n`,
  Makefile: `all:\n\techo x >> ${TIER}\n`,
};

const runs = (command: string, host: Host): number | null =>
  // Not as the last command, which bash may start in its own place.
  spawnSync('bash', ['-c', `${command}\ntrue`], {
    cwd: host.project,
    env: { PATH: host.env.PATH, HOME: host.env.HOME, TMPDIR: host.env.TMPDIR, npm_config_offline: 'true' },
    timeout: 60_000,
  }).status;

/** Programs that not every machine has. */
const program = (command: string): string => /^(?:\w+=\S+ +)*([\w.]+)/.exec(command)?.[1] ?? '';
const isMissing = (name: string): boolean =>
  spawnSync('bash', ['-c', `command -v ${name}`], { env: { PATH: process.env.PATH ?? '' } }).status !== 0;

test.for(some([...TOLD_AFTER, ...FURTHER_TOLD_AFTER], 6))('%s', (command, context) => {
  if (/^(?:code|docker)$/.test(program(command)) || isMissing(program(command))) {
    notRun(
      `what the agent is told after ${command}`,
      'its program is not here, or needs a window or the network',
    );
    context.skip();
    return;
  }
  const host = working({ guarded: 'src/model/**', files: FILES });
  // Each hook in a process of its own, as the client starts it.
  host.env.NODE_OPTIONS = '';
  if (command.includes('stash')) {
    put(host, TIER, 'stashed\n');
    git(host, 'stash', '--quiet');
  }
  if (command.includes('zipfile')) {
    mkdirSync(path.join(host.project, 'x'));
    put(host, 'x/tier.ts', 'from an archive\n');
    expect(runs('cd x && python -m zipfile -c ../x.zip tier.ts', host)).toBe(0);
  }
  const here = command.replaceAll('/tmp/', `${host.env.TMPDIR}/`);
  const [tool_name, tool_input] = bash(here);
  const fields = { tool_name, tool_input, tool_use_id: 't', prompt_id: 'p1' };
  expect(host.fire('PreToolUse', fields).stdout).toBe('');
  runs(here, host);
  const { context: told } = host.fire('PostToolUse', fields);
  expect(told).toMatch(WARNED);
  expect(told).toMatch(/\n- src\/model\/\S+ is (?:changed|removed), and .*paths\.protected matches/);
});
