// Measures what each hook costs in its everyday situation, compared with a Node process that does nothing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { measure, REPEATS } from './cpu.mjs';
import { changingProgram, lineProgram, quietProgram, unseenProgram } from './situations.mjs';
import { LAST_TOOL, transcript } from './transcript.mjs';
import { createProject } from './world.mjs';

export const BASE = 'node -e 0';
const MEGABYTE = 1_000_000;
const FILL = { nominal: 50_000, warning: 125_000, emergency: 160_000 };

export const NAMES = {
  prompt: 'UserPromptSubmit, NOMINAL',
  promptUnseen: 'UserPromptSubmit, NOMINAL, longest unseen stretch',
  promptWarning: 'UserPromptSubmit, WARNING unchanged',
  batch: 'PostToolBatch, nothing changed',
  batchWarning: 'PostToolBatch, WARNING unchanged',
  tool: 'PostToolUse, nothing changed',
  batchTrack: 'PostToolBatch, noted on a track',
  startTrack: 'SessionStart(startup) on a track',
  preCompact: 'PreCompact',
  compactTrack: 'PreCompact that brings a track up to date',
  sessionStart: 'SessionStart(compact)',
  start: 'SessionStart(startup) after an unfinished session',
  stop: 'Stop after a turn of 60 KB',
  stopFirst: 'Stop that reads 1 MB for the first time',
  sessionEnd: 'SessionEnd, with its checkpoint',
  line: 'status line',
  guardBytes: 'PreToolUse, a command that the byte check passes',
  guardEdit: 'PreToolUse, an edit that the rules pass',
  guardParse: 'PreToolUse, a command that is parsed',
  guardLooks: 'PostToolBatch under guardrails, a command that only looks',
  guardBehind: 'PostToolBatch under guardrails, git is asked what a command changed',
};

/** Hooks of rare events: they may cost three times the bare process, where most others may cost 1.3 times. */
export const RARE = [
  NAMES.preCompact,
  NAMES.compactTrack,
  NAMES.sessionStart,
  NAMES.start,
  NAMES.startTrack,
  NAMES.stop,
  NAMES.stopFirst,
  NAMES.sessionEnd,
];

/** Hooks in a project with an active track, where they also log tool calls, compact the track and tell of it. */
function trackPrograms(world) {
  const project = createProject(world, 'tracked');
  const tasks = Array.from({ length: 12 }, (_, at) => `- [ ] Task: [T-${at}] do the thing of number ${at}\n`);
  const decisions = Array.from(
    { length: 30 },
    (_, at) => `- Decision: [D-${at}] choose ${at}\n  - Reason: it is simpler\n  - Impact: none\n`,
  );
  for (const [name, text] of [
    ['docs/tracks/ACTIVE_TRACK', 'cache\n'],
    ['docs/tracks/cache/PLAN.md', `# Plan\n\n${tasks.join('')}`],
    ['docs/tracks/cache/DECISIONS.md', `# Decisions\n\n${decisions.join('')}`],
  ]) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const quiet = (name, event, session, says, fields) => {
    const text = transcript({ session, cwd: project, bytes: MEGABYTE, fill: FILL.nominal, ending: 'tool' });
    writeFileSync(world.transcriptPath(session), text);
    return quietProgram(world, { name, event, project, session, says, fields });
  };
  const calls = [
    { tool_name: 'Bash', tool_input: { command: 'ls -la' }, tool_use_id: 'toolu_bench', tool_response: 'a' },
  ];
  /** Ten decisions and 200 calls since the last compaction. */
  const filesOf = (session) => ({
    'docs/tracks/ACTIVE_TRACK': 'cache\n',
    'docs/tracks/cache/SPEC.md': '# Specification\n',
    'docs/tracks/cache/PLAN.md': `# Plan\n\n${tasks.join('')}`,
    'docs/tracks/cache/DECISIONS.md': '# Decisions\n',
    [`artifacts/sessions/${session}/work_log.md`]: [
      '<!-- plimsoll work log; track: cache -->\n',
      ...Array.from({ length: 200 }, (_, at) => {
        const line = `- 2026-11-28T10:00:${10 + (at % 50)}Z Edit src/file-${at}.ts: ok\n`;
        return at % 20 === 0
          ? `${line}- Decision: choose ${at}\n  - Reason: simpler\n  - Impact: none\n`
          : line;
      }),
    ].join(''),
  });
  const compaction = changingProgram(world, {
    name: NAMES.compactTrack,
    event: 'PreCompact',
    before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch'],
    bytes: MEGABYTE,
    fill: FILL.emergency,
    says: 'Facts to keep',
    wrote: (_, __, dir) => existsSync(join(dir, 'artifacts/checkpoints/cache/latest.json')),
    filesOf,
  });
  return [
    compaction,
    quiet(NAMES.batchTrack, 'PostToolBatch', 'bench-tracked', null, { tool_calls: calls }),
    quiet(NAMES.startTrack, 'SessionStart', 'bench-tracked-start', 'TRACK: cache', { source: 'startup' }),
  ];
}

