// Tests that status tells what happened: compactions, calls, deliveries, workflow, and what was said.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/budget.ts';
import { type Host, sessionFile } from '../hooks/host.ts';
import { answer, boundary, injection, request, summary, toolUse } from '../unit/lines.ts';
import { append, compacted, fire, healthy, run } from './healthy.ts';

interface Story {
  since_checkpoint: { id: string; seconds: number; tool_calls: number | null } | null;
  compaction_history: {
    number: number;
    trigger: string | null;
    tokens_before: number;
    tokens_after: number | null;
    checkpoint: string | null;
    told: boolean;
    evidence: string | null;
  }[];
  workflow: { id: string; status: string; section: { freshness: string } } | null;
  injected: {
    times: number;
    tokens: number;
    by_tag: Record<string, { times: number; tokens: number }>;
    since_compaction: { times: number; tokens: number };
  } | null;
  alert: { status: string };
}
const storyOf = (host: Host): Story => JSON.parse(run(host, 'status', '--json').stdout) as Story;

test('each compaction with its fills and its checkpoint, and the tool calls since the last one', () => {
  const host = healthy();
  compacted(host);
  append(
    host,
    toolUse('t1', 'Bash', {}),
    toolUse('t1', 'Bash', {}),
    toolUse('t2', 'Read', {}),
    toolUse('t3', 'Read', {}, { isSidechain: true }),
  );
  const story = storyOf(host);
  expect(story.compaction_history).toEqual([
    {
      number: 1,
      at: expect.any(String),
      trigger: 'auto',
      tokens_before: 167_000,
      tokens_after: 40_000,
      checkpoint: expect.stringMatching(/^cx-\d+$/),
      told: true,
      evidence: expect.stringMatching(/^delivered/),
    },
  ]);
  expect(story.since_checkpoint).toMatchObject({
    id: story.compaction_history[0]?.checkpoint,
    tool_calls: 2,
  });
  const { stdout } = run(host, 'status');
  expect(stdout).toMatch(/\nCheckpoint +cx-\d+, just now, 2 tool calls since\n/);
  expect(stdout).toMatch(
    /\nCompactions +1\n {2,}1 {2}just now, automatic: 167,000 → 40,000, cx-\d+ \(told to the agent\)\n/,
  );
  expect(stdout).toMatch(/\nAlert +about compaction 1: delivered, said by SessionStart just now\n/);
  expect(stdout.split('\n').length).toBeLessThan(24);
});

test('what was said is counted from what the client stored, in all and since the compaction', () => {
  const host = healthy();
  const injected: string[] = [];
  const hear = (event: string, fields: Record<string, unknown>): void => {
    const { context } = fire(host, event, fields);
    if (context === '') return;
    injected.push(context);
    append(host, injection(context));
  };
  hear('SessionStart', { source: 'startup' });
  append(host, request('go'), answer(95_000));
  hear('UserPromptSubmit', { prompt: 'x' });
  append(host, answer(160_000, { id: 'msg_2' }));
  hear('UserPromptSubmit', { prompt: 'y' });
  fire(host, 'PreCompact', { trigger: 'auto', custom_instructions: null });
  const before = injected.length;
  const { context } = fire(host, 'SessionStart', { source: 'compact' });
  append(host, boundary(), summary(), injection(context), answer(40_000, { id: 'msg_3' }));
  const { injected: counted } = storyOf(host);
  const tokens = injected.slice(0, before).reduce((sum, each) => sum + estimateTokens(each), 0);
  expect(before).toBe(2);
  expect(counted?.by_tag).toEqual({
    'context-monitor': { times: 2, tokens },
    'compaction-alert': { times: 1, tokens: estimateTokens(context) },
  });
  expect(counted?.since_compaction).toMatchObject({ times: 1, tokens: estimateTokens(context) });
  expect(run(host, 'status').stdout).toMatch(
    /\nSaid +about [\d,]+ tokens, [\d,]+ since the compaction: .*context-monitor \d+ \(2\)/,
  );
});

test('a client that stores nothing of what hooks say: unknown, not nothing', () => {
  const host = healthy();
  fire(host, 'SessionStart', { source: 'startup' });
  append(host, request('go'));
  // Nothing is known of the usage yet: the hook runs, and says nothing.
  expect(fire(host, 'UserPromptSubmit', { prompt: 'x' }).stdout).toBe('');
  append(host, answer(30_000));
  expect(storyOf(host).injected).toMatchObject({ times: 0, tokens: 0 });
  expect(run(host, 'status').stdout).toMatch(/\nSaid +nothing yet\n/);
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  expect(storyOf(host).injected).toBeNull();
  expect(run(host, 'status').stdout).toMatch(
    /\nSaid +unknown: counted only where Claude Code stores what hooks say\n/,
  );
});

test('a compaction that was announced and has not come is told, and so is the workflow with its staleness', () => {
  const host = healthy();
  writeFileSync(
    path.join(host.project, 'ORCHESTRATION.yaml'),
    'workflow:\n  id: wf-1\n  name: x\n  status: ACTIVE\nresumption:\n  updated_at: "2020-01-01T00:00:00Z"\n',
  );
  fire(host, 'SessionStart', { source: 'startup' });
  append(host, request('go'), answer(120_000));
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  fire(host, 'PreCompact', { trigger: 'manual', custom_instructions: null });
  const story = storyOf(host);
  expect(story.workflow).toMatchObject({ id: 'wf-1', status: 'ACTIVE', section: { freshness: 'CRITICAL' } });
  const { stdout } = run(host, 'status');
  expect(stdout).toMatch(
    /\nPending +a compaction \(manual\) was announced just now; cx-\d+ was written for it\n/,
  );
  expect(stdout).toMatch(
    /\nWorkflow +wf-1 ACTIVE, section CRITICAL: not updated since this session began \(ORCHESTRATION\.yaml\)\n/,
  );
});

