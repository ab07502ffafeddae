// Records the demo's session (session.json) with the real client on a scripted model.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../install.mjs';
import { installClient } from '../install-client.mjs';

const RECORDING = join(ROOT, 'scripts/demo/session.json');
const EVENTS = ['UserPromptSubmit', 'PostToolBatch', 'PreCompact', 'SessionStart'];

/** Notes each call of a hook: its payload, and how many lines the transcript had when the client had caught up. */
const PROBE = `
const fs = require('node:fs');
const payload = JSON.parse(fs.readFileSync(0, 'utf8'));
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, payload.source === 'compact' ? 0 : 150);
let lines = 0;
try { lines = fs.readFileSync(payload.transcript_path, 'utf8').split('\\n').length - 1; } catch {}
fs.appendFileSync(process.argv[2], JSON.stringify({ payload, lines }) + '\\n');
`;

const bash = (command) => ({ name: 'Bash', input: { command, description: 'a step' } });
const write = (name, content) => ({ name: 'Write', input: { file_path: name, content } });
const task = (subject) => ({ name: 'TaskCreate', input: { subject, description: subject } });
const update = (taskId, status) => ({ name: 'TaskUpdate', input: { taskId, status } });

const TURNS = [
  { text: 'Hello. The project is empty; I am ready.', fill: 24_000 },
  {
    text: 'I load the task tools.',
    tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } }],
    fill: 41_000,
  },
  {
    text: 'Four steps.',
    tools: ['Write the lexer', 'Write the parser', 'Write the printer', 'Run all tests'].map(task),
    fill: 66_000,
  },
  {
    text: 'The lexer first.',
    tools: [update('1', 'in_progress'), write('src/lexer.ts', 'export const tokens = [];\n')],
    fill: 93_000,
  },
  {
    text: 'The lexer stands; now the parser.',
    tools: [
      update('1', 'completed'),
      update('2', 'in_progress'),
      write('src/parser.ts', 'export const parse = () => {};\n'),
    ],
    fill: 118_000,
  },
  {
    text: 'Its tests fail on nested brackets.',
    tools: [bash('echo "1 failing: nested brackets" >&2; exit 1')],
    fill: 136_000,
  },
  {
    text: 'The printer is needed to see why.',
    tools: [write('src/printer.ts', 'export const print = () => "";\n')],
    fill: 149_000,
  },
  {
    text: 'Error recovery belongs into the parser, not into the lexer.',
    tools: [bash('echo reading the grammar')],
    fill: 168_000,
  },
  { text: 'I go on with the parser.', tools: [bash('echo going on')], fill: 38_000 },
  { text: 'The parser recovers from errors now.', fill: 44_000 },
  { text: 'Two tasks are left: the printer and the tests.', fill: 46_000 },
];

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-record-'));
await build({
  stdin: {
    contents:
      "export { createSandbox } from './test/kit/sandbox.ts'; export { openSession } from './test/kit/client.ts';",
    resolveDir: ROOT,
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['vitest'],
  alias: { vitest: join(ROOT, 'node_modules/vitest/dist/index.js') },
  outfile: join(folder, 'kit.mjs'),
});
const { createSandbox, openSession } = await import(pathToFileURL(join(folder, 'kit.mjs')).href);
const sandbox = await createSandbox({
  client: await installClient(),
  script: { main: TURNS },
  env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
});
const log = join(sandbox.root, 'calls.jsonl');
const probe = join(sandbox.root, 'probe.cjs');
writeFileSync(probe, PROBE);
const hook = { hooks: [{ type: 'command', command: `node '${probe}' '${log}'` }] };
sandbox.writeSettings({
  permissions: { allow: ['Bash', 'Write', 'ToolSearch', 'TaskCreate', 'TaskUpdate'] },
  hooks: Object.fromEntries(EVENTS.map((event) => [event, [hook]])),
});
const talk = openSession(sandbox, ['--model', 'claude-sonnet-4-5']);
await talk.say('Hello');
await talk.say('Port the expression compiler to TypeScript, with error recovery; keep the public API');
await talk.say('What is left to do?');
await talk.end();

const [transcript] = sandbox.transcripts();
const raw = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
/** Leaves out what the client wrote about itself (prompts, tools, request copies): it is not ours to pass on. */
const isKept = (line) =>
  line.type === 'assistant' ||
  (line.type === 'user' && !line.isMeta) ||
  (line.type === 'system' && line.subtype === 'compact_boundary');
const hide = (text) =>
  text
    .replaceAll(sandbox.projectDir, '{PROJECT}')
    .replaceAll(transcript, '{TRANSCRIPT}')
    .replaceAll(sandbox.root, '{ROOT}');
const lines = [];
const upTo = [0];
for (const text of raw) {
  const line = JSON.parse(text);
  if (isKept(line)) {
    if (line.isCompactSummary)
      line.message = { role: 'user', content: 'The summary of the conversation so far.' };
    lines.push(JSON.parse(hide(JSON.stringify(line))));
  }
  upTo.push(lines.length);
}
const calls = readFileSync(log, 'utf8')
  .split('\n')
  .slice(0, -1)
  .map((text) => {
    const { payload, lines: seen } = JSON.parse(text);
    return { lines: upTo[seen], payload: JSON.parse(hide(JSON.stringify(payload))) };
  });
await sandbox.close();
rmSync(folder, { recursive: true, force: true });
writeFileSync(RECORDING, `${JSON.stringify({ lines, calls }, null, 1)}\n`);
console.log(`${RECORDING}: ${lines.length} lines, ${calls.length} calls`);
