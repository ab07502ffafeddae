// Tests that what a command did to a guarded file may be undone, and that the message names the command.
import { describe, expect, test } from 'vitest';
import { asked, bash, put, ran, run, working } from './behind.ts';
import type { Host } from './host.ts';

const FILE = 'gen/a.js';
const spoilt = (): Host => {
  const host = working();
  run(host, bash('make all'), () => put(host, FILE, 'changed\n'));
  return host;
};
/** What the hook says before a command; '' where it lets it through. */
const judged = (host: Host, command: string, prompt = 'p1'): string =>
  host.fire('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 't',
    prompt_id: prompt,
  }).stdout;

describe('the message', () => {
  test('names the command, where it was the only one', () => {
    const host = working();
    const told = run(host, bash('make all TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a'), () =>
      put(host, FILE, 'changed\n'),
    );
    expect(told).toMatch(/^Plimsoll: while `make all TOKEN=[^`\n]*` ran, and no other command, files/);
    expect(told).not.toContain('ghp_16C7e42F292c6912E7710c838347Ae178B4a');
    expect(told).toMatch(/"git restore FILE", or "rm FILE" for a new one, is let through/);
  });

  test.each([
    ['two commands ran', [bash('make'), bash('npm test')]],
    ['a subagent may go on', [['Agent', { prompt: 'x' }] as ReturnType<typeof bash>]],
    ['it goes on in the background', [bash('make &')]],
  ])('names none where %s', (_, calls) => {
    const host = working();
    asked(host, bash('make'));
    put(host, FILE, 'changed\n');
    expect(ran(host, calls)).toMatch(/^Plimsoll: since the last look files have changed/);
  });
});

describe('a file that a command has changed, and that the agent was told of', () => {
  test.each([
    `git restore ${FILE}`,
    `git restore -- ${FILE}`,
    `git checkout -- ${FILE}`,
    `git checkout HEAD -- ${FILE}`,
    `cd gen && git checkout -- a.js`,
    `git stash push -- ${FILE}`,
    `git stash push -m "what make did" ${FILE}`,
    'git stash',
  ])('may be put back: %s', (command) => {
    expect(judged(spoilt(), command)).toBe('');
  });

  test('may be put back at a later prompt, and when it has changed twice', () => {
    const host = spoilt();
    run(host, bash('make again'), () => put(host, FILE, 'changed twice\n'));
    expect(judged(host, `git restore ${FILE}`, 'p2')).toBe('');
  });

  test('may be removed where it is new, and not where it was committed', () => {
    const host = working();
    run(host, bash('make all'), () => {
      put(host, 'gen/new.js', 'x\n');
      put(host, FILE, 'changed\n');
    });
    expect(judged(host, 'rm gen/new.js')).toBe('');
    expect(judged(host, `rm ${FILE}`)).toContain('"deny"');
  });

  test.each([
    `git restore --source HEAD~1 ${FILE}`,
    `git checkout HEAD~1 -- ${FILE}`,
    'git restore gen',
    `echo x > ${FILE}; git restore ${FILE}`,
    `git restore ${FILE} && echo x > ${FILE}`,
  ])('is guarded all the same against %s', (command) => {
    expect(judged(spoilt(), command)).toContain('"deny"');
  });

  test('is guarded where somebody has changed it since, or had changed it before', () => {
    const since = spoilt();
    put(since, FILE, 'and by hand\n');
    expect(judged(since, `git restore ${FILE}`)).toContain('"deny"');
    const host = working();
    put(host, FILE, 'by hand\n');
    run(host, bash('make all'), () => put(host, FILE, 'over it\n'));
    expect(judged(host, `git restore ${FILE}`)).toContain('"deny"');
  });

  test('another one is guarded as ever', () => {
    const host = working({ files: { 'gen/b.js': 'b\n' } });
    run(host, bash('make all'), () => put(host, FILE, 'changed\n'));
    expect(judged(host, 'git restore gen/b.js')).toContain('"deny"');
  });
});
