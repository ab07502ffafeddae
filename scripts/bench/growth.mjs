// Measures whether a hook gets slower as the transcript grows, from 1 KB to 1 GB.
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, median, sample } from './cpu.mjs';
import { quietProgram } from './situations.mjs';
import { transcript, writeRepeated, writeSparse } from './transcript.mjs';
import { callHook, createProject, hookRun, stateIn } from './world.mjs';

const MB = 1_000_000;
const FILL = 50_000;
const FIRST_LOOKS = 5;

export const EVENTS = ['UserPromptSubmit', 'PostToolBatch'];

/** The transcript sizes; the first one is the baseline for the others. */
export const SIZES = [
  { name: '1 KB', id: 'kb', write: (path, make) => writeFileSync(path, make(1_000)) },
  { name: '1 MB', id: 'mb', write: (path, make) => writeFileSync(path, make(MB)) },
  {
    name: '100 MB of lines',
    id: 'lines',
    write: (path, make) => writeRepeated(path, 100 * MB, make(MB), make(MB)),
  },
  { name: '100 MB, hole', id: 'hole', write: (path, make) => writeSparse(path, 100 * MB, make(MB)) },
  { name: '1 GB, hole', id: 'gb', write: (path, make) => writeSparse(path, 1_000 * MB, make(MB)) },
];

export const programName = (event, size) => `${event}, ${size}`;

/** Measures a hook that has never seen this session: its state is removed before each call. */
function firstLook(world, project, session) {
  const run = hookRun(world, 'UserPromptSubmit', { project, session });
  const state = join(stateIn(project), 'sessions', session, 'state.json');
  const taken = Array.from({ length: FIRST_LOOKS }, () => {
    rmSync(state, { force: true });
    return sample([run], world.env);
  });
  return { cpu: median(taken.map((each) => each.cpu)), wall: median(taken.map((each) => each.wall)) };
}

/** Measures per size: bytes, the first call in a session, and the warm hooks in one interleaved run. */
export function measureGrowth(world, rounds) {
  const project = createProject(world, 'growing');
  const sizes = SIZES.map(({ name, id, write }) => {
    const session = `bench-growth-${id}`;
    const path = world.transcriptPath(session);
    write(path, (bytes) => transcript({ session, cwd: project, bytes, fill: FILL }));
    // Settings are resolved once per project, which is not what is asked here.
    callHook(world, hookRun(world, 'UserPromptSubmit', { project, session }));
    return { name, session, bytes: statSync(path).size };
  });
  const looks = new Map(sizes.map(({ name, session }) => [name, firstLook(world, project, session)]));
  const programs = sizes.flatMap(({ name, session }) =>
    EVENTS.map((event) =>
      quietProgram(world, {
        name: programName(event, name),
        event,
        project,
        session,
        says: event === 'UserPromptSubmit' ? 'CONTEXT STATUS: NOMINAL' : null,
      }),
    ),
  );
  return { sizes, looks, warm: measure(programs, rounds, world.env) };
}
