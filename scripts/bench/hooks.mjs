// What does each hook cost in its everyday situation, against Node that does nothing?
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, REPEATS } from './cpu.mjs';
import { transcript } from './transcript.mjs';
import { callHook, createProject, failuresIn, hookRun } from './world.mjs';

export const BASE = 'node -e 0';
const MEGABYTE = 1_000_000;
const FILL = { nominal: 50_000, warning: 125_000, emergency: 160_000 };

export const NAMES = {
  prompt: 'UserPromptSubmit, NOMINAL',
  promptUnseen: 'UserPromptSubmit, NOMINAL, 1 MB since the last write',
  promptWarning: 'UserPromptSubmit, WARNING unchanged',
  batch: 'PostToolBatch, nothing changed',
  batchWarning: 'PostToolBatch, WARNING unchanged',
  tool: 'PostToolUse, nothing changed',
  preCompact: 'PreCompact',
  sessionStart: 'SessionStart(compact)',
};

function expectWords(words, expected, name) {
  const isAsExpected = expected === null ? words === '' : words.includes(expected);
  if (!isAsExpected)
    throw new Error(
      `${name} was expected to say ${JSON.stringify(expected)}, but said ${JSON.stringify(words)}`,
    );
}

function expectHealth(world, project, name) {
  const [log] = failuresIn(world, project);
  if (log !== undefined) throw new Error(`${name} noted a failure: ${readFileSync(log, 'utf8')}`);
}

const statePath = (project, session) => join(project, '.plimsoll', 'conversations', `${session}.json`);

/** A hook that finds nothing new: called until its state and settings are in place, and then expected to write nothing. */
export function quietProgram(world, { name, event, project, session, says }) {
  const run = hookRun(world, event, { project, session });
  const prompt = hookRun(world, 'UserPromptSubmit', { project, session });
  for (let time = 0; time < 3; time++) {
    callHook(world, prompt);
    callHook(world, run);
  }
  const state = readFileSync(statePath(project, session), 'utf8');
  expectWords(callHook(world, run), says, name);
  return {
    name,
    runs: Array.from({ length: REPEATS }, () => run),
    check: () => {
      expectHealth(world, project, name);
      if (readFileSync(statePath(project, session), 'utf8') !== state)
        throw new Error(`${name} changed its state`);
    },
  };
}

/** The latest that a state may be behind its transcript: nearly 1 MB is read again by every call. */
function unseenProgram(world, project) {
  const session = 'bench-unseen';
  const path = world.transcriptPath(session);
  writeFileSync(path, transcript({ session, cwd: project, bytes: MEGABYTE, fill: FILL.nominal }));
  callHook(world, hookRun(world, 'UserPromptSubmit', { project, session }));
  callHook(world, hookRun(world, 'UserPromptSubmit', { project, session }));
  appendFileSync(path, transcript({ session, cwd: project, bytes: MEGABYTE, fill: FILL.nominal, seed: 2 }));
  const program = quietProgram(world, {
    name: NAMES.promptUnseen,
    event: 'UserPromptSubmit',
    project,
    session,
    says: 'CONTEXT STATUS: NOMINAL',
  });
  const { seen } = JSON.parse(readFileSync(statePath(project, session), 'utf8'));
  if (statSync(path).size - seen.offset < 0.9 * MEGABYTE)
    throw new Error(`${program.name}: the state was written again`);
  return program;
}

/**
 * A hook that changes its state: as many projects as a sample has runs, each put back to the moment before the call.
 * @param {string[]} before events that lead to that moment
 */
function changingProgram(world, { name, event, before, says, wrote }) {
  const slots = Array.from({ length: REPEATS }, (_, n) => {
    const session = `bench-${event}-${n}`;
    const project = createProject(world, session);
    const state = join(project, '.plimsoll');
    const kept = join(world.root, 'kept', session);
    writeFileSync(
      world.transcriptPath(session),
      transcript({ session, cwd: project, bytes: MEGABYTE, fill: FILL.emergency }),
    );
    for (const each of before) callHook(world, hookRun(world, each, { project, session }));
    cpSync(state, kept, { recursive: true, preserveTimestamps: true });
    const run = hookRun(world, event, { project, session });
    expectWords(callHook(world, run), says, name);
    return { project, session, state, kept, run };
  });
  return {
    name,
    runs: slots.map(({ run }) => run),
    prepare: () => {
      for (const { state, kept } of slots) {
        rmSync(state, { recursive: true, force: true });
        cpSync(kept, state, { recursive: true, preserveTimestamps: true });
      }
    },
    check: () => {
      for (const { project, session, state } of slots) {
        expectHealth(world, project, name);
        if (!wrote(state, session)) throw new Error(`${name} did not leave what it is measured for`);
      }
    },
  };
}

const hasCheckpoint = (state, id) => existsSync(join(state, 'checkpoints', `${id}-checkpoint.json`));

function programs(world) {
  const project = createProject(world, 'ledger');
  const at = (session, fill, tier, ending) => {
    writeFileSync(
      world.transcriptPath(session),
      transcript({ session, cwd: project, bytes: MEGABYTE, fill, tier, ending }),
    );
    return { project, session };
  };
  const nominal = at('bench-nominal', FILL.nominal, 'NOMINAL', 'answer');
  const warning = at('bench-warning', FILL.warning, 'WARNING', 'answer');
  const inTurn = at('bench-turn', FILL.nominal, 'NOMINAL', 'tool');
  const inTurnWarning = at('bench-turn-warning', FILL.warning, 'WARNING', 'tool');
  return [
    {
      name: BASE,
      runs: Array.from({ length: REPEATS }, () => ({
        argv: [process.execPath, '-e', '0'],
        stdin: '/dev/null',
      })),
    },
    quietProgram(world, {
      name: NAMES.prompt,
      event: 'UserPromptSubmit',
      ...nominal,
      says: 'CONTEXT STATUS: NOMINAL',
    }),
    unseenProgram(world, project),
    quietProgram(world, {
      name: NAMES.promptWarning,
      event: 'UserPromptSubmit',
      ...warning,
      says: 'CONTEXT STATUS: WARNING',
    }),
    quietProgram(world, { name: NAMES.batch, event: 'PostToolBatch', ...inTurn, says: null }),
    quietProgram(world, { name: NAMES.batchWarning, event: 'PostToolBatch', ...inTurnWarning, says: null }),
    quietProgram(world, { name: NAMES.tool, event: 'PostToolUse', ...inTurn, says: null }),
    changingProgram(world, {
      name: NAMES.preCompact,
      event: 'PreCompact',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch'],
      says: 'cx-002',
      wrote: (state) => hasCheckpoint(state, 'cx-002'),
    }),
    changingProgram(world, {
      name: NAMES.sessionStart,
      event: 'SessionStart',
      before: ['UserPromptSubmit', 'UserPromptSubmit', 'PostToolBatch', 'PreCompact'],
      says: '<compaction-alert>',
      wrote: (state, session) =>
        JSON.parse(readFileSync(join(state, 'conversations', `${session}.json`), 'utf8')).alert !== null,
    }),
  ];
}

/** Medians and minima of every situation, and of the baseline. */
export function measureHooks(world, rounds) {
  return measure(programs(world), rounds, world.env);
}
