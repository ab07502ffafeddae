// Sets up the situation in which a hook is measured, and checks that the hook did what it is measured for.
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPEATS } from './cpu.mjs';
import { transcript } from './transcript.mjs';
import { callHook, createProject, failuresIn, hookRun, stateIn } from './world.mjs';

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

const statePath = (project, session) => join(stateIn(project), 'sessions', session, 'state.json');

/** A hook that finds nothing new: called until its state and settings are in place, and then expected to write nothing. */
export function quietProgram(world, { name, event, project, session, says, fields = {} }) {
  const run = hookRun(world, event, { project, session, fields });
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

/** The status line after an answer: it reads the client's frame on stdin and the state that the hooks left. */
export function lineProgram(world, { name, project, session, fill, says }) {
  for (let time = 0; time < 2; time++)
    callHook(world, hookRun(world, 'UserPromptSubmit', { project, session }));
  const frame = {
    session_id: session,
    transcript_path: world.transcriptPath(session),
    cwd: project,
    model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
    workspace: { current_dir: project, project_dir: project },
    context_window: {
      context_window_size: 200_000,
      current_usage: { input_tokens: fill, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    },
  };
  const run = hookRun(world, 'statusline', { project, session, fields: frame });
  run.argv = [process.execPath, join(world.dist, 'statusline.cjs')];
  expectWords(callHook(world, run), says, name);
  return {
    name,
    runs: Array.from({ length: REPEATS }, () => run),
    check: () => expectHealth(world, project, name),
  };
}

/** Lags of the state behind its transcript to try, in KB: the largest at which the hooks write no new state is measured. */
const UNSEEN_KB = [1_000, 500, 250, 125, 60];

/**
 * A hook whose state is as old as it can be: every call reads everything since then again.
 * @returns {{ program: import('./cpu.mjs').Program, kilobytes: number }}
 */
export function unseenProgram(world, { name, event, project, bytes, fill, says }) {
  for (const kilobytes of UNSEEN_KB) {
    const session = `bench-unseen-${kilobytes}`;
    const path = world.transcriptPath(session);
    const prompt = hookRun(world, event, { project, session });
    writeFileSync(path, transcript({ session, cwd: project, bytes, fill }));
    for (let time = 0; time < 2; time++) callHook(world, prompt);
    const before = readFileSync(statePath(project, session), 'utf8');
    appendFileSync(path, transcript({ session, cwd: project, bytes: kilobytes * 1_000, fill, seed: 2 }));
    callHook(world, prompt);
    if (readFileSync(statePath(project, session), 'utf8') === before) {
      return { program: quietProgram(world, { name, event, project, session, says }), kilobytes };
    }
  }
  throw new Error(`${name}: every call writes its state`);
}

/**
 * A hook that changes its state: as many projects as a sample has runs, each put back to the moment before the call.
 * @param {string[]} before events that lead to that moment
 * @param {number} [grown] bytes that the transcript grows by between that moment and the call
 * @param {{ session?: string, fields?: object }} [other] the event is one of another session, or has other fields
 * @param {(session: string) => Record<string, string>} [filesOf] files of the project that the hook changes, too
 */
export function changingProgram(
  world,
  { name, event, before, bytes, grown = 0, fill, says, wrote, other = {}, filesOf = () => ({}) },
) {
  const put = (project, session) => {
    rmSync(join(project, 'artifacts'), { recursive: true, force: true });
    for (const [path, text] of Object.entries(filesOf(session))) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
  };
  const slots = Array.from({ length: REPEATS }, (_, n) => {
    const session = `bench-${name.replace(/[^A-Za-z]/g, '')}-${n}`;
    const project = createProject(world, session);
    const state = join(project, '.plimsoll');
    const kept = join(world.root, 'kept', session);
    writeFileSync(world.transcriptPath(session), transcript({ session, cwd: project, bytes, fill }));
    put(project, session);
    for (const each of before) callHook(world, hookRun(world, each, { project, session }));
    if (grown > 0)
      appendFileSync(
        world.transcriptPath(session),
        transcript({ session, cwd: project, bytes: grown, fill, seed: 2 }),
      );
    cpSync(state, kept, { recursive: true, preserveTimestamps: true });
    const run = hookRun(world, event, { project, session, ...other });
    expectWords(callHook(world, run), says, name);
    return { project, own: session, session: other.session ?? session, state, kept, run };
  });
  return {
    name,
    runs: slots.map(({ run }) => run),
    prepare: () => {
      for (const { project, own, state, kept } of slots) {
        rmSync(state, { recursive: true, force: true });
        cpSync(kept, state, { recursive: true, preserveTimestamps: true });
        put(project, own);
      }
    },
    check: () => {
      for (const { project, session } of slots) {
        expectHealth(world, project, name);
        if (!wrote(stateIn(project), session, project))
          throw new Error(`${name} did not leave what it is measured for`);
      }
    },
  };
}
