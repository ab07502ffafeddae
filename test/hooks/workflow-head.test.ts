// Tests what the head of a workflow decides: how early is warned, and which of several is followed.
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../src/text/budget.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { MINE, newHost } from './host.ts';
import { talk } from './talk.ts';

const flow = (id: string, more = '', status = 'ACTIVE'): string =>
  `workflow:\n  id: "${id}"\n  status: "${status}"\n${more}resumption:\n  current_phase: 2\n  next_step: "go on"\n`;

/** What is said at a prompt with so much in the context, in a session that has begun. */
function saidAt(tokens: number, files: Record<string, string>): string {
  const host = newHost({ files });
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('Go'), answer(20_000, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  host.append(answer(tokens, { id: 'm2' }));
  return host.fire('UserPromptSubmit').context;
}

describe('the criticality of the workflow', () => {
  // [what, the file, settings of the person, tokens of 167,000, the tier]
  test.each<[string, string, string, number, string]>([
    ['C4 warns at 50%', flow('w', '  criticality: "C4"\n'), '', 84_000, 'WARNING'],
    ['C3 warns at 60%', flow('w', '  criticality: c3 (high)\n'), '', 101_000, 'WARNING'],
    ['C1 warns at 80%', flow('w', '  criticality: C1\n'), '', 130_000, 'LOW'],
    ['of the section counts', `${flow('w')}  criticality: C4\n`, '', 84_000, 'WARNING'],
    [
      'of the header counts',
      flow('w').replace('workflow:', 'header:\n  criticality: C4\nworkflow:'),
      '',
      84_000,
      'WARNING',
    ],
    ['that is none is not read', flow('w', '  criticality: high\n'), '', 84_000, 'NOMINAL'],
    [
      'of a finished workflow does not count',
      flow('w', '  criticality: C4\n', 'COMPLETE'),
      '',
      84_000,
      'NOMINAL',
    ],
    [
      'yields to a preset that is set',
      flow('w', '  criticality: C4\n'),
      'sensitivity = "C2"',
      84_000,
      'NOMINAL',
    ],
    [
      'yields to a threshold that is set',
      flow('w', '  criticality: C4\n'),
      'warning_threshold = 0.6',
      84_000,
      'LOW',
    ],
  ])('%s', (_, text, mine, tokens, tier) => {
    const files = { 'ORCHESTRATION.yaml': text, [MINE]: `[context_monitor]\n${mine}\n` };
    expect(saidAt(tokens, files)).toContain(`CONTEXT STATUS: ${tier}`);
  });

  test.each([
    ['C2', false],
    ['C3', true],
    ['C4', true],
  ])('%s names a new session as the way out, at EMERGENCY to the user: %s', (level, isTold) => {
    const files = { 'ORCHESTRATION.yaml': flow('w', `  criticality: ${level}\n`) };
    const at = {
      critical: saidAt({ C2: 135_000, C3: 121_000, C4: 115_000 }[level] ?? 0, files),
      emergency: saidAt(150_000, files),
    };
    expect(at.critical).toContain('CONTEXT STATUS: CRITICAL');
    expect(at.critical.includes(`- At ${level} a new session is the way out: plimsoll handoff`)).toBe(isTold);
    expect(at.emergency).toContain('CONTEXT STATUS: EMERGENCY');
    expect(at.emergency.includes('that a new session with plimsoll handoff is the way out (AE-006)')).toBe(
      isTold,
    );
    for (const said of Object.values(at)) {
      expect(said).toContain('- Keep decisions and findings that only this context holds: plimsoll note "…"');
      expect(said).toMatch(/plimsoll state (?:decision add|next) "…"/);
      expect(estimateTokens(said)).toBeLessThanOrEqual(BUDGETS.monitor);
      expect(said).not.toMatch(/nothing new|anything new/);
    }
  });
});

describe('of several active workflows', () => {
  const files = {
    'projects/alpha/ORCHESTRATION.yaml': flow('alpha-1'),
    'projects/beta/ORCHESTRATION.yaml': flow('beta-2'),
    'projects/gamma/ORCHESTRATION.yaml': flow('gamma-3', '', 'COMPLETE'),
  };

  test('the agent is told once that there are several, their names, and the command that chooses', () => {
    const host = newHost({ files });
    const a = talk(host, 'session-a');
    const { context } = a.fire('SessionStart', { source: 'startup' });
    expect(context).toContain('2 ACTIVE WORKFLOWS, none followed yet: alpha-1, beta-2');
    const [, command = ''] = /^To choose: plimsoll (.*)$/m.exec(context) ?? [];
    a.write(request('Go'), answer(20_000));
    expect(a.fire('UserPromptSubmit').context).not.toContain('ACTIVE WORKFLOWS');
    expect(plimsoll({ env: host.env, projectDir: host.project }, ...command.split(' ')).code).toBe(0);
    const chosen = talk(host, 'session-b').fire('SessionStart', { source: 'startup' }).context;
    expect(chosen).toContain('ACTIVE WORKFLOW: alpha-1');
    expect(chosen).not.toContain('ACTIVE WORKFLOWS');
  });

  test('the nearest to the folder needs no choice', () => {
    const host = newHost({ files });
    const cwd = `${host.project}/projects/beta`;
    const { context } = talk(host, 'session-a').fire('SessionStart', { source: 'startup', cwd });
    expect(context).toContain('ACTIVE WORKFLOW: beta-2');
    expect(context).not.toContain('ACTIVE WORKFLOWS');
  });
});
