// Can a person write, read, compare, acknowledge and check what was saved?
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { CheckpointDiff } from '../../src/model/checkpoint-diff.ts';
import type { Conversation } from '../../src/model/conversation.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { type CliResult, checkpoints, conversationStates, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, jsonl, type Line, request, summary, toolResult, toolUse } from '../unit/lines.ts';
import { run } from './healthy.ts';

const runIn = (host: Host, folder: string, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: folder }, ...args);
const cx = (host: Host, ...args: string[]): CliResult => run(host, 'checkpoint', ...args);
const json = <T>(result: CliResult): T => JSON.parse(result.stdout) as T;

/** Puts a conversation where the client keeps those that ran in a folder; gives the transcript's path. */
function converse(host: Host, lines: readonly Line[], id = SESSION, folder = host.project): string {
  const slug = folder.replace(/[^A-Za-z0-9]/g, '-');
  const file = path.join(host.env.HOME ?? '', '.claude', 'projects', slug, `${id}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, jsonl(lines));
  return file;
}

const saved = (host: Host): Checkpoint[] => checkpoints({ projectDir: host.project });
const stateOf = (host: Host): Conversation | undefined =>
  conversationStates({ projectDir: host.project }).find((each) => each.session_id === SESSION);

const todos = (...list: [content: string, status: string][]): Line[] => [
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
const morning = (host: Host): Line[] => [
  request('write the lexer'),
  ...todos(['Lexer', 'in_progress'], ['Parser', 'pending']),
  ...write(host, 'src/lexer.ts'),
  ...bash('npm test', 'Exit code 1\n\n> p@1.0.0 test\n\u001b[31mError: expected 3\u001b[0m, got 4', true),
  answer(120_000, { id: 'msg_2', content: [{ type: 'text', text: 'One test is red.' }] }),
];
/** What came after it. */
const afternoon = (host: Host): Line[] => [
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

describe('checkpoint create', () => {
  test('writes what is known of the newest conversation of the folder, and says where', () => {
    const host = newHost();
    const transcript = converse(host, morning(host));
    const result = cx(host, 'create', '--note', 'before API_TOKEN=abcdEFGH12345678 is used');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain(
      'Checkpoint cx-001 written: .plimsoll/checkpoints/cx-001-checkpoint.json',
    );
    expect(result.stdout).toContain('1 request, 2 open tasks, 1 file written');
    const [found] = saved(host);
    expect(found).toMatchObject({
      event_type: 'manual',
      trigger: {
        type: 'cli',
        source: 'plimsoll checkpoint create',
        custom_instructions: 'before API_TOKEN=[redacted] is used',
      },
      conversation: { session_id: SESSION, epoch: 0, transcript_path: transcript, git: { branch: 'main' } },
      context_state: { estimated_tokens_used: 120_000 },
      work: { requests: ['write the lexer'], last_answer: 'One test is red.' },
    });
    expect(stateOf(host)?.last_checkpoint).toEqual({
      id: 'cx-001',
      at: found?.timestamp,
      offset: readFileSync(transcript).length,
    });
  });

  test('holds the work since the last compaction, which is no news for the hooks afterwards', () => {
    const host = newHost({ files: { '.plimsoll/config.toml': '[checkpoint]\non_tier_rise = false\n' } });
    const lines = [...morning(host), boundary(), summary(), ...afternoon(host)];
    const transcript = converse(host, lines);
    const { id, epoch, session_id, problems } = json<Record<string, unknown>>(cx(host, 'create', '--json'));
    expect({ id, epoch, session_id, problems }).toEqual({
      id: 'cx-001',
      epoch: 1,
      session_id: SESSION,
      problems: [],
    });
    expect(saved(host)[0]?.work).toMatchObject({
      requests: ['go on with the parser'],
      files_written: [path.join(host.project, 'src/parser.ts')],
    });
    const said = host.fire('UserPromptSubmit', { prompt: 'x', transcript_path: transcript }).context;
    expect(said).not.toContain('compaction-alert');
    expect(said).toContain('Last checkpoint: cx-001');
  });

  test('leaves what the hooks know of the conversation as it is', () => {
    const host = newHost();
    host.append(...morning(host));
    host.fire('UserPromptSubmit', { prompt: 'x' });
    const before = stateOf(host);
    expect(cx(host, 'create', '--session', SESSION).code).toBe(0);
    const { last_checkpoint, ...after } = stateOf(host) ?? ({} as Conversation);
    expect({ ...after, last_checkpoint: before?.last_checkpoint }).toEqual(before);
    expect(last_checkpoint?.id).toBe(saved(host).at(-1)?.event_id);
  });

  test('takes the conversation that it runs in before a newer one of the folder', () => {
    const host = newHost();
    converse(host, morning(host));
    converse(host, [request('something else'), answer(20_000)], 'another');
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe('another');
    host.env.CLAUDE_CODE_SESSION_ID = SESSION;
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe(SESSION);
    host.env.CLAUDE_CODE_SESSION_ID = 'unknown';
    expect(json<{ session_id: string }>(cx(host, 'create', '--json')).session_id).toBe('another');
  });

  test('puts no conversation of another folder into this one', () => {
    const host = newHost();
    const elsewhere = path.join(host.root, 'elsewhere');
    converse(host, [request('secret plans'), answer(20_000)], 'theirs', elsewhere);
    const result = cx(host, 'create', '--session', 'theirs');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Conversation "theirs" ran in another folder\n  Next: ');
    expect(saved(host)).toEqual([]);
    const below = path.join(host.project, 'packages', 'a');
    converse(host, [request('ours'), answer(20_000)], 'ours', below);
    expect(cx(host, 'create', '--session', 'ours').code).toBe(0);
  });

  test.each([
    ['switched off', (host: Host) => void run(host, 'off')],
    [
      'disabled',
      (host: Host) => {
        mkdirSync(host.state(), { recursive: true });
        writeFileSync(host.state('config.toml'), 'enabled = false\n');
      },
    ],
  ])('writes all the same where everything is %s, because a person asked', (_, prepare) => {
    const host = newHost();
    converse(host, morning(host));
    prepare(host);
    expect(cx(host, 'create').code).toBe(0);
    expect(saved(host)).toHaveLength(1);
  });

  test('says clearly that there is no conversation', () => {
    const host = newHost();
    const result = cx(host, 'create');
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(`No conversation of Claude Code was found for "${host.project}"`);
    expect(result.stderr).toContain('Next: run this in a folder where claude has run');
    expect(existsSync(host.state())).toBe(false);
  });

  test('keeps the checkpoint where the state of the conversation is of a newer version, and says so', () => {
    const host = newHost();
    converse(host, morning(host));
    const newer = JSON.stringify({ session_id: SESSION, schema_version: '2.0.0' });
    mkdirSync(host.state('conversations'), { recursive: true });
    writeFileSync(host.state('conversations', `${SESSION}.json`), newer);
    const result = cx(host, 'create');
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('state of the conversation: Written by a newer version');
    expect(saved(host)).toHaveLength(1);
    expect(readFileSync(host.state('conversations', `${SESSION}.json`), 'utf8')).toBe(newer);
  });
});

/** A project with two checkpoints of one conversation. */
function twoCheckpoints(): Host {
  const host = newHost({ files: { 'ORCHESTRATION.yaml': WORKFLOW } });
  converse(host, morning(host));
  cx(host, 'create', '--note', 'the first');
  converse(host, [...morning(host), ...afternoon(host)]);
  const later = WORKFLOW.replace('current_phase: 3', 'current_phase: 4').replace('0.894', '0.951');
  writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), later);
  cx(host, 'create');
  return host;
}
const file = (host: Host, id: string): string => host.state('checkpoints', `${id}-checkpoint.json`);

describe('checkpoint show', () => {
  test('reads like a page of a log book, in plain text', () => {
    const host = twoCheckpoints();
    const { code, stdout } = cx(host, 'show', '1');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    for (const line of [
      /^Checkpoint +cx-001, \d{4}-.* \(just now\)$/m,
      /^Because +cli \(plimsoll checkpoint create\)$/m,
      /^Note +the first$/m,
      /^Fill +120,000 tokens, 60% of the 200,000 window, WARNING$/m,
      /^Workflow +flow-1 \(ACTIVE\); phase 3 \(Implementation\); creator revision; gate qg-2 at 0.894, iteration 2; 1 pending decision$/m,
      /^Acknowledged +no, the agent was not told of it yet$/m,
      /^Integrity +ok, sha256 [0-9a-f]{12}…$/m,
      /^File +\.plimsoll\/checkpoints\/cx-001-checkpoint\.json$/m,
    ])
      expect(stdout).toMatch(line);
    expect(stdout.slice(stdout.indexOf('\nRequest:'))).toBe(`
Request:
  write the lexer

Next step:
  Revise the draft

Tasks:
  [~] Lexer
  [ ] Parser

Pending decisions:
  - D-1: flat files (affects phase 4)

Files written (1):
  src/lexer.ts

Failing commands (1):
  npm test
    → Error: expected 3, got 4

Last answer:
  One test is red.
`);
  });

  test('shows the newest one unless one is named, with done tasks counted and the latest file first', () => {
    const { stdout } = cx(twoCheckpoints(), 'show');
    expect(stdout).toMatch(/^Checkpoint +cx-002/);
    expect(stdout).toContain('Requests before it:\n  - write the lexer\n');
    expect(stdout).toContain('Tasks:\n  [~] Parser\n  [ ] Docs\n  [x] 1 done\n');
    expect(stdout).toContain('Files written (2):\n  src/parser.ts\n  src/lexer.ts\n');
  });

  test('tells when, how and with what a checkpoint was acknowledged', () => {
    const host = twoCheckpoints();
    cx(host, 'ack', '2');
    expect(cx(host, 'show', '2').stdout).toMatch(/^Acknowledged +yes, just now \(cli\)$/m);
    expect(cx(host, 'show', '1').stdout).toMatch(/^Acknowledged +yes, just now, with cx-002 \(cli\)$/m);
  });

  test('prints the file as it is with --json', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-001'), JSON.stringify(saved(host)[0], null, 1));
    expect(cx(host, 'show', 'cx-001', '--json').stdout).toBe(`${JSON.stringify(saved(host)[0], null, 1)}\n`);
    expect(cx(host, 'show', '--json').stdout).toBe(readFileSync(file(host, 'cx-002'), 'utf8'));
  });

  test.each(['1', 'cx-1', 'cx-001', 'CX-001', '001'])('knows cx-001 as "%s"', (name) => {
    const host = newHost();
    converse(host, morning(host));
    cx(host, 'create');
    expect(cx(host, 'show', name).stdout).toContain('cx-001, ');
  });

  test.each([[['show', '9']], [['show', '../x']], [['diff', 'x']], [['ack', '9']], [['verify', '9']]])(
    '%j names no checkpoint, and what to do',
    (args) => {
      const result = cx(newHost(), ...args);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain(`No checkpoint "${args[1]}" in this project\n  Next: `);
    },
  );
});

describe('checkpoint diff', () => {
  test('tells what was done between two checkpoints, the earlier one first in whichever order', () => {
    const host = twoCheckpoints();
    const { code, stdout } = cx(host, 'diff', '1');
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf('\nFill'))).toBe(`
Fill:
  tokens: 120,000 → 150,000
  of the window: 60% → 75%
  tier: WARNING → EMERGENCY

Workflow:
  current phase: 3 → 4
  current gate score: 0.894 → 0.951

New requests:
  - go on with the parser

Tasks:
  [x] Lexer (finished)
  [~] Parser (was pending)
  [ ] Docs (new)

Files newly written (1):
  src/parser.ts

Failing commands:
  fixed: npm test
  new: npm run lint
    → src/parser.ts: unused
`);
    for (const args of [['2'], ['1', '2'], ['2', '1']]) expect(cx(host, 'diff', ...args).stdout).toBe(stdout);
  });

  test('gives the same as data', () => {
    type Ends = { from: { id: string }; to: { id: string } };
    const { from, to, ...diff } = json<CheckpointDiff & Ends>(cx(twoCheckpoints(), 'diff', '1', '--json'));
    expect([from.id, to.id, diff.compactions]).toEqual(['cx-001', 'cx-002', 0]);
    expect(diff.tasks.finished.map((task) => task.subject)).toEqual(['Lexer']);
    expect(diff.failing_commands.fixed.map((each) => each.command)).toEqual(['npm test']);
    expect(diff.workflow).toEqual([
      { of: 'current_phase', from: 3, to: 4 },
      { of: 'current_gate_score', from: 0.894, to: 0.951 },
    ]);
  });

  test('compares with the newest of the same conversation, not with that of another one', () => {
    const host = twoCheckpoints();
    converse(host, [request('something else'), answer(20_000)], 'another');
    cx(host, 'create', '--session', 'another');
    expect(json<{ to: { id: string } }>(cx(host, 'diff', '1', '--json')).to.id).toBe('cx-002');
    const alone = cx(host, 'diff', '3');
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringContaining('Checkpoint "cx-003" is the only one of its conversation\n  Next: '),
    ]);
    expect(cx(host, 'diff', '1', '3').stdout).toContain('(of another conversation)');
  });

  test('says so when nothing changed', () => {
    const { stdout } = cx(twoCheckpoints(), 'diff', '2', '2');
    expect(stdout).toMatch(/\(no compaction in between\)\n\nNothing changed in the work\.\n$/);
  });
});

describe('checkpoint ack', () => {
  const marked = (host: Host): string[] =>
    readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.acknowledged'));

  test('marks a checkpoint and the older ones of its conversation, once, and says what it did', () => {
    const host = twoCheckpoints();
    converse(host, [request('something else'), answer(20_000)], 'another');
    cx(host, 'create', '--session', 'another');
    const before = readFileSync(file(host, 'cx-002'), 'utf8');
    expect(cx(host, 'ack', 'cx-002').stdout).toBe(
      'Acknowledged: cx-001, cx-002 (cx-001: older, of the same conversation)\n',
    );
    expect(marked(host)).toHaveLength(2);
    expect(JSON.parse(readFileSync(`${file(host, 'cx-001')}.acknowledged`, 'utf8'))).toMatchObject({
      evidence: 'cli',
      by: 'cx-002',
    });
    expect(readFileSync(file(host, 'cx-002'), 'utf8')).toBe(before);
    expect(cx(host, 'ack', '1', '2').stdout).toBe('Acknowledged before: cx-001, cx-002\n');
    expect(json(cx(host, 'ack', '--all', '--json'))).toEqual({
      acknowledged: ['cx-003'],
      already: ['cx-001', 'cx-002'],
    });
    expect(marked(host)).toHaveLength(3);
  });

  test('marks older ones as told with the newest of those named', () => {
    const host = twoCheckpoints();
    cx(host, 'ack', '1', '2');
    expect(readFileSync(`${file(host, 'cx-001')}.acknowledged`, 'utf8')).toContain('"by":"cx-002"');
  });

  test('marks a damaged one too, by itself', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-002'), 'torn');
    expect(cx(host, 'ack', '2').stdout).toBe('Acknowledged: cx-002\n');
  });

  test.each([
    [[], 'No checkpoint is named'],
    [['1', '--all'], 'Both checkpoints and --all are given'],
  ])('does not guess: %j', (args, words) => {
    const result = cx(newHost(), 'ack', ...args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`${words}\n  Next: `);
  });

  test('has nothing to do where there are none', () => {
    const result = cx(newHost(), 'ack', '--all');
    expect([result.code, result.stdout]).toEqual([0, 'No checkpoints yet: nothing to acknowledge.\n']);
  });
});

describe('checkpoint verify', () => {
  test('finds every checkpoint as it was written', () => {
    const host = twoCheckpoints();
    const result = cx(host, 'verify');
    expect(result).toEqual({
      code: 0,
      stderr: '',
      stdout: 'cx-001  ok           version 1.0.0\ncx-002  ok           version 1.0.0\n',
    });
  });

  test('names the one that is not, what is wrong and what to do; exit code 1', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-001'), readFileSync(file(host, 'cx-001'), 'utf8').replace('lexer', 'mixer'));
    const result = cx(host, 'verify');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      'cx-001  damaged      .plimsoll/checkpoints/cx-001-checkpoint.json: Changed or damaged since it was written\ncx-002  ok ',
    );
    expect(result.stderr).toBe(
      'Of 2 checkpoints 1 cannot be used: cx-001\n  Next: the transcript still holds the work; plimsoll checkpoint create writes a new checkpoint\n',
    );
    expect(cx(host, 'verify', '2', 'cx-002').stdout.split('\n')).toHaveLength(2);
    expect(cx(host, 'verify', '2').code).toBe(0);
    expect(cx(host, 'verify', '1').code).toBe(1);
    const data = json<{ checkpoints: { id: string; state: string }[]; error: { next: string } }>(
      cx(host, 'verify', '--json'),
    );
    expect(data.checkpoints.map(({ id, state }) => [id, state])).toEqual([
      ['cx-001', 'damaged'],
      ['cx-002', 'ok'],
    ]);
    expect(data.error.next).toContain('plimsoll checkpoint create');
  });

  test('does not call one damaged that a newer version wrote', () => {
    const host = twoCheckpoints();
    writeFileSync(
      file(host, 'cx-002'),
      readFileSync(file(host, 'cx-002'), 'utf8').replace('"1.0.0"', '"2.0.0"'),
    );
    const result = cx(host, 'verify');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('cx-002  not checked');
    expect(result.stderr).toBe(
      'Of 2 checkpoints 1 of a newer version: cx-002\n  Next: update Plimsoll, and verify again\n',
    );
    expect(cx(host, 'show').stderr).toContain('Next: update Plimsoll');
  });
});

test('what a checkpoint holds cannot move the cursor of a terminal', () => {
  const host = newHost();
  const evil = 'clear\u001b[2J the \u0007 screen \u202e';
  converse(host, [request(evil), ...todos([evil, 'pending']), answer(20_000)]);
  cx(host, 'create', '--note', evil);
  converse(host, [request(evil), request(`${evil}2`), ...todos([`${evil}2`, 'pending']), answer(20_000)]);
  cx(host, 'create');
  for (const args of [['show'], ['list'], ['diff', '1'], ['show', '1']]) {
    const { stdout } = cx(host, ...args);
    expect(stdout).toContain('clear the  screen');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  }
});

test('checkpoints of a home folder are written and read beside the state of the user', () => {
  const host = newHost();
  delete host.env.CLAUDE_PROJECT_DIR;
  const home = host.env.HOME ?? '';
  converse(host, [request('tidy up'), answer(20_000)], SESSION, home);
  expect(runIn(host, home, 'checkpoint', 'create').stdout).toContain(
    'state/plimsoll/home/checkpoints/cx-001',
  );
  expect(runIn(host, home, 'checkpoint', 'show').stdout).toContain('Request:\n  tidy up');
  expect(existsSync(path.join(home, '.plimsoll'))).toBe(false);
});

test('every command has help with an example', () => {
  const host = newHost();
  for (const name of ['list', 'show', 'create', 'diff', 'ack', 'verify']) {
    const result = cx(host, name, '--help');
    expect([name, result.code]).toEqual([name, 0]);
    expect(result.stdout).toMatch(/Examples?:\n {2}plimsoll checkpoint /);
    expect(result.stdout).toContain('--json');
  }
});
