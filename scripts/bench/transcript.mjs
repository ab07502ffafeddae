// Generates transcripts as the real client writes them, and makes very large ones in a moment.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

const MODEL = 'claude-sonnet-4-5';
/** The last tool call of a transcript. Payloads of tool hooks name it too: the file is up to date, as after a slow tool. */
export const LAST_TOOL = 'toolu_bench_last';
/** The id of the prompt, which every line of the user's side carries. */
export const PROMPT = '85b3df84-0a8c-4a37-88a9-4d9ff2bd027b';
/** Steps of a turn before the next prompt. */
const STEPS = 12;
const START_FILL = 21_000;
const WORDS =
  'parser token stream error retry queue offset buffer handle writer reader schema commit branch merge release cache index shard lease claim epoch window prompt answer ledger invoice customer account'.split(
    ' ',
  );

/** Repeatable, so that two runs of the benchmark read the same bytes. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

function prose(random, characters) {
  let text = '';
  while (text.length < characters) text += `${WORDS[random(WORDS.length)]}${random(9) === 0 ? '.\n' : ' '}`;
  return text;
}

function source(random, characters) {
  let text = '';
  for (let line = 1; text.length < characters; line++) {
    text += `${String(line).padStart(6)}→  const ${WORDS[random(WORDS.length)]}${line} = read("${prose(random, 24)}", { at: ${random(9_999)} });\n`;
  }
  return text;
}

/** A tool call from the mix of a working session: mostly reading, some writing, now and then the task list. */
function toolCall(random, cwd, n) {
  const file = `${cwd}/src/${WORDS[n % WORDS.length]}.ts`;
  const kind = n % 6;
  if (kind === 0 || kind === 3) {
    const stdout = prose(random, 1_000 + random(7_000));
    return {
      name: 'Bash',
      input: { command: `npm test -- ${WORDS[n % WORDS.length]}`, description: 'Runs the tests' },
      result: stdout,
      detail: { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      isError: n % 30 === 0,
    };
  }
  if (kind === 1 || kind === 4) {
    const content = source(random, 2_000 + random(8_000));
    return {
      name: 'Read',
      input: { file_path: file },
      result: content,
      detail: {
        type: 'text',
        file: { filePath: file, content, numLines: 120, startLine: 1, totalLines: 120 },
      },
    };
  }
  if (kind === 2) {
    const [before, after] = [prose(random, 400), prose(random, 500)];
    return {
      name: 'Edit',
      input: { file_path: file, old_string: before, new_string: after },
      result: `The file ${file} has been updated.`,
      detail: { filePath: file, oldString: before, newString: after, originalFile: source(random, 4_000) },
    };
  }
  const id = String(Math.ceil((n + 1) / 6));
  return {
    name: 'TaskCreate',
    input: {
      subject: `Make the ${WORDS[n % WORDS.length]} bounded`,
      description: prose(random, 120),
      activeForm: 'Working',
    },
    result: `Task #${id} created successfully`,
    detail: { task: { id, subject: `Make the ${WORDS[n % WORDS.length]} bounded` } },
  };
}

function usage(fill) {
  return {
    input_tokens: 10,
    cache_creation_input_tokens: 1_000,
    cache_read_input_tokens: fill - 1_010,
    output_tokens: 220,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    inference_geo: '',
    iterations: [],
    speed: 'standard',
  };
}

/** The lines of one session, each kind with the keys that client 2.1.332 writes. */
function createWriter({ session, cwd, seed }) {
  const random = generator(seed);
  let parent = null;
  let clock = Date.parse('2026-11-27T08:00:00Z');
  const chained = (line) => {
    const uuid = `00000000-0000-4000-8000-${String(random(2 ** 31)).padStart(12, '0')}`;
    clock += 400 + random(900);
    const text = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      ...line,
      uuid,
      timestamp: new Date(clock).toISOString(),
      userType: 'external',
      entrypoint: 'cli',
      cwd,
      sessionId: session,
      version: '2.1.332',
      gitBranch: 'main',
      slug: 'measured-steady-keel',
    });
    parent = uuid;
    return text;
  };
  const attachment = (content) =>
    chained({ attachment: content, type: 'attachment', renderedRole: 'system' });
  const aside = (type, more = {}) => JSON.stringify({ type, sessionId: session, ...more });
  const answer = (n, fill, content, stop_reason) =>
    chained({
      message: {
        id: `msg_bench${seed}_${String(n).padStart(8, '0')}`,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [content],
        stop_reason,
        stop_sequence: null,
        usage: usage(fill),
      },
      requestId: `req_bench${n}`,
      requestedModel: MODEL,
      type: 'assistant',
      madeBy: 'model',
    });

  return {
    prompt: (n, tier) => [
      aside('queue-operation', { operation: 'enqueue', content: 'go on' }),
      aside('queue-operation', { operation: 'dequeue' }),
      chained({
        type: 'user',
        message: {
          role: 'user',
          content: `Now the ${WORDS[n % WORDS.length]}. ${prose(random, 300)}`,
        },
        permissionMode: 'default',
        promptId: PROMPT,
      }),
      attachment({ type: 'total_tokens_reminder', content: prose(random, 60) }),
      attachment({
        type: 'hook_additional_context',
        content: [
          `<context-monitor>CONTEXT STATUS: ${tier} (about 30% of the way to auto-compaction at 167,000; about 25% of the 200,000 window)</context-monitor>`,
        ],
        hookName: 'UserPromptSubmit',
        toolUseID: `hook-${n}`,
        hookEvent: 'UserPromptSubmit',
      }),
    ],
    step(n, fill, id = `toolu_bench${n}`) {
      const call = toolCall(random, cwd, n);
      return [
        aside('api-request', { timestamp: new Date(clock).toISOString() }),
        answer(n, fill, { type: 'text', text: prose(random, 200) }, 'tool_use'),
        answer(n, fill, { type: 'tool_use', id, name: call.name, input: call.input }, 'tool_use'),
        chained({
          type: 'user',
          message: {
            role: 'user',
            content: [
              {
                tool_use_id: id,
                type: 'tool_result',
                content: call.result,
                is_error: call.isError ?? false,
              },
            ],
          },
          toolUseResult: call.detail,
          promptId: PROMPT,
        }),
        attachment({ type: 'prompt_snapshot', content: prose(random, 80) }),
      ];
    },
    boundary: (fill) => [
      chained({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: fill },
      }),
      chained({
        type: 'user',
        message: { role: 'user', content: prose(random, 6_000) },
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      }),
    ],
    end: (n, fill) => [
      answer(n, fill, { type: 'text', text: prose(random, 300) }, 'end_turn'),
      chained({
        type: 'system',
        subtype: 'turn_duration',
        durationMs: 41_000,
      }),
      aside('last-prompt', { lastPrompt: 'go on' }),
    ],
  };
}

