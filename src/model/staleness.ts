// Is the resumption section of an ORCHESTRATION.yaml still about the present?
import { marksIn } from './marks.ts';

/** What a look at the file's text gives, without parsing it as YAML. */
export interface SectionMarks {
  /** ISO time as the file has it, or null. */
  updated_at: string | null;
  last_checkpoint: string | null;
  current_phase: string | null;
}

export type Freshness = 'FRESH' | 'STALE' | 'CRITICAL';

const FRESH_MS = 30 * 60_000;
const FIELDS = ['updated_at', 'last_checkpoint', 'current_phase'] as const;

/** The marks of the `resumption:` section; null where they are not there, or odd. */
export const sectionMarks = (source: string): SectionMarks => marksIn(source, 'resumption', FIELDS);

/** When a section was updated, in ms: by its own word where that is a time, else by its file's. */
export function updatedAt(text: string | null, fileMs: number): number {
  const written = /^[\d:TZ.+ -]+$/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(written) ? fileMs : written;
}

/**
 * How the section stands. CRITICAL: it is older than the conversation, so nothing of it is in there. STALE: it was written
 * before the phase that it names began, or more than 30 minutes ago.
 *
 * @param times in ms since the epoch; null where unknown
 */
export function freshnessOf(times: {
  updated: number;
  started: number | null;
  phaseSince: number | null;
  now: number;
}): { level: Freshness; why: string } {
  const { updated, started, phaseSince, now } = times;
  if (started !== null && updated < started)
    return { level: 'CRITICAL', why: 'not updated since this conversation began' };
  if (phaseSince !== null && updated < phaseSince)
    return { level: 'STALE', why: 'not updated since the current phase began' };
  if (now - updated > FRESH_MS) return { level: 'STALE', why: 'not updated for more than 30 minutes' };
  return { level: 'FRESH', why: 'updated within current phase' };
}
