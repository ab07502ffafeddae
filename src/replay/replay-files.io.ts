// Replays transcripts: each line by line in bounded memory, several at a time on threads of their own.

import { readLearned } from '../context/learned-thresholds.io.ts';
import { pickLimitVariables } from '../hosts/claude-code/limits.ts';
import type { SessionReader } from '../hosts/host.ts';
import { findWriter } from '../hosts/registry.io.ts';
import { forEachLine, parseLine, reading, visitLinesFrom } from '../hosts/transcript.io.ts';
import { readStamp } from '../platform/look.ts';
import { countProcessors } from '../platform/process.ts';
import type { Env } from '../platform/project/paths.ts';
import { runOnThreads, serveTasks } from '../platform/workers.ts';
import type { Resolved } from '../settings/resolved.ts';
import { createReplay, type ReplayInput } from './replay-session.ts';
import { collectAgents, markCopies, type ReplayedAgent, type ReplayedSession } from './replayed.ts';

export interface ReplayedFile extends ReplayedSession {
  path: string;
}

/** What a replay judges by: plain data, which threads are given a copy of. */
export type ReplaySettings = Pick<
  ReplayInput,
  'assessment' | 'settings' | 'env' | 'client' | 'learned' | 'isDetailed'
>;

export const buildReplaySettings = (resolved: Resolved, env: Env, isDetailed: boolean): ReplaySettings => ({
  assessment: resolved.assessment,
  settings: {
    enabled: true,
    'context_monitor.enabled': resolved.settings['context_monitor.enabled'],
    'context_monitor.emit': resolved.settings['context_monitor.emit'],
    'checkpoint.on_tier_rise': resolved.settings['checkpoint.on_tier_rise'],
    'context_monitor.typical_step_tokens': resolved.settings['context_monitor.typical_step_tokens'],
    'context_monitor.sensitivity': resolved.settings['context_monitor.sensitivity'],
  },
  env: pickLimitVariables(env),
  client: resolved.client,
  learned: readLearned(env),
  isDetailed,
});

/** Bytes after which progress is told. */
const STEP = 8 * 1024 * 1024;
/** Fewer bytes than these are read sooner than a thread starts. */
const FEW = 24 * 1024 * 1024;
const MOST_THREADS = 8;

/** The agents whose transcripts are files of their own; one beside the session's may be another session's. */
function readAgents(path: string, session: string | null, reader: SessionReader): ReplayedAgent[] {
  const { listAgentTranscripts, readAgentCall, readSession } = reader;
  return listAgentTranscripts(path).flatMap((each) => {
    const agents = collectAgents({ readAgentCall });
    let isOwn = true;
    visitLinesFrom(each, 0, (line) => {
      const parsed = parseLine(line);
      isOwn = session === null || (readSession(parsed)?.id ?? session) === session;
      agents.add(parsed);
      return isOwn;
    });
    return isOwn ? agents.finish() : [];
  });
}

/** Replays one file, in the memory of one block and one line. @param onProgress hears of bytes that were read */
export function replayFile(
  path: string,
  settings: ReplaySettings,
  onProgress: (bytes: number) => void = () => {},
): ReplayedFile {
  const { facts, entries, sessions, atStart, limits } = findWriter(path).host;
  const input = { ...settings, facts, entries, sessions, atStart, limits };
  const replay = createReplay({ ...input, parse: (line) => parseLine(line as Buffer) });
  const size = reading(path, 0, (descriptor, bytes) => {
    let told = 0;
    forEachLine(descriptor, bytes, (line, offset) => {
      replay.add(line, offset);
      if (offset - told > STEP) {
        onProgress(offset - told);
        told = offset;
      }
      return true;
    });
    onProgress(bytes - told);
    return bytes;
  });
  const replayed = { path, ...replay.finish(size) };
  replayed.detail?.agents.push(...readAgents(path, replayed.session.id, sessions));
  return replayed;
}

/** On a thread: replays the files that it is given. */
export const replayOnThread = (): void => serveTasks(replayFile);

/**
 * Replays files, in their order.
 *
 * @param given.bundle the bundle that threads load
 * @param given.threads how many; null for one per processor
 */
export async function replayFiles(
  paths: readonly string[],
  settings: ReplaySettings,
  given: { bundle: string; threads: number | null; onProgress: (bytes: number) => void },
): Promise<ReplayedFile[]> {
  const bytes = paths.reduce((sum, path) => sum + readStamp(path).size, 0);
  const files =
    given.threads === null && bytes < FEW
      ? paths.map((path) => replayFile(path, settings))
      : await runOnThreads<ReplayedFile>(paths, {
          ...{ bundle: given.bundle, name: 'serveReplays', data: settings },
          threads: given.threads ?? Math.min(MOST_THREADS, countProcessors()),
          onProgress: given.onProgress,
        });
  markCopies(files);
  return files;
}
