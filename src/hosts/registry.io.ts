// Names the hosts that Plimsoll serves: the one place that knows them all.

import type { Env } from '../platform/project/paths.ts';
import { claudeCode } from './claude-code/index.io.ts';
import { claudeTranscripts } from './claude-code/install/files.io.ts';
import { codexEntry } from './codex/index.io.ts';
import { copilotEntry } from './copilot/index.io.ts';
import type { FoundTranscript, HostEntry } from './host-entry.ts';
import { createAsk, type RunHook, reportInside } from './inside.io.ts';
import { kiloEntry, opencodeEntry } from './opencode/index.io.ts';
import { piEntry } from './pi/index.io.ts';
import { parseLine, visitLinesFrom } from './transcript.io.ts';

/** The first is meant where nothing names another one. */
export const HOSTS: readonly [HostEntry, ...HostEntry[]] = [
  { title: 'Claude Code', host: claudeCode, transcripts: claudeTranscripts },
  piEntry,
  opencodeEntry,
  kiloEntry,
  codexEntry,
  copilotEntry,
];

/** The host of a name; null for one that is not known here. */
export const findHost = (name: string | null): HostEntry | null =>
  HOSTS.find(({ host }) => host.name === name) ?? null;

/** A transcript, and the host that wrote it. */
export interface HostTranscript extends FoundTranscript {
  by: HostEntry;
}

/** The transcript of a session, wherever it ran and whichever host wrote it, or null. */
export function locateTranscript(id: string, env: Env): HostTranscript | null {
  for (const by of HOSTS) {
    const found = by.transcripts.locate(id, env);
    if (found !== null) return { ...found, by };
  }
  return null;
}

/** The transcripts of all hosts' sessions that ran in a folder, or of all, the newest first. */
export const listHostTranscripts = (folder: string | null, env: Env): HostTranscript[] =>
  HOSTS.flatMap((by) => by.transcripts.list(folder, env).map((each) => ({ ...each, by }))).sort(
    (a, b) => b.mtimeMs - a.mtimeMs,
  );

/** The newest of them, or null. */
export const findNewestTranscript = (folder: string, env: Env): HostTranscript | null =>
  listHostTranscripts(folder, env)[0] ?? null;

/** The host that wrote a transcript, as its first line tells; the first where none claims it. */
export function findWriter(path: string): HostEntry {
  let first: unknown = null;
  visitLinesFrom(path, 0, (line) => {
    first = parseLine(line);
    return false;
  });
  return HOSTS.find(({ transcripts }) => transcripts.isBegunBy(first)) ?? HOSTS[0];
}

/** Called by the file that `plimsoll init` puts among a host's extensions, with what that host hands to each of them. */
export function attach(name: string, api: unknown, run: RunHook): unknown {
  const entry = HOSTS.find(({ host }) => host.name === name);
  return entry?.attach?.(api, createAsk(entry.host, run), reportInside);
}
