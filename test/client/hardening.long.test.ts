// Tests that the alert arrives when hooks die, a client stores no proof, or several sessions share a repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, MINE, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { afterCompactions, bash, main, SMALL, sandboxFor, standard } from './said.ts';

/**
 * Makes the hook of SessionStart(compact) kill itself so many calls of the file system after it took the claim of the
 * alert; `moment` holds the number, -1 for never.
 */
function killAfterClaim(sandbox: Sandbox): { at: (calls: number) => void; died: () => number } {
  const killer = path.join(sandbox.root, 'kill.cjs');
  const moment = path.join(sandbox.root, 'moment');
  const deaths = path.join(sandbox.root, 'deaths');
  writeFileSync(
    killer,
    `const fs = require('node:fs');
const { readFileSync, appendFileSync } = fs;
const most = Number(readFileSync(${JSON.stringify(moment)}, 'utf8'));
let calls = -1;
for (const name of ['openSync', 'writeSync', 'closeSync', 'linkSync', 'unlinkSync', 'renameSync', 'mkdirSync', 'readFileSync', 'statSync', 'existsSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (calls >= 0 && calls++ === most) {
      appendFileSync(${JSON.stringify(deaths)}, 'x');
      process.kill(process.pid, 'SIGKILL');
    }
    const result = original(...args);
    if (name === 'linkSync' && /claims.*alert/.test(String(args[1]))) calls = 0;
    return result;
  };
}`,
  );
  writeFileSync(deaths, '');
  const file = path.join(sandbox.projectDir, '.claude', 'settings.local.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const hook = settings.hooks.SessionStart?.[0]?.hooks[0];
  if (!hook) throw new Error('no hook for SessionStart');
  hook.command = hook.command.replace('exec "$n"', `exec "$n" --require '${killer}'`);
  sandbox.writeSettings(settings, 'local');
  const at = (calls: number): void => writeFileSync(moment, String(calls));
  at(-1);
  return { at, died: () => readFileSync(deaths, 'utf8').length };
}

test('a hook killed at 20 moments between claim and lease: the alert comes, and twice only behind a death', async () => {
  const cycles = 20;
  const fill = (tokens: number) => ({ text: 'OK', fill: tokens });
  const sandbox = await sandboxFor({
    script: {
      main: Array.from({ length: cycles + 1 }, () => [
        fill(50_000),
        fill(60_000),
        fill(30_000),
        fill(31_000),
      ]).flat(),
    },
  });
  const killer = killAfterClaim(sandbox);
  const talk = openSession(sandbox, standard);
  const heard: { said: number; died: boolean }[] = [];
  for (let cycle = 1; cycle <= cycles + 1; cycle++) {
    const before = killer.died();
    // Spread over all calls in an order that is none; the last time nothing is killed.
    killer.at(cycle > cycles ? -1 : (cycle * 7) % cycles);
    await talk.say(`one ${cycle}`);
    await talk.say(`two ${cycle}`);
    await talk.say('/compact');
    await talk.say(`three ${cycle}`);
    await talk.say(`four ${cycle}`);
    const [next, later] = main(sandbox).slice(-2);
    if (next === undefined || later === undefined) throw new Error('no requests');
    const mark = `COMPACTION EVENT: ${cycle} of ${cycle} this session`;
    expect(countIn(next, mark)).toBeGreaterThan(0);
    expect(countIn(later, mark)).toBe(countIn(next, mark));
    heard.push({ said: countIn(next, mark), died: killer.died() > before });
  }
  await talk.end();
  for (const { said, died } of heard) expect(said).toBeLessThanOrEqual(died ? 2 : 1);
  // The moments were real ones: most of the hooks died, and some of them before they had said anything.
  expect(killer.died()).toBeGreaterThanOrEqual(cycles / 2);
  expect(heard.filter((each) => each.died && each.said === 1).length).toBeGreaterThan(0);
  expect(sessionStates(sandbox)[0]).toMatchObject({ epoch: cycles + 1, alert: { epoch: cycles + 1 } });
  expect(failures(sandbox)).toEqual([]);
});

test('a client that stores no attachments (2.0.76) ends unverified, not in three repeats', async (context) => {
  const client = inject('oldClientPath');
  if (client === '') {
    notRun('the old client 2.0.76', 'it could not be installed');
    context.skip();
  }
  const sandbox = await sandboxFor({
    client,
    version: '2.0.76',
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', fill: 70_000 },
        { text: 'c', tools: [bash('sleep 0.3; echo 1')], fill: 30_000 },
        { text: 'd', tools: [bash('sleep 0.3; echo 2')], fill: 31_000 },
        { text: 'e', fill: 32_000 },
        { text: 'f', fill: 33_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('first');
  await talk.say('second');
  await talk.say('/compact');
  await talk.say('third');
  await talk.say('fourth');
  await talk.end();
  const [next] = afterCompactions(sandbox);
  expect(next && countIn(next, 'COMPACTION EVENT: 1 of 1 this session')).toBe(1);
  for (const request of main(sandbox)) expect(countIn(request, 'COMPACTION EVENT:')).toBeLessThanOrEqual(1);
  expect(sessionStates(sandbox)[0]?.alert).toMatchObject({ status: 'unverified', tries: 1 });
  expect(failures(sandbox)).toEqual([]);
});

test('two worktrees of one repository never see each other', async () => {
  const sandbox = await sandboxFor({
    git: true,
    files: { [MINE]: '[resume]\nheadless = true\nauto = "always"\n' },
    env: SMALL,
    script: { main: [], fallback: { text: 'OK', fill: 40_000 } },
  });
  const other = path.join(sandbox.root, 'work', 'other tree');
  execFileSync('git', ['worktree', 'add', '--quiet', '-b', 'side', other], {
    cwd: sandbox.projectDir,
    env: sandbox.env,
  });
  const there = { env: sandbox.env, projectDir: other };
  mkdirSync(path.join(other, '.claude'), { recursive: true });
  writeFileSync(
    path.join(other, '.claude', 'settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash'] } }),
  );
  expect(plimsoll(there, 'init', '--yes', '--client-version', '2.1.332').code).toBe(0);

  await runHeadless(sandbox, ['-p', 'the words of the main tree', ...standard]);
  await runHeadless(sandbox, ['-p', 'the words of the side tree', ...standard], { cwd: other });
  await runHeadless(sandbox, ['-p', 'more in the main tree', ...standard]);
  const [, side, more] = main(sandbox).map(textOf);
  expect(side).not.toContain('the words of the main tree');
  expect(more).toContain('the words of the main tree');
  expect(more).not.toContain('the words of the side tree');
  expect(sessionStates(sandbox)).toHaveLength(2);
  expect(sessionStates(there)).toHaveLength(1);
  expect(failures(there)).toEqual([]);
});
