// Finds out which files commands have changed since the last look at the worktree, without the edits that were judged.

import type { FastContext, GuardContext } from '../../../hook/snapshot.io.ts';
import { mayChangeFiles, runsInBackground } from '../../../hosts/claude-code/tools/kinds.ts';
import { tryStep, tryStepAsync } from '../../../platform/project/try-step.ts';
import type { FileStamps, WorktreeSnapshot } from '../worktree-snapshot.ts';
import { absorbEdits, findChangedSince, redactStamps } from '../worktree-snapshot.ts';
import { readApprovedSince, readWorktreeSnapshot } from './kept-snapshot.io.ts';

export interface WorktreeDiff {
  /** Absolute paths of the files whose change no rule has judged. */
  changed: string[];
  before: WorktreeSnapshot | null;
  now: WorktreeSnapshot;
}

const PART = 'changed files';

/** Null outside a repository, and when git fails, which is logged. */
const stampsFor = (hook: FastContext | GuardContext): Promise<FileStamps | null> =>
  tryStepAsync(hook, PART, async () =>
    (await import('./take-snapshot.io.ts')).readWorktreeStamps(hook.paths.root ?? hook.event.cwd, hook.env),
  );

/** The look to compare the next one with; its time always differs from that of the one before. */
const lookedAt = (
  { event, now }: FastContext | GuardContext,
  before: WorktreeSnapshot | null,
  found: Pick<WorktreeSnapshot, 'stamps' | 'judged' | 'read' | 'goesOn'>,
): WorktreeSnapshot => ({
  v: 1,
  goesOn: before?.goesOn ?? false,
  ...(before?.told === undefined ? {} : { told: before.told }),
  session: event.session,
  prompt: event.promptId,
  at: Math.max(now, (before?.at ?? 0) + 1),
  ...found,
});

/** Before a command: saves what git lists, to compare the worktree with after it. */
export async function recordBaseline(hook: GuardContext, before: WorktreeSnapshot | null): Promise<void> {
  const { paths, event } = hook;
  const stamps = await stampsFor(hook);
  await tryStepAsync(hook, PART, async () => {
    const { end: read } = readApprovedSince(paths, event.session, 0);
    (await import('./take-snapshot.io.ts')).writeWorktreeSnapshot(
      paths,
      lookedAt(hook, before, { stamps, judged: [], read }),
    );
  });
}

/** Before a command: adds the edits judged since the last look to it, so that only the command's own changes show later. */
export async function absorbApprovedEdits(hook: GuardContext, last: WorktreeSnapshot): Promise<void> {
  const { paths, event } = hook;
  await tryStepAsync(hook, PART, async () => {
    const noted = readApprovedSince(paths, event.session, last.read);
    const judged = [...last.judged, ...noted.files];
    const { readStamps, writeWorktreeSnapshot } = await import('./take-snapshot.io.ts');
    const after = absorbEdits(last, judged, readStamps(judged));
    if (after.judged.length === new Set(judged).size) return;
    // Another process may have looked in the meantime; its look is newer and stays.
    if (readWorktreeSnapshot(paths, event.session)?.at !== last.at) return;
    writeWorktreeSnapshot(paths, { ...last, ...after, read: noted.end });
  });
}

/** What commands have changed; null when no call could change files or there is nothing to note. */
export async function readWorktreeDiff(hook: FastContext): Promise<WorktreeDiff | null> {
  const { event, paths } = hook;
  if (event.kind !== 'after-tool' || paths.root === null) return null;
  const calls = hook.host.readToolCalls(event.payload);
  if (!calls.some(mayChangeFiles)) return null;
  const { session } = event;
  const before = tryStep(hook, PART, () => readWorktreeSnapshot(paths, session));
  const known = before?.prompt === event.promptId ? before : null;
  // Git failed before: it is not tried again during this prompt.
  if (known !== null && known.stamps === null) return null;
  const stamps = await stampsFor(hook);
  const isGoingOn = before?.goesOn === true || calls.some(runsInBackground);
  const isSame =
    known !== null && JSON.stringify(stamps && redactStamps(stamps)) === JSON.stringify(known.stamps);
  if (isSame && isGoingOn === (known.goesOn === true)) return null;
  const noted = tryStep(hook, PART, () => readApprovedSince(paths, session, known?.read ?? 0));
  const { changed, judged } =
    known?.stamps && stamps
      ? findChangedSince({ stamps: known.stamps, judged: [...known.judged, ...(noted?.files ?? [])] }, stamps)
      : { changed: [], judged: [] };
  const read = noted?.end ?? known?.read ?? 0;
  return { changed, before, now: lookedAt(hook, before, { stamps, judged, read, goesOn: isGoingOn }) };
}
