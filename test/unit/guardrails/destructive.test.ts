// Tests that a command that destroys is asked about, says what is lost and what does less, and is ruled by the settings.
import { afterAll, describe, expect, test } from 'vitest';
import { shouldParse } from '../../../src/addons/guardrails/should-parse.ts';
import type { CommandsOptions } from '../../../src/settings/guardrail-options.ts';
import { DESTRUCTIVE } from './destructive.ts';
import { COMMANDS } from './ordinary.ts';
import { HARMLESS, NAMING, READING } from './ordinary-code.ts';
import { world } from './world.ts';

const here = world();
afterAll(() => here.remove());
const verdict = (command: string, commands: Partial<CommandsOptions> = {}, tool = 'Bash') =>
  here.verdict(here.call(tool, { command }), { preset: 'standard', commands });

const ALL = Object.entries(DESTRUCTIVE).flatMap(([pack, commands]) =>
  commands.map((command) => [pack, command] as const),
);

test('there are more than 90, and more than 160 everyday ones, of which none is asked about', () => {
  expect(new Set(ALL.map(([, command]) => command)).size).toBeGreaterThan(90);
  const everyday = [...COMMANDS, ...READING, ...HARMLESS, ...NAMING];
  expect(everyday.length).toBeGreaterThan(160);
  expect(NAMING.length).toBeGreaterThan(60);
  expect(everyday.filter((command) => verdict(command).decision !== 'abstain')).toEqual([]);
});

describe.each(ALL)('of %s: %s', (pack, command) => {
  test('is asked about', () => {
    // Else the hook would not even load the parser.
    expect(shouldParse(command)).toBe(true);
    const { decision, trace, reason } = verdict(command);
    expect(trace).toContainEqual(
      expect.objectContaining({
        rule: 'commands',
        decision: 'ask',
        saw: expect.stringContaining(`(pack ${pack})`),
      }),
    );
    // Another rule may refuse it: what git keeps for itself lies there.
    expect(['ask', 'deny']).toContain(decision);
    if (decision === 'ask')
      expect(reason).toMatch(/(?:Safer: .+|No form of it is safer.+)\nThe agent asks to do this/s);
  });
});

describe('the settings', () => {
  test('may refuse, and what is refused names the safer command', () => {
    expect(verdict('git push --force', { action: 'deny' })).toMatchObject({
      decision: 'deny',
      rule: 'commands',
      reason:
        '`git push --force` overwrites what others have pushed. Safer: `git push --force-with-lease` (guardrail rule "commands", pack "git", guardrails.commands.action). Do that instead, or tell the user what it is needed for.',
    });
  });

  test('may choose packs, and switch the rule off', () => {
    expect(verdict('git push --force', { packs: ['files'] }).decision).toBe('abstain');
    expect(verdict('git push --force', { action: 'abstain' }).decision).toBe('abstain');
    const call = here.call('Bash', { command: 'git push --force' });
    expect(here.verdict(call, { preset: 'none' }).decision).toBe('abstain');
  });

  test('may let a command run, with the reason in the trace; what else is in the call is judged', () => {
    const allow = [{ command: 'git clean -fd *', reason: 'generated code' }];
    expect(verdict('git clean -fd gen', { allow })).toMatchObject({
      decision: 'abstain',
      trace: expect.arrayContaining([
        expect.objectContaining({
          rule: 'commands',
          saw: expect.stringMatching(/lets it run: generated code$/),
        }),
      ]),
    });
    expect(verdict('git clean -fd gen && git push --force', { allow }).decision).toBe('ask');
    expect(
      verdict('git clean -fd gen', { allow: [{ command: 'git clean -n *', reason: 'x' }] }).decision,
    ).toBe('ask');
    const removal = [{ command: 'rm -rf src', reason: 'made anew' }];
    expect(verdict('rm -rf src', { allow: removal }).decision).toBe('abstain');
    expect(verdict('rm -rf docs/governance src', { allow: removal }).decision).toBe('ask');
  });

  test('hold for PowerShell too, as far as it runs the same programs', () => {
    expect(verdict('git reset --hard; npm test', {}, 'PowerShell').decision).toBe('ask');
  });

  test('with mode "warn" the call was made', () => {
    const call = here.call('Bash', { command: 'git push --force' });
    expect(here.verdict(call, { mode: 'warn' })).toMatchObject({
      decision: 'warn',
      reason: expect.stringMatching(
        /^The call was made, unless the call itself failed: .* the user would have been asked first\.\n`git push --force` overwrites/,
      ),
    });
  });
});

test.each(['git checkout -p .', 'git restore --patch .'])('%s asks itself of each change', (command) => {
  const found = verdict(command).trace.filter(({ rule }) => rule === 'commands');
  expect(found.filter(({ decision }) => decision !== 'abstain')).toEqual([]);
});

describe('what the person reads', () => {
  const told = (command: string): string[] =>
    (verdict(command).reason ?? '').split('\n').filter((line) => line.includes('rule "commands"'));

  test.each([
    [
      'rm -rf src docs',
      /^`rm -rf src docs` removes src\/ and docs\/, with what is not .+ Safer: `git rm -r`,/,
    ],
    ['rm -rf /etc', /^`rm -rf \/etc` removes a folder of the system\. No form of it is safer \(/],
    ['rm -rf "$D"', /^`rm -rf …` removes a folder that nobody .+ Safer: name the folder literally \(/],
    ['rm -rf src /etc', /removes a folder of the system and src\/, .+ No form of it is safer/],
    ['rm -rf ~/notes', /^`rm -rf ~\/notes` removes a folder outside the project.+ Safer: move it away/],
    ['gh release delete v1', /Safer: `gh release edit --draft`/],
    [
      'psql app <<EOF\nBEGIN;\nDROP TABLE users;\nEOF',
      /^`psql app` \(it reads "BEGIN; DROP TABLE users;"\) removes tables/,
    ],
    ['psql -c "drop table x"', /^`psql -c "drop table x"` removes/],
    ["psql -c 'drop table x'", /^`psql -c 'drop table x'` removes/],
    ['bundle exec rake db:drop', /^`bundle exec rake db:drop` removes/],
    ['npx prisma migrate reset', /^`npx prisma migrate reset` removes/],
    ['uv run python manage.py flush', /^`uv run python manage\.py flush` removes/],
  ])('of %j is one sentence, with what helps', (command, sentence) => {
    expect(told(command)).toEqual([expect.stringMatching(sentence)]);
  });

  test("of git clean -x says that it takes Plimsoll's state", () => {
    expect(verdict('git clean -fdX').reason).toContain(
      "`git clean -fdX` may change what belongs to Plimsoll (.plimsoll/): it would remove what git ignores, Plimsoll's state in .plimsoll/ with it (guardrail",
    );
  });

  test('of a folder that holds what is ours names it', () => {
    expect(verdict('find . -mindepth 1 -delete').reason).toMatch(
      /^Removing \. \(by find\), with \.plimsoll in it, is guarded by the guardrail rule "own"/,
    );
  });

  test('is allowed by the words of the command, and by those that its launcher runs', () => {
    for (const command of ['npx prisma migrate *', 'prisma migrate *'])
      expect(
        verdict('npx prisma migrate reset', { allow: [{ command, reason: 'x' }] }).decision,
        command,
      ).toBe('abstain');
  });
});
