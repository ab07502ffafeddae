// Tests the plugin on the real client, inside which its module answers: no process where nothing is kept, and all else as by processes.
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { some } from '../kit/effort.ts';
import { checkpoints, failures, MINE, plimsoll, sessionStates, stateFolder } from '../kit/plimsoll.ts';
import { countIn, newText, ofKind, textOf } from '../kit/requests.ts';
import type { Sandbox, SandboxOptions } from '../kit/sandbox.ts';
import type { Turn } from '../kit/script.ts';
import { until } from '../kit/wait.ts';
import { PLUGIN, sandboxWith } from './plugin.ts';
import { afterCompactions, bash, main, SMALL, standard, statusLines } from './said.ts';

const ALLOWED = { permissions: { allow: ['Bash', 'Write', 'Read'] } };

/** A sandbox with a copy of the plugin that notes each process of ours, and how it is named to the client. */
async function instrumented(options: SandboxOptions) {
  const sandbox = await sandboxWith({ settings: ALLOWED, git: true, ...options });
  const plugin = path.join(sandbox.root, 'plugin');
  cpSync(PLUGIN, plugin, { recursive: true });
  const bundle = path.join(plugin, 'lib', 'plugin.cjs');
  const notes = path.join(sandbox.home, 'started');
  const note = `require("fs").appendFileSync(${JSON.stringify(notes)}, process.argv[2] + "\\n");\n`;
  writeFileSync(bundle, note + readFileSync(bundle, 'utf8'));
  const started = (): string[] =>
    existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
  const args = [...standard, '--plugin-dir', plugin];
  return { sandbox, started, args, plugin };
}

/** The events of the session, each with what tells it from others of its type. */
const eventsOf = (sandbox: Sandbox): string[] =>
  readFileSync(path.join(path.dirname(stateOf(sandbox)), 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string; tier?: string; trigger?: string })
    .map(({ type, tier, trigger }) => [type, tier ?? (type === 'CheckpointCreated' ? trigger : null)])
    .map((each) => each.filter(Boolean).join(' '));

const steps = (...fills: number[]): Turn[] => fills.map((fill) => ({ tools: [bash('true')], fill }));
/** What each request brought of ours. */
const said = (sandbox: Sandbox): string[][] =>
  main(sandbox).map((request, at, all) =>
    ((before) =>
      (before ? newText(request, before) : textOf(request)).match(/CONTEXT STATUS: \w+ ?[~(]/g) ?? [])(
      all[at - 1],
    ),
  );

/** Waits for the process that keeps the end of the first turn while nobody waits for it. */
const untilKept = (sandbox: Sandbox): Promise<boolean> =>
  until(() => existsSync(path.join(path.dirname(stateOf(sandbox)), 'ledger.json')), {
    what: 'the ledger of the first turn',
  });

test('a turn of six tool steps without a rise starts no process, and one line is said at its prompt', async () => {
  const { sandbox, started, args } = await instrumented({
    script: {
      main: [
        { text: 'one', fill: 30_000 },
        { text: 'two', fill: 31_000 },
        ...steps(32_000, 33_000, 34_000, 35_000, 36_000, 37_000),
        { text: 'three', fill: 38_000 },
      ],
    },
  });
  const talk = openSession(sandbox, args);
  await talk.say('one');
  await untilKept(sandbox);
  await talk.say('two');
  const before = started();
  await talk.say('three');
  expect(started()).toEqual(before);
  await talk.end();
  // The first prompt begins the session, and what its first turn did is kept; from then on nothing has to be until its end.
  expect(started()).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']);
  expect(said(sandbox)).toEqual([
    [],
    ['CONTEXT STATUS: NOMINAL ('],
    ['CONTEXT STATUS: NOMINAL ~'],
    ...Array.from({ length: 6 }, () => []),
  ]);
  expect(sessionStates(sandbox)[0]).toMatchObject({ ended: { reason: 'other' } });
  expect(failures(sandbox)).toEqual([]);
});

test('a rise in mid-turn is said once, and its checkpoint is on disk soon after; after a compaction the next request is alerted', async () => {
  const { sandbox, started, args } = await instrumented({
    env: SMALL,
    script: {
      main: [
        { text: 'one', fill: 30_000 },
        ...steps(60_000, 84_000),
        // A model takes longer than the process that keeps the rise.
        ...steps(86_000).map((turn) => ({ ...turn, delayMs: 1_000 })),
        ...steps(118_000, 40_000),
        { text: 'done', fill: 42_000 },
      ],
    },
  });
  const talk = openSession(sandbox, args);
  await talk.say('one');
  await talk.say('go');
  await talk.end();
  const rises = main(sandbox).map((request, at, all) =>
    at === 0 ? [] : statusLines(request, all[at - 1] ?? request),
  );
  expect(rises.flat().filter((each) => each.endsWith('WARNING'))).toHaveLength(1);
  // What is being written is not named; it is there for the alert.
  const warned = main(sandbox)[rises.findIndex((each) => each.includes('CONTEXT STATUS: WARNING'))];
  expect(warned && textOf(warned)).toContain('Last checkpoint: being written');
  expect(checkpoints(sandbox).map(({ trigger }) => trigger.type)).toContain('tier-rise');
  const [after] = afterCompactions(sandbox);
  expect(after && countIn(after, '<compaction-alert>')).toBe(1);
  expect(main(sandbox).filter((each) => countIn(each, '<compaction-alert>') > 1)).toEqual([]);
  expect(sessionStates(sandbox)[0]?.alert).toMatchObject({ status: 'delivered', tries: 1 });
  // The module serves the compaction: one process before it, none after it, and no command of ours beside them.
  expect(started().filter((event) => event === 'PreCompact')).toHaveLength(1);
  expect(started().filter((event) => event === 'SessionStart')).toHaveLength(1);
  const [summary] = ofKind(sandbox.model.requests, 'summary');
  expect(summary && countIn(summary, 'Facts to keep word for word')).toBe(1);
  expect(eventsOf(sandbox)).toEqual([
    ...['SessionStarted', 'CheckpointCreated tier-rise', 'ContextThresholdReached WARNING'],
    ...['ContextThresholdReached EMERGENCY', 'CheckpointCreated auto', 'CompactionDetected'],
    ...['AlertLeased', 'AlertDelivered', 'CheckpointCreated session-end', 'SessionEnded'],
  ]);
  expect(failures(sandbox)).toEqual([]);
});

test('where the module fails, our commands serve the compaction', async () => {
  const { sandbox, started, args, plugin } = await instrumented({
    env: SMALL,
    script: {
      main: [
        { text: 'one', fill: 30_000 },
        ...steps(60_000, 118_000, 40_000),
        { text: 'done', fill: 42_000 },
      ],
    },
  });
  const module = path.join(plugin, 'hooks', 'register.js');
  writeFileSync(module, `throw new Error('of another client');\n${readFileSync(module, 'utf8')}`);
  const talk = openSession(sandbox, args);
  await talk.say('build the parser of the ledger');
  await talk.say('go');
  await talk.end();
  expect(started()).toEqual(['SessionStart', 'PreCompact', 'SessionStart', 'SessionEnd']);
  const [summary] = ofKind(sandbox.model.requests, 'summary');
  expect(summary && countIn(summary, 'Facts to keep word for word')).toBe(1);
  const [after] = afterCompactions(sandbox);
  expect(after && countIn(after, '<compaction-alert>')).toBe(1);
  expect(failures(sandbox)).toEqual([]);
});

test('a guarded write is refused, another one is not', async () => {
  const write = (file: string) => ({ name: 'Write', input: { file_path: file, content: 'x' } });
  const { sandbox, args } = await instrumented({
    files: { [MINE]: '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n' },
    script: { main: [], fallback: { text: 'ok', fill: 31_000 } },
  });
  const at = (name: string): string => path.join(sandbox.projectDir, name);
  sandbox.model.push('main', { text: 'one', fill: 30_000 });
  for (const name of ['dist/a.txt', 'b.txt'])
    sandbox.model.push('main', { tools: [write(at(name))], fill: 30_500 });
  const talk = openSession(sandbox, args);
  await talk.say('one');
  await talk.say('go');
  await talk.end();
  expect([existsSync(at('dist/a.txt')), existsSync(at('b.txt'))]).toEqual([false, true]);
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, 'is guarded by the rule')).toBe(1);
  expect(failures(sandbox)).toEqual([]);
});

