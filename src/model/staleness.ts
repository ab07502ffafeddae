// Is the resumption section of an ORCHESTRATION.yaml still about the present?

/** What a look at the file's text gives, without parsing it as YAML. */
export interface SectionMarks {
  /** ISO time as the file has it, or null. */
  updated_at: string | null;
  last_checkpoint: string | null;
  current_phase: string | null;
}

export type Freshness = 'FRESH' | 'STALE' | 'CRITICAL';

const NOTHING: SectionMarks = { updated_at: null, last_checkpoint: null, current_phase: null };
const FRESH_MS = 30 * 60_000;
const FIELD = /^( +)(updated_at|last_checkpoint|current_phase|recovery_state):(?: +(.*))?$/;

/** A plain or quoted value on one line; null for anything else (anchors, blocks, lists, nothing). */
function scalarOf(text: string): string | null {
  const quoted = /^"([^"\\]*)"|^'([^']*)'/.exec(text);
  if (quoted !== null) return (quoted[1] ?? quoted[2]) || null;
  const plain = text.replace(/(?:^|\s+)#.*$/, '').trim();
  return plain === '' || plain === '~' || plain === 'null' || /^[&*!|>{["'@`%]/.test(plain) ? null : plain;
}

/**
 * The marks of the one `resumption:` section at the left edge, directly in it or in its `recovery_state`. All null where
 * there is none, or more than one, or it is indented by tabs: what is odd is not guessed at.
 */
export function sectionMarks(source: string): SectionMarks {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const starts = lines.flatMap((line, at) => (/^resumption:\s*(?:#.*)?$/.test(line) ? [at] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return NOTHING;
  const marks: SectionMarks = { ...NOTHING };
  let base: number | null = null;
  let below: number | null = null; // indentation of what stands in recovery_state, once it is seen
  let isInRecovery = false;
  for (const line of lines.slice(start + 1)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (/^\t/.test(line)) return NOTHING;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) break;
    base ??= indent;
    if (indent === base) isInRecovery = false;
    else if (isInRecovery) below ??= indent;
    const [, , name, value = ''] = FIELD.exec(line.trimEnd()) ?? [];
    if (indent === base && name === 'recovery_state') isInRecovery = true;
    else if (
      name !== undefined &&
      name !== 'recovery_state' &&
      (indent === base || (isInRecovery && indent === below))
    ) {
      const found = scalarOf(value);
      if (found !== null) marks[name as keyof SectionMarks] = found;
    }
  }
  return marks;
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