/** Hooks with guardrails on, in a project of their own: PreToolUse is registered only there. */
function guardPrograms(world) {
  const project = createProject(world, 'guarded');
  mkdirSync(join(project, '.plimsoll'), { recursive: true });
  writeFileSync(join(project, '.plimsoll', 'config.toml'), '[guardrails]\nmode = "enforce"\n');
  const guarded = (name, tool_name, tool_input, event = 'PreToolUse') => {
    const session = `bench-${name.replace(/\W+/g, '-')}`;
    const text = transcript({ session, cwd: project, bytes: MEGABYTE, fill: FILL.nominal, ending: 'tool' });
    writeFileSync(world.transcriptPath(session), text);
    const call = { tool_name, tool_input, tool_use_id: LAST_TOOL };
    const fields = event === 'PreToolUse' ? call : { tool_calls: [{ ...call, tool_response: 'ok' }] };
    return quietProgram(world, { name, event, project, session, says: null, fields });
  };
  const batch = (name, command) => guarded(name, 'Bash', { command }, 'PostToolBatch');
  const file_path = join(project, 'src', 'ledger.ts');
  return [
    guarded(NAMES.guardBytes, 'Bash', { command: 'npm test -- --run ledger' }),
    guarded(NAMES.guardEdit, 'Edit', { file_path, old_string: 'entry.trim()', new_string: 'entry' }),
    guarded(NAMES.guardParse, 'Bash', {
      command: 'for f in src/*.ts; do sed -n 1,5p "$f" > "/tmp/$(basename "$f")"; done && git status --short',
    }),
    batch(NAMES.guardLooks, 'git status && ls src'),
    batch(NAMES.guardBehind, 'npm run build'),
  ];
}

const stateOf = (state, session) =>
  JSON.parse(readFileSync(join(state, 'sessions', session, 'state.json'), 'utf8'));

function createPrograms(world) {
  const project = createProject(world, 'ledger');
  const quiet = (name, event, { tier, fill, ending, says }) => {
    const session = `bench-${event}-${tier}`;
    writeFileSync(
      world.transcriptPath(session),
      transcript({ session, cwd: project, bytes: MEGABYTE, fill, tier, ending }),
    );
    return quietProgram(world, { name, event, project, session, says });
  };
  const statusLine = () => {
    const session = 'bench-line';
    const fill = FILL.nominal;
    const text = transcript({ session, cwd: project, bytes: MEGABYTE, fill });
    writeFileSync(world.transcriptPath(session), text);
    return lineProgram(world, { name: NAMES.line, project, session, fill, says: 'NOMINAL' });
  };
  const says = 'CONTEXT STATUS: NOMINAL';
  const unseen = unseenProgram(world, {
    name: NAMES.promptUnseen,
    event: 'UserPromptSubmit',
    project,
    bytes: MEGABYTE,
    fill: FILL.nominal,
    says,
  });
  const atPrompt = { tier: 'NOMINAL', fill: FILL.nominal, ending: 'answer', says };
  const warned = { tier: 'WARNING', fill: FILL.warning, ending: 'answer', says: 'CONTEXT STATUS: WARNING' };
  const inTurn = { ending: 'tool', says: null };
  const programs = [
    {
      name: BASE,
      runs: Array.from({ length: REPEATS }, () => ({
        argv: [process.execPath, '-e', '0'],
        stdin: '/dev/null',
      })),
    },
    quiet(NAMES.prompt, 'UserPromptSubmit', atPrompt),
    unseen.program,
    quiet(NAMES.promptWarning, 'UserPromptSubmit', warned),
    quiet(NAMES.batch, 'PostToolBatch', { ...atPrompt, ...inTurn }),
    quiet(NAMES.batchWarning, 'PostToolBatch', { ...warned, ...inTurn }),
    quiet(NAMES.tool, 'PostToolUse', { ...atPrompt, ...inTurn }),
    statusLine(),
    ...trackPrograms(world),
    ...guardPrograms(world),
    changingProgram(world, {
      name: NAMES.preCompact,
      event: 'PreCompact',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch'],
      bytes: MEGABYTE,
      fill: FILL.emergency,
      says: 'cx-002',
      wrote: (state) => existsSync(join(state, 'checkpoints', 'cx-002-checkpoint.json')),
    }),
    changingProgram(world, {
      name: NAMES.sessionStart,
      event: 'SessionStart',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch', 'PreCompact'],
      bytes: MEGABYTE,
      fill: FILL.emergency,
      says: '<compaction-alert>',
      wrote: (state, session) => stateOf(state, session).alert !== null,
    }),
    changingProgram(world, {
      name: NAMES.start,
      event: 'SessionStart',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch', 'SessionEnd'],
      bytes: MEGABYTE,
      fill: FILL.nominal,
      says: 'left work unfinished',
      wrote: (state, session) => stateOf(state, session).received_handoff !== null,
      other: { session: 'bench-next', fields: { source: 'startup' } },
    }),
    changingProgram(world, {
      name: NAMES.stop,
      event: 'Stop',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch', 'Stop'],
      bytes: MEGABYTE,
      grown: 60_000,
      fill: FILL.nominal,
      says: null,
      wrote: (state, session) => stateOf(state, session).last_stop !== null,
    }),
    changingProgram(world, {
      name: NAMES.stopFirst,
      event: 'Stop',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch'],
      bytes: MEGABYTE,
      fill: FILL.nominal,
      says: null,
      wrote: (state, session) => stateOf(state, session).last_stop !== null,
    }),
    changingProgram(world, {
      name: NAMES.sessionEnd,
      event: 'SessionEnd',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch', 'Stop'],
      bytes: MEGABYTE,
      fill: FILL.nominal,
      says: null,
      wrote: (state, session) =>
        stateOf(state, session).ended !== null &&
        existsSync(join(state, 'checkpoints', 'cx-001-checkpoint.json')),
    }),
  ];
  return { programs, unseenKilobytes: unseen.kilobytes };
}

/** Medians and minima of every situation and of the baseline, and how long the longest unseen stretch is. */
export function measureHooks(world, rounds) {
  const { programs, unseenKilobytes } = createPrograms(world);
  return { figures: measure(programs, rounds, world.env), unseenKilobytes };
}
