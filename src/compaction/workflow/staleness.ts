// Decides whether the resumption section of an ORCHESTRATION.yaml is fresh, stale or older than the session.

import type { Sensitivity } from '../../context/tier.ts';

/** What a look at the file's text gives, without parsing it as YAML. */
export interface SectionMarks {
  /** ISO time as the file has it, or null. */
  updated_at: string | null;
  last_checkpoint: string | null;
  current_phase: string | null;
  /** How much is at stake in a workflow that is active; absent in states of earlier versions. */
  criticality?: Sensitivity | null;
}

export type Freshness = 'FRESH' | 'STALE' | 'CRITICAL';

const FRESH_MS = 30 * 60_000;
/** Clocks differ by so much; a time that is further ahead was made up. */
const AHEAD_MS = 5 * 60_000;
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:(Z)|([+-]\d\d):?(\d\d)?)?)?$/i;

/**
 * The moment that a text names, in ms; null for what is no date and no time: what else a clock would make of "3" is
 * nobody's meaning. A date alone is its beginning in UTC, a time without a zone the machine's own.
 */
export function findTime(text: string | null): number | null {
  const [, date, clock, utc, hours, minutes = '00'] = TIME.exec(text?.trim() ?? '') ?? [];
  if (date === undefined) return null;
  const zone = utc === undefined ? (hours === undefined ? '' : `${hours}:${minutes}`) : 'Z';
  const time = Date.parse(clock === undefined ? date : `${date}T${clock}${zone}`);
  return Number.isNaN(time) ? null : time;
}

/** Whether a section is older than a moment; one that is stamped in whole seconds is of any moment in its second. */
export const isBefore = (updated: number, since: number): boolean =>
  updated + (updated % 1_000 === 0 ? 1_000 : 0) <= since && updated < since;

/** A day and the half of one by which people's clocks are apart. */
const DAY_MS = 36 * 3_600_000;

/** When a section was updated, in ms: by its own word where that is a time, else by its file's; of a day, by the file's in it. */
export function readUpdatedAt(text: string | null, fileMs: number): number {
  const written = findTime(text);
  if (written === null) return fileMs;
  return /^\d{4}-\d\d-\d\d$/.test(text?.trim() ?? '')
    ? Math.max(written, Math.min(fileMs, written + DAY_MS))
    : written;
}

/**
 * How the section stands. CRITICAL: it is older than the session, so nothing of it is in there. STALE: it was written
 * before the phase that it names began, more than 30 minutes ago, or at a time that is still to come.
 *
 * @param times in ms since the epoch; null where unknown
 */
export function rateFreshness(times: {
  updated: number;
  started: number | null;
  phaseSince: number | null;
  now: number;
}): { level: Freshness; why: string } {
  const { updated, started, phaseSince, now } = times;
  if (started !== null && isBefore(updated, started))
    return { level: 'CRITICAL', why: 'not updated since this session began' };
  if (phaseSince !== null && isBefore(updated, phaseSince))
    return { level: 'STALE', why: 'not updated since the current phase began' };
  if (updated - now > AHEAD_MS) return { level: 'STALE', why: 'its time lies in the future' };
  if (now - updated > FRESH_MS) return { level: 'STALE', why: 'not updated for more than 30 minutes' };
  return { level: 'FRESH', why: 'updated within current phase' };
}

/**
 * How the section of a file stands; one without a time of its own is as old as the file is on disk.
 * @param file `mtimeMs` of the file when it was read; `phase_since` as an ISO time, or null
 * @param started when the session began, as an ISO time, or null
 */
export function readSectionStanding(
  file: SectionMarks & { mtimeMs: number; phase_since: string | null },
  now: number,
  started: string | null,
) {
  const updated = readUpdatedAt(file.updated_at, file.mtimeMs);
  const time = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));
  const times = { updated, started: time(started), phaseSince: time(file.phase_since), now };
  return {
    updated_at:
      updated === findTime(file.updated_at) ? (file.updated_at ?? '') : new Date(updated).toISOString(),
    age_s: Math.max(0, (now - updated) / 1000),
    checkpoint: file.last_checkpoint,
    ...rateFreshness(times),
  };
}
