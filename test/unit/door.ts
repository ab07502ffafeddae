// A session inside the client, by our module's door: nothing is owed, and no tier is reached.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { answerClassic } from '../../src/hosts/claude-code/module/answer.io.ts';
import { createDoor } from '../../src/hosts/claude-code/module/door.io.ts';
import { createMemory } from '../../src/hosts/claude-code/module/sample.io.ts';
import { createSessionState, type SessionPatch } from '../../src/sessions/session-state.ts';
import { loadSettings } from '../../src/settings/load.io.ts';
import { formatSettingsSnapshot } from '../../src/settings/resolved.ts';
import { type Figures, fakeClient } from './client.ts';
import { envFor, pathsIn, temporaryFolder } from './temporary.ts';

/** A session of which nothing is owed, at a usage that its tiers do not reach. */
export function running(figures: Partial<Figures> = {}, patch: SessionPatch = {}) {
  const root = realpathSync(temporaryFolder());
  const env = { ...envFor(root), HOME: envFor(root).HOME ?? '' };
  const paths = pathsIn(root);
  const transcript = `${root}/t.jsonl`;
  const { ledger, state, runs } = paths.session('a');
  mkdirSync(dirname(state), { recursive: true });
  writeFileSync(transcript, '{}\n');
  writeFileSync(runs, '');
  writeFileSync(ledger, '');
  const keep = (more: SessionPatch): void =>
    writeFileSync(
      state,
      JSON.stringify({
        ...createSessionState('a'),
        ...{ active: true, transcript, first_answer_tokens: 30_000, ...more },
      }),
    );
  keep(patch);
  const save = (): void => {
    const { settings, ...rest } = loadSettings(root, env);
    writeFileSync(paths.snapshot, formatSettingsSnapshot({ settings, ...rest }));
  };
  save();
  const all: Figures = {
    ...{ root, window: 200_000, tokens: 40_000, model: 'claude-sonnet-4-5', env, now: 1_000_000 },
    ...{ started: [], shown: [], ...figures },
  };
  const client = fakeClient(all);
  const door = createDoor(createMemory());
  const common = { session_id: 'a', transcript_path: transcript, cwd: root };
  const prompt = (more = {}) =>
    answerClassic(client, door, 'UserPromptSubmit', {
      ...common,
      ...{ hook_event_name: 'UserPromptSubmit', prompt: 'x', ...more },
    });
  const tools = (more = {}) =>
    answerClassic(client, door, 'PostToolBatch', {
      ...common,
      ...{ hook_event_name: 'PostToolBatch', tool_calls: [], ...more },
    });
  const asked = () =>
    (all.started ?? []).flatMap(({ stdin }) => (stdin === null ? [] : [stdin.hook_event_name]));
  return { root, env, paths, all, client, door, prompt, tools, asked, save, keep, common };
}
export const NOMINAL = {
  last_announced: {
    epoch: 0,
    tier: 'NOMINAL' as const,
    highest_tier: 'NOMINAL' as const,
    window: 200_000,
    max_tokens: 40_000,
  },
};

export const answerOf = (additionalContext: string): string =>
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext },
    systemMessage: 'hear',
  });

/** Holds all processes back until they are let go. */
export function holdProcesses({ client }: ReturnType<typeof running>): () => void {
  const { run } = client.process;
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  client.process.run = async (...given) => {
    if (given[1].stdin !== undefined) await held;
    return run(...given);
  };
  return letGo;
}
