// A track's files as texts for tests of compaction, changed as a compaction plans it.
import { createHash } from 'node:crypto';
import {
  type CompactionInputs,
  planCompaction,
  type TrackCompaction,
} from '../../../src/addons/tracks/plan-compaction.ts';
import { formatLogMark } from '../../../src/addons/tracks/work-log/work-log.ts';

export const TRACK = 'cache';
export const PLAN = `docs/tracks/${TRACK}/PLAN.md`;
export const SPEC = `docs/tracks/${TRACK}/SPEC.md`;
export const RISKS = `docs/tracks/${TRACK}/RISKS.md`;
export const DECISIONS = `docs/tracks/${TRACK}/DECISIONS.md`;
export const INVARIANTS = 'docs/context/INVARIANTS.md';
export const CORE = 'docs/context/CONTEXT_CORE.md';
export const LOG = 'artifacts/sessions/s-1/work_log.md';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export type Files = Record<string, string>;

/** A log of the track, from its lines. */
export const log = (...lines: string[]): string => `${[formatLogMark(TRACK), ...lines].join('\n')}\n`;

export const planned = (files: Files, more: Partial<CompactionInputs> = {}): TrackCompaction =>
  planCompaction({
    track: TRACK,
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    transient: Object.keys(files).filter((path) => path.startsWith('artifacts/sessions/')),
    session: null,
    coreWrites: false,
    hash: sha256,
    ...more,
  });

/** The files as they are once a plan is carried out. */
export const changed = (files: Files, { changes }: TrackCompaction): Files => ({
  ...files,
  ...Object.fromEntries(changes.map(({ path, after }) => [path, after])),
});

/** Files after one compaction; throws when it refuses. */
export function compacted(files: Files, more: Partial<CompactionInputs> = {}): Files {
  const plan = planned(files, more);
  if (plan.violations.length > 0) throw new Error(JSON.stringify(plan.violations));
  return changed(files, plan);
}

/** The file of the entry whose text holds these words. */
export function entryFile(files: Files, words: string): string {
  const found = Object.keys(files).filter(
    (path) =>
      path.includes('/entries/') && files[path]?.slice(files[path].indexOf('\n---\n')).includes(words),
  );
  if (found.length !== 1) throw new Error(`${found.length} entries of "${words}"`);
  return found[0] ?? '';
}

/** What stands in a document's block. */
export const blockIn = (files: Files, path = PLAN): string =>
  /<!-- plimsoll:entries[^>]*-->\r?\n([\s\S]*)<!-- \/plimsoll:entries -->/.exec(files[path] ?? '')?.[1] ?? '';

/** A text with the ids of content in one form, so that tests need not know them. */
export const unnamed = (text: string | undefined): string =>
  (text ?? '')
    .replace(/\b([DRTI])-[0-9a-f]{10}\b/g, '$1-#')
    .replace(/entries [0-9a-f]{12}:[^>]*-->/g, 'entries #-->');