test('a checkpoint that is damaged, and a state of another shape, do not keep the rest from being told', () => {
  const host = healthy();
  compacted(host);
  for (const name of ['cx-001', 'cx-002'])
    writeFileSync(host.state('checkpoints', `${name}-checkpoint.json`), '{"torn');
  writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), '\u0000:::');
  mkdirSync(path.join(host.project, 'projects'));
  expect(storyOf(host).compaction_history).toMatchObject([{ number: 1, checkpoint: null, told: false }]);
  const state = JSON.parse(readFileSync(sessionFile(host), 'utf8')) as object;
  writeFileSync(
    sessionFile(host),
    JSON.stringify({ ...state, last_checkpoint: { id: 'cx-001', at: '2026-11-27T00:00:00.000Z' } }),
  );
  expect(storyOf(host).since_checkpoint).toMatchObject({ id: 'cx-001', tool_calls: null });
});

test('several active workflows: none is taken, and the way to name one is told', () => {
  const host = healthy();
  for (const name of ['a', 'b']) {
    mkdirSync(path.join(host.project, 'projects', name), { recursive: true });
    writeFileSync(
      path.join(host.project, 'projects', name, 'ORCHESTRATION.yaml'),
      `workflow:\n  id: wf-${name}\n  status: ACTIVE\n`,
    );
  }
  append(host, request('go'), answer(30_000));
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  expect(run(host, 'status').stdout).toMatch(
    /\nWorkflow +2 are active, and none is taken: projects\/a\/ORCHESTRATION\.yaml, projects\/b\/ORCHESTRATION\.yaml; "plimsoll config set orchestration\.path FILE" names/,
  );
  expect(run(host, 'config', 'set', 'orchestration.path', 'projects/b/ORCHESTRATION.yaml').code).toBe(0);
  expect(run(host, 'status').stdout).toMatch(/\nWorkflow +wf-b ACTIVE/);
});

test('the rules that do not fit into what is said at every prompt, and the markers that are not understood', () => {
  const host = healthy();
  append(host, request('Go'), answer(30_000));
  fire(host, 'UserPromptSubmit');
  const marker = (rank: number, content: string): string =>
    `<!-- L2-REINJECT: rank=${rank}, content="${content}" -->\n`;
  expect(run(host, 'status').stdout).toMatch(/^Model (?:(?!Rules)[\s\S])*$/m);
  const long = 'word '.repeat(300).trim();
  writeFileSync(
    path.join(host.project, 'CLAUDE.md'),
    `${marker(1, 'First.')}${marker(2, `Second ${long}`)}${marker(3, `Third ${long}`)}${marker(4, 'Fourth.')}<!-- L2-REINJECT: content="x" -->\n`,
  );
  const { stdout } = run(host, 'status');
  expect(stdout).toMatch(
    /\nRules +2 rules said again at every prompt, 2 left out, because 600 tokens .*:\n +CLAUDE\.md:3, rank 3: Third (?:word )+word…\n +CLAUDE\.md:4, rank 4: Fourth\.\n/,
  );
  expect(stdout).toMatch(/\nProblem +CLAUDE\.md:5: the marker has no rank=N/);
  expect(JSON.parse(run(host, 'status', '--json').stdout)).toMatchObject({
    rules: {
      said: 2,
      left_out: [
        { where: 'CLAUDE.md:3', rank: 3, words: expect.stringMatching(/^Third word/) },
        { where: 'CLAUDE.md:4', rank: 4, words: 'Fourth.' },
      ],
      not_understood: [{ where: 'CLAUDE.md:5', message: 'the marker has no rank=N' }],
    },
  });
  // The very rules that a prompt leaves out.
  const { context } = fire(host, 'UserPromptSubmit');
  expect(context).toContain('\n> Second word');
  expect(context).not.toContain('Fourth.');
});

test('the track that is worked on, and how much of the work of sessions has been noted', () => {
  const host = healthy();
  compacted(host);
  const place = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(host.project, name)), { recursive: true });
    writeFileSync(path.join(host.project, name), text);
  };
  expect(run(host, 'status').stdout).toMatch(/^Context/m);
  expect(run(host, 'status').stdout).not.toMatch(/^Track/m);
  place('docs/tracks/cache/SPEC.md', '# Cache\n');
  expect(run(host, 'status').stdout).toMatch(/^Track +none is active$/m);
  place('docs/tracks/ACTIVE_TRACK', 'gone\n');
  expect(run(host, 'status').stdout).toMatch(/^Track +docs\/tracks\/ACTIVE_TRACK names the track gone, but/m);
  place('docs/tracks/ACTIVE_TRACK', 'cache\n');
  place('artifacts/sessions/s1/work_log.md', 'x'.repeat(3_000));
  expect(run(host, 'status').stdout).toMatch(
    /^Track +cache; artifacts\/sessions\/ holds the work of 1 session, 3 KB, which stays until you remove it$/m,
  );
  expect(JSON.parse(run(host, 'status', '--json').stdout).track).toEqual({
    id: 'cache',
    from: 'pointer',
    fault: null,
    noted: { sessions: 1, bytes: 3_000 },
  });
});
