// Splits a transcript into units: what stood before a compaction, the host's own summary, and what the agent did next.
import { isObject, readNonEmpty } from '../../../text/json.ts';

export interface CompactionUnit {
  /** Id of the session, as the transcript says it, or null. */
  session: string | null;
  /** How many lines of the file stand in front of the boundary. */
  linesBefore: number;
  trigger: 'auto' | 'manual';
  /** One whole segment: the lines since the compaction before. */
  before: readonly unknown[];
  /** The summary and what the host attached, as the agent read them before its first answer. */
  summary: string;
  /** Until the next compaction. */
  after: readonly unknown[];
}

const isBoundary = (line: unknown): boolean =>
  isObject(line) &&
  line.type === 'system' &&
  line.subtype === 'compact_boundary' &&
  line.isSidechain !== true;
const isSummary = (line: unknown): boolean => isObject(line) && line.isCompactSummary === true;
const isAnswer = (line: unknown): boolean =>
  isObject(line) && line.type === 'assistant' && line.isSidechain !== true;

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  return isObject(value) ? Object.values(value).flatMap(collectTexts) : [];
}

function readSummary(behind: readonly unknown[]): string {
  const first = behind.findIndex(isAnswer);
  return behind
    .slice(0, first < 0 ? behind.length : first)
    .flatMap((line) => {
      if (!isObject(line)) return [];
      if (line.type === 'attachment') return collectTexts(line.attachment);
      return isSummary(line) && isObject(line.message) ? collectTexts(line.message.content) : [];
    })
    .join('\n');
}

/** One unit for each compaction of the main session that something stands in front of. */
export function splitUnits(lines: readonly unknown[]): CompactionUnit[] {
  const boundaries = lines.flatMap((line, at) => (isBoundary(line) ? [at] : []));
  const ids = lines.map((line) => (isObject(line) ? readNonEmpty(line.sessionId) : null));
  const session = ids.find((id) => id !== null) ?? null;
  return boundaries.flatMap((at, index) => {
    const from = index === 0 ? 0 : (boundaries[index - 1] ?? 0) + 1;
    const before = lines.slice(from, at);
    if (!before.some(isAnswer)) return [];
    const behind = lines.slice(at + 1, boundaries[index + 1] ?? lines.length);
    const boundary = lines[at];
    const meta = isObject(boundary) && isObject(boundary.compactMetadata) ? boundary.compactMetadata : {};
    return [
      {
        session,
        linesBefore: at,
        trigger: meta.trigger === 'manual' ? ('manual' as const) : ('auto' as const),
        before,
        summary: readSummary(behind),
        after: behind.filter((line) => !isSummary(line)),
      },
    ];
  });
}
