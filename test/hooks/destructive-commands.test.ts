// Tests that the hook asks before a command destroys, by the person's word and not by that of a cloned project.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { repository } from '../unit/repository.ts';
import { type Host, newHost, SESSION, writeMine } from './host.ts';

const ENFORCE = '[guardrails]\nmode = "enforce"\n';
const ALLOW = '[[guardrails.commands.allow]]\ncommand = "git push --force *"\nreason = "a mirror"\n';

function cloned(config: string, mine = ''): Host {
  const host = newHost();
  const files = { '.plimsoll/config.toml': config, 'src/a.ts': 'a\n', '.gitignore': 'made/\n' };
  const origin = repository(files);
  rmSync(host.project, { recursive: true });
  origin.git('clone', '--quiet', '--no-local', origin.folder, host.project);
  if (mine !== '') writeMine(host, mine);
  host.append(request('go'), answer(60_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  return host;
}
const judged = (host: Host, command: string): { decision: string; reason: string } => {
  const input = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' };
  const { stdout } = host.fire('PreToolUse', input);
  const said = stdout === '' ? {} : JSON.parse(stdout).hookSpecificOutput;
  return {
    decision: said.permissionDecision ?? 'abstain',
    reason: said.permissionDecisionReason ?? '',
  };
};

describe('a command that destroys', () => {
  test('is asked about, with what is lost and what does less, and stands in the log', () => {
    const host = cloned('', ENFORCE);
    expect(judged(host, 'git push --force')).toEqual({
      decision: 'ask',
      reason:
        'Plimsoll: `git push --force` overwrites what others have pushed. Safer: `git push --force-with-lease` (guardrail rule "commands", pack "git", commands.action of guardrails.preset = "standard").\nThe agent asks to do this. Allow it only if it is what you want.',
    });
    const log = readFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'utf8');
    expect(log).toMatch(/"GuardrailViolated".*"rule":"commands".*"tool":"Bash".*"verdict":"ask"/);
    expect(judged(host, 'git push').decision).toBe('abstain');
  });

  test('is refused where a cloned project tightens it', () => {
    const host = cloned('[guardrails.commands]\naction = "deny"\n', ENFORCE);
    expect(judged(host, 'git push --force')).toMatchObject({
      decision: 'deny',
      reason: expect.stringMatching(/guardrails\.commands\.action\)\. Do that instead, or tell the user/),
    });
  });

  test("runs where the person's own settings allow it", () => {
    expect(judged(cloned('', `${ENFORCE}${ALLOW}`), 'git push --force origin').decision).toBe('abstain');
  });

  test.each([
    ['beside guardrails of the person', ALLOW, ENFORCE],
    ["with the project's own guardrails alone", `${ENFORCE}${ALLOW}`, ''],
  ])('is allowed by a cloned project after "plimsoll trust" only, %s', (_, config, mine) => {
    const host = cloned(config, mine);
    expect(judged(host, 'git push --force origin').decision).toBe('ask');
    const asked = plimsoll({ env: host.env, projectDir: host.project }, 'trust');
    expect(asked.stdout).toContain('guardrails.commands');
    expect(plimsoll({ env: host.env, projectDir: host.project }, 'trust', '--yes').code).toBe(0);
    expect(judged(host, 'git push --force origin').decision).toBe('abstain');
  });

  test('is rm -r of a committed folder, not of one that git ignores or does not have', () => {
    const host = cloned('', ENFORCE);
    for (const folder of ['made', 'scratch']) {
      mkdirSync(path.join(host.project, folder));
      writeFileSync(path.join(host.project, folder, 'a'), '');
      expect([folder, judged(host, `rm -rf ${folder}`).decision]).toEqual([folder, 'abstain']);
    }
    expect(judged(host, 'rm -rf src')).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('removes src/, with what is not committed there'),
    });
  });
});