/**
 * A transcript of about so many bytes whose last answer occupied `fill` tokens.
 * @param {{ session: string, cwd: string, bytes: number, fill: number, tier?: string, ending?: 'answer' | 'tool', seed?: number }} options
 *   `ending`: the kind of the last line, as a prompt hook (`answer`) or a tool hook (`tool`) finds it
 */
export function transcript({ session, cwd, bytes, fill, tier = 'NOMINAL', ending = 'answer', seed = 1 }) {
  const writer = createWriter({ session, cwd, seed });
  const lines = [];
  let size = 0;
  const add = (more) => {
    for (const line of more) size += line.length + 1;
    lines.push(...more);
  };
  let n = 0;
  // The last step is kept back: it carries the final fill.
  for (; size < bytes - 12_000; n++) {
    if (n % STEPS === 0) add(writer.prompt(n / STEPS, tier));
    add(writer.step(n, Math.round(START_FILL + ((fill - START_FILL) * size) / bytes)));
  }
  add(ending === 'tool' ? writer.step(n, fill, LAST_TOOL) : writer.end(n, fill));
  return `${lines.join('\n')}\n`;
}

/**
 * One segment of a session that grows until it is compacted: some 400 calls, about a megabyte, with the boundary at its end.
 * @param {{ session: string, cwd: string, seed: number, part: number }} options `part`: its number in the session, from 0
 */
export function compactedTranscript({ session, cwd, seed, part }) {
  const writer = createWriter({ session, cwd, seed: seed + 1 });
  const lines = [];
  const most = 166_000;
  for (let n = 0, fill = START_FILL; fill < most; n++, fill += 1_100 + ((n * 37) % 900)) {
    const id = part * 1_000 + n;
    if (n % STEPS === 0) lines.push(...writer.prompt(id, 'NOMINAL'));
    lines.push(...writer.step(id, fill));
  }
  lines.push(...writer.boundary(most));
  return `${lines.join('\n')}\n`;
}

/**
 * Writes a file of `bytes` that ends like `tail`. Its beginning is a hole, so it takes no room on disk; read, the hole
 * is one enormous line of NUL bytes.
 */
export function writeSparse(path, bytes, tail) {
  const end = Buffer.from(`\n${tail}`);
  const descriptor = openSync(path, 'w');
  try {
    ftruncateSync(descriptor, bytes - end.length);
    writeSync(descriptor, end, 0, end.length, bytes - end.length);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes `bytes` of real lines: a block of them again and again, and `tail` at the end. */
export function writeRepeated(path, bytes, block, tail) {
  const lines = Buffer.from(block);
  const end = Buffer.from(tail);
  const descriptor = openSync(path, 'w');
  try {
    for (let size = end.length; size < bytes; size += lines.length) writeSync(descriptor, lines);
    writeSync(descriptor, end);
  } finally {
    closeSync(descriptor);
  }
}
