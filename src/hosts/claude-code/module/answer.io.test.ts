import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { answerOf, NOMINAL, running } from '../../../../test/unit/door.ts';
import { readDecisions } from '../../../sessions/last-runs.io.ts';
import { addAnswer, answerEnd, finish, judgeCall } from './answer.io.ts';
import { readHookAnswer, SILENCE } from './ask-process.io.ts';

test('what was said before is one line at a prompt, and nothing after tools: no process is started', async () => {
  const { prompt, tools, asked, client, door, paths } = running({}, NOMINAL);
  expect(await prompt()).toEqual({
    ...SILENCE,
    context: '<context-monitor>CONTEXT STATUS: NOMINAL ~25%</context-monitor>',
  });
  expect(await tools()).toEqual(SILENCE);
  expect(asked()).toEqual([]);
  await finish(client, door, {});
  expect(readDecisions(paths, 'a').map(({ event, said }) => [event, said])).toEqual([
    ['prompt', 'line'],
    ['tool', null],
  ]);
});

test.each<[string, (it: ReturnType<typeof running>) => void]>([
  [
    'the tier has risen, and the project may have a workflow',
    ({ all, root }) => {
      Object.assign(all, { tokens: 120_000 });
      writeFileSync(`${root}/ORCHESTRATION.yaml`, '');
    },
  ],
  ['the client does not know its usage', ({ all }) => delete all.tokens],
  [
    'an alert is owed',
    ({ keep }) => keep({ ...NOMINAL, compaction_not_in_transcript: { epoch: 1, offset: 0, at: 0 } }),
  ],
  ['a handoff is owed', ({ keep }) => keep({ ...NOMINAL, handoff_due: 'startup' })],
  ['the session has not begun', ({ keep }) => keep({ active: false })],
  ['there is no state', ({ paths }) => rmSync(paths.session('a').state)],
  ['the state is no JSON', ({ paths }) => writeFileSync(paths.session('a').state, '{')],
  ['the state is of odd types', ({ paths }) => writeFileSync(paths.session('a').state, '{"epoch":"x"}')],
  ['there is no snapshot of settings', ({ paths }) => rmSync(paths.snapshot)],
  ['that snapshot is torn', ({ paths }) => writeFileSync(paths.snapshot, '{"snapshot_version":')],
  ['that snapshot is of odd types', ({ paths }) => writeFileSync(paths.snapshot, '{"resolved":7}')],
  [
    'settings have changed since',
    ({ paths }) => {
      mkdirSync(dirname(paths.config), { recursive: true });
      writeFileSync(paths.config, '[context_monitor]\nemit = "off"\n');
    },
  ],
  ['a workflow is new', ({ keep, root }) => keep({ ...NOMINAL, workflow_file: workflowIn(root) })],
  [
    'the environment says off, which a repository may do',
    ({ all }) => Object.assign(all.env ?? {}, { PLIMSOLL: 'off' }),
  ],
  ['client settings move our files', ({ all }) => Object.assign(all, { settings: { env: { HOME: '/x' } } })],
  ['the transcript is another one', ({ keep }) => keep({ ...NOMINAL, transcript: '/elsewhere' })],
  [
    'the disk is gone',
    ({ client }) => Object.assign(client.fs, { stat: async () => Promise.reject(new Error('no')) }),
  ],
])('a process is asked where %s', async (_, change) => {
  const it = running(
    { answer: ({ stdin }) => (stdin === null ? '' : answerOf('from the process')) },
    NOMINAL,
  );
  change(it);
  expect((await it.prompt())?.context).toBe('from the process');
  expect(it.asked()).toEqual(['UserPromptSubmit']);
});

const workflowIn = (root: string) => ({
  ...{ path: `${root}/ORCHESTRATION.yaml`, mtimeMs: 1, phase_since: null },
  ...{ updated_at: null, last_checkpoint: null, current_phase: null },
});

test('what the process has for the person is shown', async () => {
  const { prompt, all } = running({ answer: () => answerOf('x') }, { active: false });
  await prompt();
  expect(all.shown).toEqual(['hear']);
});

