// The effects of tracks, and their application: what is written into the files of a session or of the active track.
import type { AddonEffect } from '../../../hook/action.ts';
import type { Env, ProjectPaths } from '../../../platform/project/paths.ts';
import type { TestRun } from './test-run.ts';

type TrackEffect = { session: string } & (
  | { keep: 'work-log'; root: string; track: string; lines: readonly string[] }
  /** A run of tests for the session's test_output.txt. */
  | { keep: 'test-run'; root: string; run: TestRun }
  /** What git sees changed, for the session's recent_diff.txt; nothing outside a repository. */
  | { keep: 'diff'; root: string; env: Env }
  /** What a session was told of its track, as a hash: a resume tells it what is new only. */
  | { keep: 'told'; hash: string }
  /** What was said of a track goes into its files; why not, where it cannot, is kept for the session's alert. */
  | { keep: 'compaction'; root: string; track: string; coreWrites: boolean }
);

export const buildTrackEffect = (data: TrackEffect): AddonEffect => ({
  do: 'apply-in-addon',
  addon: 'tracks',
  data,
});

/** Applies an effect; loads only what it needs, for tool calls are many. */
export async function applyTrackEffect({ data }: AddonEffect, paths: ProjectPaths): Promise<void> {
  const effect = data as TrackEffect;
  const { session } = effect;
  switch (effect.keep) {
    case 'work-log': {
      const { appendWorkLog } = await import('./session-artifacts.io.ts');
      appendWorkLog(effect.root, session, effect.track, effect.lines);
      return;
    }
    case 'test-run': {
      const { keepTestRun } = await import('./session-artifacts.io.ts');
      keepTestRun(effect.root, session, effect.run);
      return;
    }
    case 'diff': {
      const { saveRecentDiff } = await import('./recent-diff.io.ts');
      saveRecentDiff(effect.root, session, effect.env);
      return;
    }
    case 'told': {
      const { saveInjectedHash } = await import('../files/compact-in-hook.io.ts');
      saveInjectedHash(paths, session, effect.hash);
      return;
    }
    case 'compaction': {
      const { compactInHook } = await import('../files/compact-in-hook.io.ts');
      compactInHook(paths, effect);
    }
  }
}
