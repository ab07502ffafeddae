// Tests that settings files are changed soundly, whatever they look like and whoever writes at the same time.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { CLI, plimsoll } from '../kit/plimsoll.ts';
import { EDITS, type Edit, expectKept, TEXTS } from '../unit/config-edits.ts';
import { json, LOCAL, PROJECT, run, text } from './config.ts';

describe('odd files', () => {
  // [what, text, what is said]
  test.each<[string, string, RegExp]>([
    [
      'a syntax error',
      'enabled = true\n[checkpoint\nkeep = 1\n',
      /^\.plimsoll\/config\.toml:2:\d+: .*Nothing was changed\n {2}Next: repair that place by hand/,
    ],
    ['a key twice', 'enabled = true\n\nenabled = false\n', /^\.plimsoll\/config\.toml:3:1: .*redefine/],
    [
      'a value for a section',
      '# c\ncheckpoint = 3\n',
      /^\.plimsoll\/config\.toml:2: "checkpoint" is a value/,
    ],
  ])('%s is refused with its place, and the file left as it is', (_, before, message) => {
    const host = newHost({ files: { [PROJECT]: before } });
    for (const args of [['set', 'checkpoint.keep', '3']]) {
      const result = run(host, ...args, '--scope', 'project');
      expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(message)]);
    }
    expect(text(host, PROJECT)).toBe(before);
  });

  test('BOM, CRLF, a link, no last line end, an empty file', () => {
    const host = newHost({ files: { 'team.toml': '\uFEFF# c\r\nenabled = true # on', [LOCAL]: '' } });
    symlinkSync('../team.toml', path.join(host.project, PROJECT));
    expect(run(host, 'set', 'checkpoint.keep', '3', '--scope', 'project').code).toBe(0);
    expect(text(host, 'team.toml')).toBe('\uFEFF# c\r\nenabled = true # on\r\n\r\n[checkpoint]\r\nkeep = 3');
    expect(run(host, 'set', 'enabled', 'false').code).toBe(0);
    expect(text(host, LOCAL)).toBe('enabled = false\n');
  });

  test('a folder in place of the file', () => {
    const host = newHost();
    mkdirSync(host.state('config.local.toml'), { recursive: true });
    const { code, stderr } = run(host, 'set', 'enabled', 'false');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot change \.plimsoll\/state-\w+\/config\.local\.toml: it is a folder/),
    ]);
    expect(run(host, 'validate')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('config.local.toml: Not a file; the whole file is left out'),
    });
  });

  test('the home folder has no project files', () => {
    const host = newHost({ env: {} });
    delete host.env.CLAUDE_PROJECT_DIR;
    const home = { env: host.env, projectDir: host.env.HOME ?? '' };
    expect(plimsoll(home, 'config', 'set', 'enabled', 'no').stderr).toMatch(
      /no projects\n {2}Next: .*--scope user/,
    );
    expect(plimsoll(home, 'config', 'set', 'enabled', 'no', '--scope', 'user').code).toBe(0);
  });
});
test('several at once: no change is lost', async () => {
  const host = newHost({ files: { [LOCAL]: '# c\n' } });
  const keys = [
    'enabled',
    'context_monitor.enabled',
    'checkpoint.on_tier_rise',
    'resume.headless',
    'checkpoint.on_session_end',
  ];
  const codes = await Promise.all(
    keys.map(
      (key) =>
        new Promise<number | null>((done) => {
          spawn(process.execPath, [CLI, 'config', 'set', key, 'true'], {
            cwd: host.project,
            env: host.env,
          }).on('exit', done);
        }),
    ),
  );
  expect(codes).toEqual(keys.map(() => 0));
  const { settings } = json<{ settings: { key: string; origin: string }[] }>(host, 'show');
  expect(
    settings
      .filter((each) => each.origin === 'local')
      .map((each) => each.key)
      .sort(),
  ).toEqual([...keys].sort());
  expect(text(host, LOCAL)).toMatch(/^# c\n/);
});

test('changes through the command line keep comments and order of a hand-written file', () => {
  const typed = ({ value }: Edit): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  const before = TEXTS.tables ?? '';
  fc.assert(
    fc.property(fc.array(EDITS, { minLength: 12, maxLength: 12 }), (edits) => {
      const host = newHost({ files: { [PROJECT]: before } });
      for (const edit of edits) {
        const args = edit.value === undefined ? ['unset', edit.key] : ['set', edit.key, typed(edit)];
        expect(run(host, ...args, '--scope', 'project').stderr).toBe('');
      }
      expectKept(before, text(host, PROJECT), edits);
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
