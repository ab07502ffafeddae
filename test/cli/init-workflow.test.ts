// Tests that init offers what has agents keep the section of a workflow current, and adds it on request.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/budget.ts';
import { type Host, newHost } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { run } from './healthy.ts';

const FILES = ['.claude/skills/workflow-state/SKILL.md', '.claude/rules/resumption.md'];
const FLOW = {
  'ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\nresumption:\n  current_phase: 1\n',
};
const init = (host: Host, ...args: string[]) =>
  run(host, 'init', '--yes', '--client-version', '2.1.332', ...args);
const texts = (host: Host): (string | null)[] =>
  FILES.map((each) => {
    try {
      return readFileSync(path.join(host.project, each), 'utf8');
    } catch {
      return null;
    }
  });

describe('init where a workflow is', () => {
  test('names the command that adds the skill, the rule and the reminder, until they are there', () => {
    const host = newHost({ files: FLOW });
    expect(init(host).stdout).toContain('"plimsoll init --workflow" adds the skill and the rule');
    expect(texts(host)).toEqual([null, null]);
    const { code, stdout } = init(host, '--workflow');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Created, to be committed; plimsoll uninstall leaves them:\n  ${FILES.join('\n  ')}\n`,
    );
    const [skill, rule] = texts(host);
    expect(skill).toContain('name: workflow-state');
    expect(rule).toContain('# Resumption protocol');
    expect(init(host).stdout).not.toContain('--workflow');
  });

  test('adds a reminder of about 40 tokens to every prompt', () => {
    const host = newHost({ files: FLOW });
    init(host, '--workflow');
    host.fire('SessionStart', { source: 'startup' });
    host.append(request('Go'), answer(20_000));
    const said = /> (Keep the resumption section .*)/.exec(host.fire('UserPromptSubmit').context)?.[1] ?? '';
    expect(said).toContain('plimsoll state phase, activity, gate, decision, agent, next');
    expect(estimateTokens(said)).toBeGreaterThan(30);
    expect(estimateTokens(said)).toBeLessThanOrEqual(45);
  });

  test('leaves what is there, and writes nothing with --dry-run', () => {
    const host = newHost({ files: FLOW });
    expect(init(host, '--workflow', '--dry-run').stdout).toContain(
      'Would create, to be committed; plimsoll uninstall leaves them:',
    );
    expect(texts(host)).toEqual([null, null]);
    const own = path.join(host.project, FILES[1] ?? '');
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(own, 'mine\n');
    expect(init(host, '--workflow').stdout).toContain(`${FILES[1]} is there, and stays as it is`);
    expect(texts(host)[1]).toBe('mine\n');
  });

  test('says what it did as one JSON document', () => {
    const host = newHost({ files: FLOW });
    const { stdout } = init(host, '--workflow', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      changed: true,
      workflow: { changed: true, created: FILES, kept: [] },
    });
  });

  test('adds them beside tracks as well', () => {
    const host = newHost({ files: FLOW });
    expect(init(host, '--workflow', '--tracks').code).toBe(0);
    for (const text of texts(host)) expect(text).not.toBeNull();
  });
});

test('init without a workflow says nothing of it', () => {
  const host = newHost({ files: FLOW });
  rmSync(path.join(host.project, 'ORCHESTRATION.yaml'));
  expect(init(host).stdout).not.toContain('--workflow');
});
