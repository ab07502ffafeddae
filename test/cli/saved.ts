// Work to save, of a morning and of an afternoon, and a checkpoint of each.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Checkpoint } from '../../src/compaction/checkpoint/checkpoint.ts';
import type { SessionState } from '../../src/sessions/session-state.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { type CliResult, checkpoints, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { answer, jsonl, type Line, request, toolResult, toolUse } from '../unit/lines.ts';
import { run } from './healthy.ts';

export const runIn = (host: Host, folder: string, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: folder }, ...args);
export const cx = (host: Host, ...args: string[]): CliResult => run(host, 'checkpoint', ...args);
export const json = <T>(result: CliResult): T => JSON.parse(result.stdout) as T;

/** Puts a session where the client keeps those that ran in a folder; gives the transcript's path. */
export function converse(host: Host, lines: readonly Line[], id = SESSION, folder = host.project): string {
  const slug = folder.replace(/[^A-Za-z0-9]/g, '-');
  const file = path.join(host.env.HOME ?? '', '.claude', 'projects', slug, `${id}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, jsonl(lines));
  return file;
}

export const saved = (host: Host): Checkpoint[] => checkpoints({ projectDir: host.project, env: host.env });
export const stateOf = (host: Host): SessionState | undefined =>
  sessionStates({ projectDir: host.project, env: host.env }).find((each) => each.session_id === SESSION);

export const todos = (...list: [content: string, status: string][]): Line[] => [
  toolUse('todo', 'TodoWrite', { todos: list.map(([content, status]) => ({ content, status })) }),
  toolResult('todo'),
];
const write = (host: Host, name: string): Line[] => [
  toolUse(name, 'Write', { file_path: path.join(host.project, name), content: 'x' }),
  toolResult(name),
];
const bash = (command: string, output: string, isError: boolean): Line[] => [
  toolUse(command, 'Bash', { command }),
  toolResult(command, output, { isError }),
];

/** A morning's work. */
export const morning = (host: Host): Line[] => [
  request('write the lexer'),
  ...todos(['Lexer', 'in_progress'], ['Parser', 'pending']),
  ...write(host, 'src/lexer.ts'),
  ...bash('npm test', 'Exit code 1\n\n> p@1.0.0 test\n\u001b[31mError: expected 3\u001b[0m, got 4', true),
  answer(120_000, { id: 'msg_2', content: [{ type: 'text', text: 'One test is red.' }] }),
];
/** What came after it. */
export const afternoon = (host: Host): Line[] => [
  request('go on with the parser'),
  ...todos(['Lexer', 'completed'], ['Parser', 'in_progress'], ['Docs', 'pending']),
  ...write(host, 'src/parser.ts'),
  ...bash('npm test', 'ok', false),
  ...bash('npm run lint', 'src/parser.ts: unused', true),
  answer(150_000, { id: 'msg_3', content: [{ type: 'text', text: 'The tests are green.' }] }),
];

const WORKFLOW = `workflow:
  id: flow-1
  status: ACTIVE
resumption:
  recovery_state:
    current_phase: 3
    current_phase_name: Implementation
    current_activity: creator revision
    next_step: "Revise the draft"
  quality_trajectory:
    current_gate: qg-2
    current_gate_iteration: 2
    score_history:
      qg-2: [0.82, 0.894]
  decision_log:
    - id: D-1
      decision: "flat files"
      applied: false
      affects_phases: [4]
`;

/** A project with two checkpoints of one session. */
export function twoCheckpoints(): Host {
  const host = newHost({ files: { 'ORCHESTRATION.yaml': WORKFLOW } });
  converse(host, morning(host));
  cx(host, 'create', '--note', 'the first');
  converse(host, [...morning(host), ...afternoon(host)]);
  const later = WORKFLOW.replace('current_phase: 3', 'current_phase: 4').replace('0.894', '0.951');
  writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), later);
  cx(host, 'create');
  return host;
}
export const file = (host: Host, id: string): string => host.state('checkpoints', `${id}-checkpoint.json`);
