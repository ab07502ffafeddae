// Tests that no command writes terminal control sequences that stand in the files it tells of.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, boundary, request } from '../unit/lines.ts';
import { TRACK } from '../unit/tracks.ts';
import { run } from './healthy.ts';

/** Sets the title, a colour, clears the screen by a single character, goes back to the begin of the line, turns the direction. */
const EVIL = 'A\u001b]0;title\u0007\u001b[31m\u009b2J\rB\u202eC\u0008';
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const quoted = JSON.stringify(EVIL).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e');

const SETTINGS = `[guardrails]
mode = "enforce"
${quoted} = 1

[guardrails.paths]
protected = ["gen/**", ${quoted}]

[[guardrails.examples]]
path = ${quoted}
expect = "ask"
note = ${quoted}
`;
const STATE = `workflow:
  id: ${quoted}
  name: ${quoted}
  status: "ACTIVE"
${quoted}: ${quoted}
resumption:
  schema_version: "2.0.0"
  position:
    current_phase: ${quoted}
    current_activity: ${quoted}
    next_step: ${quoted}
  decision_log:
    - id: ${quoted}
      decision: ${quoted}
`;

/** A project of whose files each holds it where it can, and a session that was compacted. */
function hostile(): Host {
  const host = newHost({
    files: {
      '.plimsoll/config.toml': SETTINGS,
      'ORCHESTRATION.yaml': STATE,
      [`gen/${EVIL}.js`]: '',
      'docs/tracks/ACTIVE_TRACK': 'cache\n',
      [`${TRACK}/SPEC.md`]: `# Specification: ${EVIL}\n\n## Goal\n\n${EVIL} TODO\n`,
      [`${TRACK}/PLAN.md`]: `# Plan: ${EVIL}\n\n## Tasks\n\n- [ ] Task: [T-1] ${EVIL}\n`,
      [`${TRACK}/RISKS.md`]: `# Risks\n\n- Risk: [R-1] ${EVIL} (high)\n`,
      [`${TRACK}/DECISIONS.md`]: `# Decisions\n\n- Decision: [D-1] ${EVIL}\n- Decision: ${EVIL}\n`,
    },
  });
  rmSync(path.join(host.project, '.git'), { recursive: true });
  spawnSync('git', ['init', '--quiet'], { cwd: host.project, env: host.env });
  host.append(request(EVIL), answer(30_000, { model: EVIL, content: [{ type: 'text', text: EVIL }] }));
  for (const [event, fields] of [
    ['SessionStart', { source: 'startup', model: EVIL }],
    ['UserPromptSubmit', { prompt: EVIL }],
    ['PreCompact', { trigger: 'manual', custom_instructions: EVIL }],
  ] as const)
    host.fire(event, fields);
  host.append(boundary(), answer(20_000, { id: 'm2', model: EVIL }));
  host.fire('SessionStart', { source: 'compact', model: EVIL });
  host.fire('SessionEnd', { reason: EVIL });
  const stream = host.state('sessions', SESSION, 'events.jsonl');
  mkdirSync(path.dirname(stream), { recursive: true });
  writeFileSync(stream, `${JSON.stringify({ type: EVIL })}\n${EVIL}\n`, { flag: 'a' });
  return host;
}

const COMMANDS: Record<string, string[]> = {
  checks: [
    'check --all',
    'check --all --format github',
    'check --all --format sarif',
    'track lint',
    `guard explain --path gen/${EVIL}`,
    `guard explain --command echo>gen/${EVIL}`,
    'guard test',
  ],
  checkpoints: [
    'checkpoint list',
    'checkpoint show cx-001',
    'checkpoint verify',
    'resume',
    'resume --preview',
    'resume cx-001',
  ],
  settings: [
    'config get guardrails.examples',
    'config show',
    'config validate',
    'doctor --all',
    'export --output - --with-text',
    EVIL,
  ],
  work: [
    'state decision list',
    'state show',
    'state validate',
    'track list',
    'track show cache',
    'track show --full',
  ],
  sessions: ['events --all', 'session list', 'session show', 'status'],
};

test.each(Object.entries(COMMANDS))('no command about %s writes what a terminal obeys', (_, commands) => {
  const host = hostile();
  const said = commands.map((command) => [command, run(host, ...command.split(' '))] as const);
  expect(said.filter(([, { stdout, stderr }]) => OBEYED.test(stdout + stderr))).toEqual([]);
  const misread = said.filter(([command, { code }]) => code === 2 && command !== EVIL);
  expect(misread).toEqual([]);
});

test.each(['config get guardrails.examples', 'checkpoint show cx-001', 'guard test', 'state show'])(
  '%s --json is the same data',
  (command) => {
    const { stdout } = run(hostile(), ...command.split(' '), '--json');
    expect(stdout).not.toMatch(OBEYED);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(EVIL).slice(1, -1));
  },
);
