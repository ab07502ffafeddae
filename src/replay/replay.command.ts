// Runs `plimsoll replay`: what would have been announced in past sessions, and how early before each compaction.

import { basename, join, resolve } from 'node:path';
import { type Output, toJson } from '../cli/output.io.ts';
import { showProgress } from '../cli/progress.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import type { AssessmentSettings } from '../context/assessment.ts';
import { listHostTranscripts } from '../hosts/registry.io.ts';
import { readStamp } from '../platform/look.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { findTranscripts, keepReadable, type LeaveOut, probeFiles } from './read-transcripts.io.ts';
import {
  buildReplaySettings,
  type ReplayedFile,
  type ReplaySettings,
  replayFiles,
} from './replay-files.io.ts';
import {
  type CompactionRetention,
  replayCsv,
  replayData,
  replayText,
  type ShownFile,
} from './replay-text.ts';
import type { UnitScore } from './score-unit.ts';

export interface ReplayOptions {
  all?: boolean;
  csv?: boolean;
  json?: boolean;
  retention?: boolean;
  threads?: string;
}

type ReplayCommand = 'replay' | 'calibrate';

function filesOf(
  place: ProjectContext,
  paths: readonly string[],
  isAll: boolean,
  command: ReplayCommand,
  leaveOut: LeaveOut,
): string[] {
  if (paths.length > 0) {
    const find = (path: string): string[] => findTranscripts(resolve(place.cwd, path), command, leaveOut);
    return [...new Set(paths.flatMap(find))];
  }
  const folder = isAll ? null : (place.root ?? place.cwd);
  const listed = listHostTranscripts(folder, place.env).map(({ path }) => path);
  const found = keepReadable(listed, leaveOut);
  if (found.length > 0) return found;
  throw new PlimsollError('not-found', `No session was found for "${place.cwd}"`, {
    hint: `name a transcript or a folder of them: plimsoll ${command} PATH; or take all projects: plimsoll ${command} --all`,
  });
}

function threadsOf(given: string | undefined, command: ReplayCommand): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d?$/.test(given)) return Number(given);
  throw new PlimsollError('usage', `--threads "${given}" is no number from 1 to 99`, {
    hint: `plimsoll ${command} --threads 2`,
  });
}

/**
 * Replays what a command names, with a bar on a terminal. `again` replays files of it once more, by other settings.
 * @throws PlimsollError `not-found` where there is no session, and where none of them holds a call
 */
export async function replayAll(
  place: ProjectContext,
  paths: readonly string[],
  options: { all?: boolean; threads?: string },
  output: Output,
  dist: string,
  command: ReplayCommand = 'replay',
) {
  const threads = threadsOf(options.threads, command);
  const found = filesOf(place, paths, options.all === true, command, (why) => output.warn(why));
  const base = buildReplaySettings(place.resolved, place.env, false);
  async function run(
    files: readonly string[],
    settings: ReplaySettings,
    what: string,
  ): Promise<ReplayedFile[]> {
    if (files.length === 0) return [];
    const bytes = files.reduce((sum, path) => sum + readStamp(path).size, 0);
    const bar = await showProgress(what, bytes, output);
    const given = { bundle: join(dist, 'commands.cjs'), threads, onProgress: bar.advance };
    return replayFiles(files, settings, given).finally(bar.stop);
  }
  const files = await run(found, base, 'Replaying');
  if (files.every(({ series, compactions }) => series.length === 0 && compactions.length === 0))
    throw new PlimsollError('not-found', 'Nothing in it is a call of a model, or a compaction', {
      hint: `name transcripts of sessions: plimsoll ${command} PATH`,
    });
  const again = (some: readonly string[], assessment: AssessmentSettings, what: string) =>
    run(some, { ...base, assessment }, what);
  return { files, again };
}

function retentionOf({ facts, tokens }: UnitScore): CompactionRetention {
  const needed = facts.filter((fact) => fact.needed);
  const told = (arm: 'summary' | 'with'): number => needed.filter((fact) => fact.told[arm]).length;
  return { needed: needed.length, by_summary: told('summary'), with_plimsoll: told('with'), tokens };
}

/** Runs the real hooks at each compaction of a file, as `plimsoll probe` does, and counts what was needed and told. */
async function measureRetention(file: ReplayedFile, dist: string): Promise<(CompactionRetention | null)[]> {
  const { path, compactions } = file;
  if (compactions.length === 0) return [];
  const scores = await probeFiles([path], { hook: join(dist, 'hook.cjs'), checks: 0 });
  return compactions.map((_, index) => {
    const score = scores.find(({ compaction }) => compaction === index);
    return score === undefined ? null : retentionOf(score);
  });
}

export async function replay(
  place: ProjectContext,
  paths: readonly string[],
  options: ReplayOptions,
  output: Output,
  dist: string,
): Promise<void> {
  const { files } = await replayAll(place, paths, options, output, dist);
  const shown: ShownFile[] = [];
  for (const file of files) {
    const name = options.csv ? basename(file.path) : displayPath(file.path, place);
    const retention = options.retention ? await measureRetention(file, dist) : null;
    shown.push({ ...file, name, retention });
  }
  if (options.json) return output.print(toJson(replayData(shown)));
  output.print(options.csv ? replayCsv(shown) : replayText(shown));
}
