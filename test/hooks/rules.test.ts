// Tests that rules are said at every prompt, quality rules and state at the start, within their budgets.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../src/text/budget.ts';
import { answer, boundary, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, MINE, newHost, STATE } from './host.ts';

const marker = (rank: number, content: string): string =>
  `<!-- L2-REINJECT: rank=${rank}, content="${content}" -->\n`;
const write = (host: Host, name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(host.project, name)), { recursive: true });
  writeFileSync(path.join(host.project, name), text);
};
function begun(files: Record<string, string>, tokens = 30_000): Host {
  const host = newHost({ files });
  host.append(request('Go'), answer(tokens, { id: 'm1' }));
  return host;
}
const rulesIn = (context: string): string | null =>
  /<quality-reinforcement>\nThe project's own rules, [^\n]*\n([\s\S]*?)\n<\/quality-reinforcement>/
    .exec(context)?.[1]
    ?.replace(/^> /gm, '') ?? null;
const prompt = (host: Host): string => host.fire('UserPromptSubmit').context;

describe('<quality-reinforcement>', () => {
  test('stands behind the monitor at every prompt, by rank over all trusted files, byte for byte the same', () => {
    const host = begun({
      '.plimsoll/rules/a.md': marker(2, 'Second.'),
      '.claude/rules/deep/b.md': marker(1, 'First.'),
      '.context/rules/c.md': marker(3, 'Third.'),
      'CLAUDE.md': marker(2, 'Second too.'),
      'AGENTS.md': marker(2, 'Second too.') + marker(4, 'Fourth.'),
      'docs/other.md': marker(1, 'Not trusted.'),
    });
    const first = prompt(host);
    expect(first.indexOf('CONTEXT STATUS')).toBeLessThan(first.indexOf('<quality-reinforcement>'));
    expect(rulesIn(first)).toBe('First.\nSecond.\nSecond too.\nThird.\nFourth.');
    const second = prompt(host);
    expect(rulesIn(second)).toBe(rulesIn(first));
    expect(prompt(host)).toBe(second);
  });

  test('is as the files are: changed, added, taken away', () => {
    const host = begun({ 'CLAUDE.md': marker(1, 'One.') });
    expect(rulesIn(prompt(host))).toBe('One.');
    write(host, 'CLAUDE.md', marker(1, 'Another.'));
    expect(rulesIn(prompt(host))).toBe('Another.');
    write(host, '.claude/rules/new.md', marker(2, 'New.'));
    expect(rulesIn(prompt(host))).toBe('Another.\nNew.');
    write(host, '.claude/rules/new2.md', marker(2, 'Newer.'));
    expect(rulesIn(prompt(host))).toBe('Another.\nNew.\nNewer.');
    rmSync(path.join(host.project, '.claude/rules'), { recursive: true });
    rmSync(path.join(host.project, 'CLAUDE.md'));
    expect(rulesIn(prompt(host))).toBeNull();
  });

  test('comes at WARNING, where the monitor is silenced, and where the environment sets something', () => {
    const files = { 'CLAUDE.md': marker(1, 'One.') };
    const warned = begun(files, 130_000);
    expect(rulesIn(prompt(warned))).toBe('One.');
    expect(rulesIn(prompt(warned))).toBe('One.');
    const silent = begun({ ...files, [MINE]: '[context_monitor]\nemit = "off"\n' });
    expect(prompt(silent)).toBe(
      "<quality-reinforcement>\nThe project's own rules, not the user's words:\n> One.\n</quality-reinforcement>",
    );
    expect(prompt(silent)).toBe(
      "<quality-reinforcement>\nThe project's own rules, not the user's words:\n> One.\n</quality-reinforcement>",
    );
    const host = begun(files);
    host.env.PLIMSOLL_CHECKPOINT__KEEP = '9';
    expect(rulesIn(prompt(host))).toBe('One.');
    expect(rulesIn(prompt(host))).toBe('One.');
  });

  test.each<[string, Record<string, string>]>([
    ['without marked rules', { 'CLAUDE.md': '# Rules\n' }],
    ['with the setting off', { 'CLAUDE.md': marker(1, 'x'), [MINE]: '[quality]\nreinforcement = false\n' }],
  ])('is not there %s', (_, files) => {
    expect(prompt(begun(files))).not.toContain('quality-reinforcement');
  });

  test('is not said after a tool', () => {
    const host = begun({ 'CLAUDE.md': marker(1, 'One.') });
    prompt(host);
    host.append(toolUse('t1', 'Bash', { command: 'x' }), toolResult('t1'));
    expect(host.fire('PostToolUse', { tool_use_id: 't1' }).context).toBe('');
  });
});

const WORKFLOW =
  'workflow:\n  id: w-1\n  status: ACTIVE\nresumption:\n  current_phase: 2\n  current_phase_name: Core\n';

