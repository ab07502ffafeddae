// Tests that every call that is refused is said in one form: words and the next step on stderr, or with --json one document.
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { CLI, plimsoll } from '../kit/plimsoll.ts';

const place = () => {
  const host = newHost();
  return { env: host.env, projectDir: host.project };
};

// [the call, what is wrong, the next step]
const REFUSED: [string[], RegExp, string][] = [
  [[], /^plimsoll is called with a command: init, .*, track$/, 'plimsoll --help lists the commands'],
  [
    ['session'],
    /^plimsoll session is called with a command: .*list/,
    'plimsoll session --help lists the commands',
  ],
  [
    ['config'],
    /^plimsoll config is called with a command: get, /,
    'plimsoll config --help lists the commands',
  ],
  [['guard'], /^plimsoll guard is called with a command: /, 'plimsoll guard --help lists the commands'],
  [['state', 'gate'], /^plimsoll state gate is called with/, 'plimsoll state gate --help lists the commands'],
  [['help', 'nope'], /^unknown command 'nope'$/, 'plimsoll --help lists the commands'],
  [['session', 'nope'], /^unknown command 'nope'$/, 'plimsoll session --help lists the commands'],
  [
    ['statu'],
    /^unknown command 'statu' \(Did you mean one of .*status.*\)$/,
    'plimsoll --help lists the commands',
  ],
  [['resume', '--nope'], /^unknown option '--nope'$/, 'plimsoll resume --help lists the commands'],
  [['status', '--nope'], /^unknown option '--nope'$/, 'plimsoll status --help shows how it is called'],
  [['recall'], /^missing required argument 'words'$/, 'plimsoll recall --help shows how it is called'],
];

test.each(REFUSED)('%j is refused in words, and with --json as data alone', (args, message, next) => {
  const at = place();
  const words = plimsoll(at, ...args);
  expect(words).toMatchObject({ code: 2, stdout: '' });
  const [said, step] = words.stderr.split('\n  Next: ');
  expect(said).toMatch(message);
  expect(step).toBe(`${next}\n`);
  const data = plimsoll(at, ...args, '--json');
  expect(data).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(data.stdout)).toEqual({ error: { code: 'usage', message: said, next } });
});

// [the call, its exit code, what stands on stderr]
test.each<[string[], number, RegExp]>([
  [['config', 'show', '--json'], 1, /^ENOSPC: [^\n]* "stdout"\n {2}Next: free space[^\n]*\n$/],
  [['config', 'show'], 1, /^ENOSPC: [^\n]* "stdout"\n {2}Next: free space[^\n]*\n$/],
  [['checkpoint', 'show', 'cx-999', '--json'], 1, /^No checkpoint "cx-999"[^\n]*\n {2}Next: [^\n]*\n$/],
  [['session', '--json'], 2, /^plimsoll session is called with[^\n]*\n {2}Next: [^\n]*\n$/],
])('%j says on stderr what is wrong where stdout is full', (args, code, words) => {
  if (!existsSync('/dev/full')) return notRun('a full stdout', 'no /dev/full here');
  const { env, projectDir } = place();
  const result = spawnSync(process.execPath, [CLI, ...args], {
    env,
    cwd: projectDir,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(result.stderr).toMatch(words);
  expect(result.status).toBe(code);
});
