// Creates the world in which the measured hooks run: home, projects, environment and bundle, all in one folder.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LAST_TOOL, PROMPT } from './transcript.mjs';

const FILES = {
  'README.md': '# Ledger\n\nBooks invoices.\n',
  'package.json': '{ "name": "ledger", "private": true }\n',
  'src/parser.ts': 'export const parse = (text: string) => text.split(",");\n',
  'src/ledger.ts': 'export const book = (entry: string) => entry;\n',
  'test/parser.test.ts': 'import "../src/parser.ts";\n',
  'ORCHESTRATION.yaml': [
    'workflow:',
    '  id: ledger-rewrite',
    '  status: ACTIVE',
    'resumption:',
    '  recovery_state:',
    '    current_phase: 2',
    '    current_phase_name: "Parser"',
    '    current_activity: "bounded reading"',
    '    next_step: "write the property test of the reader"',
    '    updated_at: "2026-11-27T08:00:00Z"',
    '  files_to_read:',
    '    - path: docs/plan.md',
    '      priority: 1',
    '      sections: ["Phase 2"]',
    '  decision_log:',
    '    - id: D-1',
    '      decision: "Lines are split on 0x0A only"',
    '      affects_phases: [2]',
    '      applied: true',
    '',
  ].join('\n'),
};

/**
 * @typedef {ReturnType<typeof createWorld>} World
 * @param {string} dist folder with the built chunks; they are copied, so that a rebuild meanwhile changes nothing
 */
export function createWorld(dist) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-bench-')));
  const home = join(root, 'home');
  const bundle = join(home, '.local', 'share', 'plimsoll', 'current');
  const transcripts = join(home, '.claude', 'projects', 'ledger');
  for (const folder of [bundle, transcripts, join(root, 'payloads')]) mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (name.endsWith('.cjs')) cpSync(join(dist, name), join(bundle, name));
  }
  /** Built from nothing. NODE_EXTRA_CA_CERTS above all is not in it: on Node 20 it hides what a hook costs. */
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH ?? '/usr/bin:/bin'].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
  };
  return {
    root,
    env,
    dist: bundle,
    hook: join(bundle, 'hook.cjs'),
    transcriptPath: (session) => join(transcripts, `${session}.jsonl`),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const git = (folder, env, ...args) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });

/** A project under git with one file changed and one new, as in the middle of work. */
export function createProject(world, name) {
  const folder = join(world.root, 'work', name);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, world.env, 'init', '--quiet', '--initial-branch=main');
  git(folder, world.env, 'config', 'user.name', 'Bench');
  git(folder, world.env, 'config', 'user.email', 'bench@localhost');
  git(folder, world.env, 'add', '--all');
  git(folder, world.env, 'commit', '--quiet', '--message=start');
  writeFileSync(join(folder, 'src/ledger.ts'), 'export const book = (entry: string) => entry.trim();\n');
  writeFileSync(join(folder, 'src/report.ts'), 'export const report = () => "";\n');
  return folder;
}

const PARTICULARS = {
  UserPromptSubmit: { permission_mode: 'default', prompt: 'go on with the reader' },
  PostToolBatch: {
    permission_mode: 'default',
    tool_calls: [
      {
        tool_name: 'Bash',
        tool_input: { command: 'npm test', description: 'x' },
        tool_use_id: LAST_TOOL,
        tool_response: 'ok',
      },
    ],
  },
  PostToolUse: {
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'npm test', description: 'x' },
    tool_response: { stdout: 'ok', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
    tool_use_id: LAST_TOOL,
    duration_ms: 1_040,
  },
  PreCompact: { trigger: 'auto', custom_instructions: null },
  SessionStart: { source: 'compact', model: 'claude-sonnet-4-5' },
  Stop: {
    permission_mode: 'default',
    stop_hook_active: false,
    last_assistant_message: 'The reader is bounded.',
  },
  SessionEnd: { reason: 'prompt_input_exit' },
};

/** How the client would call a hook now: its command, the payload as a file, and the variable that the client sets. */
export function hookRun(world, event, { project, session, fields = {} }) {
  const payload = {
    session_id: session,
    transcript_path: world.transcriptPath(session),
    cwd: project,
    prompt_id: PROMPT,
    hook_event_name: event,
    ...PARTICULARS[event],
    ...fields,
  };
  // One session may stand in several projects, and is called with the folder of each.
  const name = `${basename(project)}-${session}-${event}-${payload.source ?? ''}.json`;
  const stdin = join(world.root, 'payloads', name);
  writeFileSync(stdin, `${JSON.stringify(payload)}\n`);
  return {
    argv: [process.execPath, world.hook, event],
    stdin,
    text: JSON.stringify(payload),
    env: { CLAUDE_PROJECT_DIR: project },
  };
}

/** Runs a hook once and returns what it said. */
export function callHook(world, run) {
  const [program, ...args] = run.argv;
  const result = spawnSync(program, args, {
    env: { ...world.env, ...run.env },
    input: run.text,
    encoding: 'utf8',
  });
  if (result.status !== 0 || result.stderr !== '') throw new Error(`a hook failed: ${result.stderr}`);
  return result.stdout;
}

/** The state folder of a project, whose name has a random part; where there is none yet, a path that does not exist. */
export function stateIn(project) {
  const folder = join(project, '.plimsoll');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, names.find((name) => name.startsWith('state-')) ?? 'state-none');
}

/** Lists the failure logs that exist: a hook that fails is silent and fast, which makes its figures worthless. */
export function failuresIn(world, project) {
  return [
    join(stateIn(project), 'failures.jsonl'),
    join(world.env.XDG_STATE_HOME, 'plimsoll', 'failures.jsonl'),
  ].filter((path) => existsSync(path));
}