test('plimsoll off silences all', async () => {
  const { sandbox, started, args } = await instrumented({
    script: {
      main: [{ text: 'one', fill: 30_000 }, ...steps(150_000, 160_000)],
      fallback: { text: 'ok', fill: 160_000 },
    },
  });
  const talk = openSession(sandbox, args);
  await talk.say('one');
  await untilKept(sandbox);
  expect(plimsoll(sandbox, 'off').code).toBe(0);
  const before = started().length;
  await talk.say('two');
  expect(started()).toHaveLength(before);
  await talk.end();
  expect(said(sandbox).flat()).toEqual([]);
});

const HARMS: [string, (sandbox: Sandbox) => void][] = [
  [
    'the settings that were kept are torn',
    (sandbox) => writeFileSync(inState(sandbox, 'config.snapshot.json'), '{"resolved":'),
  ],
  [
    'the state of the session is of odd types',
    (sandbox) => writeFileSync(stateOf(sandbox), '{"epoch":[],"active":7}'),
  ],
  ['the state of the session is torn', (sandbox) => appendFileSync(stateOf(sandbox), '}')],
];
test.each(some(HARMS, 1))(
  'where %s, the turn is what it was, and the next answer is ours again',
  async (_, harm) => {
    const { sandbox, args } = await instrumented({
      script: {
        main: [{ text: 'one', fill: 30_000 }, ...steps(31_000, 32_000), { text: 'two', fill: 33_000 }],
        fallback: { text: 'ok', fill: 34_000 },
      },
    });
    const talk = openSession(sandbox, args);
    await talk.say('one');
    harm(sandbox);
    const { result, is_error } = await talk.say('two');
    expect({ result, is_error, stderr: talk.stderr() }).toEqual({
      result: 'two',
      is_error: false,
      stderr: '',
    });
    await talk.say('three');
    await talk.end();
    const last = main(sandbox).at(-1);
    expect(last && textOf(last)).toContain('CONTEXT STATUS: NOMINAL');
  },
);

const inState = (sandbox: Sandbox, name: string): string => path.join(stateFolder(sandbox), name);
const stateOf = (sandbox: Sandbox): string =>
  path.join(stateFolder(sandbox), 'sessions', sessionStates(sandbox)[0]?.session_id ?? '', 'state.json');