test('where a variable sets a setting, every event is a process', async () => {
  const it = running({}, NOMINAL);
  it.client.process.run = async (argv, { stdin }) => {
    it.all.started?.push({ argv, stdin: stdin === undefined ? null : JSON.parse(stdin) });
    return { exitCode: 1, stdout: '' };
  };
  await it.prompt();
  await it.tools();
  expect(it.asked()).toEqual(['UserPromptSubmit', 'PostToolBatch']);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['of the same name', { UserPromptSubmit: [], PostToolBatch: [] }, []],
  ['of the same moment', { UserPromptSubmit: [], PostToolUse: [] }, []],
  ['of others alone', {}, ['UserPromptSubmit', 'PostToolBatch']],
])('hooks of ours in settings, %s, speak in its place', async (_, events, expected) => {
  const it = running({}, { active: false });
  const bundle = `${it.root}/plimsoll/current/hook.cjs`;
  mkdirSync(dirname(bundle), { recursive: true });
  writeFileSync(bundle, '');
  const ours = [{ hooks: [{ type: 'command', command: `f='${bundle}'; n=node; exec "$n" "$f"` }] }];
  it.all.settings = {
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'echo' }] }],
      ...Object.fromEntries(Object.keys(events).map((each) => [each, ours])),
    },
  };
  await it.prompt();
  await it.tools();
  expect(it.asked()).toEqual(expected);
});

test('plimsoll off silences prompts, tools, calls and ends', async () => {
  const it = running({}, { active: false });
  writeFileSync(it.paths.off, '');
  expect(await it.prompt()).toEqual(SILENCE);
  expect(await it.tools()).toEqual(SILENCE);
  expect(await judgeCall(it.client, it.door, { tool: 'Write' })).toBeNull();
  expect(await answerEnd(it.client, it.door, it.common)).toBeNull();
  expect(it.asked()).toEqual([]);
});

test('a subagent is told nothing, and its tools start no process', async () => {
  const it = running({}, { active: false });
  await it.prompt();
  expect(await it.tools({ agent_id: 'x' })).toBeNull();
  expect(it.asked()).toEqual(['UserPromptSubmit']);
});

test.each<[string, string, boolean]>([
  ['off', 'Write', false],
  ['enforce', 'Write', true],
  ['enforce', 'mcp__a__b', true],
  ['enforce', 'Read', false],
])('guardrails that are %s: a call of %s is judged, or not', async (mode, tool, isJudged) => {
  const it = running({}, NOMINAL);
  mkdirSync(dirname(it.paths.config), { recursive: true });
  writeFileSync(it.paths.config, `[guardrails]\nmode = "${mode}"\n`);
  it.save();
  await it.prompt();
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    },
  };
  it.all.answer = () => JSON.stringify(deny);
  const call = { tool, tool_use_id: 't', agentId: 'x', file_path: '/a' };
  expect((await judgeCall(it.client, it.door, call))?.deny ?? null).toBe(isJudged ? 'no' : null);
  const started = (it.all.started ?? []).flatMap(({ stdin }) => (stdin === null ? [] : [stdin]));
  expect(started).toMatchObject(
    isJudged
      ? [
          {
            ...{ hook_event_name: 'PreToolUse', session_id: 'a', cwd: it.root, agent_id: 'x' },
            ...{ tool_name: tool, tool_use_id: 't', tool_input: { file_path: '/a' } },
          },
        ]
      : [],
  );
});

test.each<[unknown, Partial<typeof SILENCE>, unknown]>([
  [{}, { context: 'a' }, { additionalContext: ['a'] }],
  [{ additionalContext: ['b'], more: 1 }, { context: 'a' }, { additionalContext: ['b', 'a'], more: 1 }],
  [{ deny: 'theirs' }, { deny: 'ours' }, { deny: 'theirs' }],
  [{ deny: 'theirs' }, { ask: 'ours' }, { deny: 'theirs' }],
  [{ allow: true }, { deny: 'ours' }, { deny: 'ours' }],
  [{ allow: true }, { ask: 'ours' }, { ask: 'ours' }],
  [{ allow: true }, { context: 'a' }, { allow: true, additionalContext: ['a'] }],
  [{ block: 'theirs' }, { block: 'ours' }, { block: 'theirs' }],
  ['odd', { context: 'a' }, 'odd'],
])('%j of others, and %j of ours', (others, ours, expected) => {
  expect(addAnswer(others, { ...SILENCE, ...ours })).toEqual(expected);
});

test.each(['', 'x', '7', '{', '[]', 'null'])('what is no answer of a hook says nothing: %j', (text) => {
  expect(readHookAnswer(text)).toBeNull();
});