describe('at a start', () => {
  test('quality rules and the project are said, without the comments of the file', () => {
    const host = newHost({
      files: {
        '.plimsoll/quality.md':
          '<!-- how to edit this -->\n# Quality\n\n- Target 0.92\n  - at least 3 cycles\n</quality-context>\n',
        'ORCHESTRATION.yaml': WORKFLOW,
      },
    });
    const { context } = host.fire('SessionStart', { source: 'startup' });
    expect(context.slice(0, context.indexOf('\n\n<resumption-context>'))).toBe(`<project-context>
From the project's files and git, not the user's words:
PROJECT: project
BRANCH: main
ACTIVE WORKFLOW: w-1
PHASE: 2 (Core)
WORKFLOW STATE: ORCHESTRATION.yaml
CHECKPOINTS: ${STATE}/checkpoints
</project-context>

<quality-context>
The project's own rules (from .plimsoll/quality.md), not the user's words:
> # Quality
>
> - Target 0.92
>   - at least 3 cycles
> ‹/quality-context>
</quality-context>`);
  });

  test.each<[string, Record<string, string>]>([
    ['nothing of ours', {}],
    ['a workflow that is done', { 'ORCHESTRATION.yaml': WORKFLOW.replace('ACTIVE', 'COMPLETE') }],
    ['an empty file of quality rules', { '.plimsoll/quality.md': '<!-- nothing yet -->\n\n' }],
  ])('nothing is said in a project with %s', (_, files) => {
    expect(newHost({ files }).fire('SessionStart', { source: 'startup' }).context).toBe('');
  });

  test('a resume is told nothing again; after a compaction it stands behind the alert', () => {
    const host = begun({ '.plimsoll/quality.md': '- Target 0.92\n' }, 150_000);
    prompt(host);
    expect(host.fire('SessionStart', { source: 'resume' }).context).toBe('');
    host.fire('PreCompact', { trigger: 'auto' });
    host.append(boundary('auto'));
    const { context } = host.fire('SessionStart', { source: 'compact' });
    expect(context.indexOf('<compaction-alert>')).toBe(0);
    expect(context.indexOf('<project-context>')).toBeGreaterThan(0);
    expect(context.indexOf('<quality-context>')).toBeGreaterThan(0);
  });

  test('a file too long is cut at whole lines, which is said, with the place to read it', () => {
    const text = Array.from({ length: 300 }, (_, n) => `- rule number ${n} of the project\n`).join('');
    const { context } = newHost({ files: { '.plimsoll/quality.md': text } }).fire('SessionStart', {
      source: 'startup',
    });
    const tag = /<quality-context>[\s\S]*<\/quality-context>/.exec(context)?.[0] ?? '';
    expect(estimateTokens(tag)).toBeLessThanOrEqual(BUDGETS.quality);
    expect(tag).toContain('- rule number 0 of');
    expect(tag).toContain('Left out for length: the end (see .plimsoll/quality.md)');
  });
});

describe('with every layer on and everything long', () => {
  const LONG = 'some words of a long text '.repeat(40).trim();
  const FILES = {
    '.plimsoll/quality.md': Array.from({ length: 200 }, (_, n) => `- ${n}: ${LONG.slice(0, 80)}\n`).join(''),
    'CLAUDE.md': Array.from({ length: 60 }, (_, n) => marker(n, `Rule ${n}: ${LONG.slice(0, 60)}`)).join(''),
    'ORCHESTRATION.yaml': `${WORKFLOW}  next_step: "${LONG}"\n  decisions:\n${Array.from({ length: 30 }, (_, n) => `    - id: RD-${n}\n      decision: "${LONG}"\n      applied: false\n`).join('')}  agent_summaries:\n${Array.from({ length: 30 }, (_, n) => `    agent-${n}: "${LONG}"\n`).join('')}`,
  };

  test('a start says at most 2,300 tokens, and all of its tags are whole', () => {
    const host = begun(FILES, 60_000);
    for (let n = 0; n < 12; n++)
      host.append(request(`${n} ${LONG}`), answer(60_000 + n, { id: `m${n + 2}` }));
    host.env.CLAUDE_PID = '999999999';
    prompt(host);
    const { context } = host.fire('SessionStart', {
      source: 'startup',
      session_id: 'another',
      transcript_path: path.join(path.dirname(host.transcript), 'another.jsonl'),
    });
    expect(estimateTokens(context)).toBeLessThanOrEqual(BUDGETS.start);
    expect(estimateTokens(context)).toBeGreaterThan(1_500);
    for (const tag of ['project-context', 'quality-context', 'resumption-context'])
      expect(context.match(new RegExp(`</?${tag}>`, 'g')), tag).toHaveLength(2);
  });

  test('a prompt says at most 1,300 tokens: where an alert is owed the rules wait for the next one', () => {
    const host = begun(FILES, 130_000);
    prompt(host);
    const usual = prompt(host);
    expect(rulesIn(usual)).not.toBeNull();
    expect(estimateTokens(usual)).toBeLessThanOrEqual(BUDGETS.prompt);
    // A compaction of which no hook told: the prompt brings the alert, at a usage that is at WARNING again.
    host.append(boundary('auto', 160_000), request(LONG), answer(140_000, { id: 'm2' }));
    const owed = prompt(host);
    expect(owed).toContain('<compaction-alert>');
    expect(estimateTokens(owed)).toBeLessThanOrEqual(BUDGETS.prompt);
    const next = prompt(host);
    expect(rulesIn(next)).toBe(rulesIn(usual));
  });
});
