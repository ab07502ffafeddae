import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { pathsIn, temporaryFolder } from '../../test/unit/temporary.ts';
import { claudeCode } from '../hosts/claude-code/index.io.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import type { SessionPatch } from '../sessions/session-state.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import type { Effect, HookResult } from './action.ts';
import { runActions } from './run-actions.io.ts';

const patch = (patch: SessionPatch): Effect => ({ do: 'patch-session', session: 'a', patch });

/** A hook of session "a" that runs actions, and what of its state was on disk when it printed. */
async function run(actions: HookResult, prepare: (state: string) => unknown = () => undefined) {
  const paths = pathsIn(temporaryFolder());
  const failures: string[] = [];
  const printed: unknown[] = [];
  const onDisk = () => tryOrNull(() => readSessionState(paths, 'a'));
  prepare(paths.session('a').state);
  const hook = {
    ...{ host: claudeCode, paths, env: {}, now: 0, event: { session: 'a' } },
    onFailure: (part: string) => void failures.push(part),
  };
  await runActions(hook, 'PreCompact', actions, (text) => printed.push([text, onDisk()?.epoch]));
  return { paths, failures, printed, onDisk };
}

test('the state is written once before the reply, with all patches in order, and once after it', async () => {
  const seen: unknown[] = [];
  const paths: string[] = [];
  const look = (): null => {
    seen.push(tryOrNull(() => JSON.parse(readFileSync(paths[0] ?? '', 'utf8')).epoch));
    return null;
  };
  const it = await run(
    [
      { name: 'one', effects: [patch({ epoch: 1 }), look] },
      { name: 'two', effects: [patch({ epoch: 2 }), look], render: () => ({ context: 'said' }) },
      { name: 'three', afterReply: [patch({ epoch: 3 }), look, patch({ off: true })] },
    ],
    (state) => paths.push(state),
  );
  expect(seen).toEqual([null, null, 2]);
  expect(it.printed).toEqual([['said', 2]]);
  expect(it.onDisk()).toMatchObject({ epoch: 3, off: true });
  expect(it.failures).toEqual([]);
});

test('where the state cannot be written each patch has failed, and nothing is made of it', async () => {
  const made: number[] = [];
  const event = ({ done }: { done: readonly unknown[] }): Effect => {
    made.push(done.length);
    return { do: 'apply-in-addon', addon: 'none', effect: null } as unknown as Effect;
  };
  const { failures } = await run(
    [
      { name: 'one', effects: [patch({ epoch: 1 })] },
      { name: 'two', effects: [patch({ epoch: 2 }), event] },
    ],
    (state) => {
      mkdirSync(dirname(state), { recursive: true });
      // A newer version wrote it.
      writeFileSync(state, JSON.stringify({ schema_version: '99.0.0', session_id: 'a' }));
    },
  );
  expect(failures.slice(0, 2)).toEqual(['one', 'two']);
  // What is made of the effects is made once more of those that were written.
  expect(made).toEqual([2, 0]);
});
