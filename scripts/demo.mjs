// Shows Plimsoll at work: replays a recorded session, and the real hooks answer it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installDependencies, ROOT } from './install.mjs';

installDependencies();
const { buildAll } = await import('./build.mjs');
await buildAll();

const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const [bold, dim, blue, yellow, green] = [paint(1), paint(2), paint(34), paint(33), paint(32)];
const indent = (text) => text.replace(/^/gm, '    ');
const thousands = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** With --keep the project stays as it is at the end, to look around in it. */
const isKept = process.argv.includes('--keep');
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-demo-'));
const project = join(folder, 'my project');
const home = join(folder, 'home');
const session = '5e55-demo';
const transcriptOf = (id) =>
  join(home, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
const transcript = transcriptOf(session);
for (const path of [project, dirname(transcript)]) mkdirSync(path, { recursive: true });
/** Built from nothing: the demo sees nothing of this machine's settings. */
const env = { PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: project };

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: project, env, encoding: 'utf8', ...options });
function plimsoll(...args) {
  console.log(`\n${dim('$')} ${bold(`plimsoll ${args.join(' ')}`)}`);
  const result = run(process.execPath, [join(ROOT, 'dist/cli.cjs'), ...args]);
  console.log(indent(`${result.stdout}${result.stderr}`.trimEnd()));
}

const recording = JSON.parse(readFileSync(join(ROOT, 'scripts/demo/session.json'), 'utf8'));
const fillIn = (value) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('{PROJECT}', project)
      .replaceAll('{TRANSCRIPT}', transcript)
      .replaceAll('{ROOT}', folder),
  );
const now = () => new Date().toISOString();

let written = 0;
/** Appends recorded lines to the transcript, as the client did, with the current time. */
function grow(to) {
  for (; written < to; written++) {
    appendFileSync(
      transcript,
      `${JSON.stringify({ ...fillIn(recording.lines[written]), timestamp: now(), sessionId: session })}\n`,
    );
  }
}
/** Stores what a hook said to the model, as the client does; that is the proof of delivery. */
function store(event, context) {
  const attachment = {
    type: 'hook_additional_context',
    content: [context],
    hookName: event,
    hookEvent: event,
  };
  appendFileSync(
    transcript,
    `${JSON.stringify({ type: 'attachment', isSidechain: false, timestamp: now(), attachment })}\n`,
  );
}

function fillOf(line) {
  const usage = line.message?.usage;
  return usage
    ? usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    : null;
}
const lastFill = (to) => recording.lines.slice(0, to).map(fillOf).filter(Boolean).at(-1) ?? null;

const TITLES = {
  UserPromptSubmit: (payload) => `The user writes: "${payload.prompt}"`,
  PostToolBatch: (payload) =>
    `The agent has used ${payload.tool_calls.map((call) => call.tool_name).join(', ')}`,
  PreCompact: () => 'The client is about to compact the session',
  SessionStart: (payload) =>
    payload.source === 'compact'
      ? 'The session goes on after the compaction: this stands in the very next request to the model'
      : 'A new session starts in the same project',
  Stop: () => 'The turn has ended',
  SessionEnd: () => 'The user closes the session, with tasks still open',
};

/** Plays one event of a session: gives the hook the client's payload, and prints what the hook says. */
function play({ payload, lines }, id = session) {
  const event = payload.hook_event_name;
  grow(lines);
  const fill = /^Session/.test(event) ? null : lastFill(lines);
  console.log(
    `\n${blue('●')} ${bold(TITLES[event](payload))}${fill ? dim(`   ${thousands(fill)} tokens in the context`) : ''}`,
  );
  const input = JSON.stringify({
    ...fillIn(payload),
    session_id: id,
    transcript_path: transcriptOf(id),
    cwd: project,
  });
  const { stdout } = run(process.execPath, [join(ROOT, 'dist/hook.cjs'), event], { input });
  if (stdout === '') {
    console.log(dim('    (the hook is silent)'));
    return;
  }
  if (event === 'PreCompact') {
    console.log(dim('    to the summariser:'));
    console.log(indent(stdout));
    return;
  }
  const answer = JSON.parse(stdout);
  if (answer.systemMessage) console.log(`    ${dim('to you:')} ${green(answer.systemMessage)}`);
  const context = answer.hookSpecificOutput?.additionalContext;
  if (context) {
    console.log(dim('    to the model:'));
    console.log(yellow(indent(context)));
    if (event === 'SessionStart') pending = () => store(event, context);
    else store(event, context);
  }
}
let pending = null;

try {
  run('git', ['init', '--quiet', '--initial-branch=main']);
  writeFileSync(join(project, 'README.md'), '# An expression compiler\n');
  console.log(
    bold('\nPlimsoll: one session, from its first prompt through a compaction, and the one after it.'),
  );
  console.log(
    'The transcript was recorded from the real client; the hooks that answer it are the built ones.',
  );
  plimsoll('init', '--yes', '--client-version', '2.1.332');
  for (const call of recording.calls) {
    if (call.payload.source === 'startup') continue;
    play(call);
    if (call.payload.source === 'compact') {
      // The boundary is written after the hook has run; then comes what the hook said.
      grow(call.lines + 2);
      pending?.();
    }
  }
  grow(recording.lines.length);
  console.log(`\n${blue('●')} ${bold('What is on disk now')}`);
  plimsoll('status');
  plimsoll('checkpoint', 'list');
  plimsoll('checkpoint', 'show', 'cx-004');
  const { length: lines } = recording.lines;
  play({ payload: { hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' }, lines });
  play({ payload: { hook_event_name: 'SessionStart', source: 'startup' }, lines }, 'd2-demo');
  plimsoll('doctor');
  if (!isKept) plimsoll('uninstall', '--yes');
} finally {
  if (!isKept) rmSync(folder, { recursive: true, force: true });
}
if (isKept) console.log(`\nKept, to be looked at: cd '${project}', with HOME='${home}'`);
console.log(`
${bold('To protect a real project:')}
  npm install --global .        ${dim('in this folder, once: it gives you the command "plimsoll"')}
  cd ${dim('your/project')}
  plimsoll init                 ${dim('shows the change to your Claude Code settings and asks')}
`);
