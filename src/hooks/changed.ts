// A command has run, or is about to: what has changed since the last look, and was it judged?
import { callsIn } from '../agents/claude-code-tools.ts';
import { attempt, attemptAsync } from '../model/attempt.ts';
import {
  afterEdits,
  changedSince,
  type Looked,
  type Stamps,
  stampsKept,
} from '../model/guardrails/looked.ts';
import { goesOn, leavesTraces } from '../model/guardrails/tool-kinds.ts';
import { judgedSince, readLooked } from '../store/looked.ts';
import type { Call, GuardCall } from './look.ts';

export interface Behind {
  /** Files, by absolute path, whose change nothing has judged. */
  changed: string[];
  before: Looked | null;
  now: Looked;
}

const PART = 'changed files';

/** Null outside a repository, and where git cannot say, which is noted. */
const stampsFor = (call: Call | GuardCall): Promise<Stamps | null> =>
  attemptAsync(call, PART, async () =>
    (await import('../store/look-now.ts')).stampsIn(call.paths.root ?? call.event.cwd, call.env),
  );

/** The look that the next one is held against; never of the same time as the one before. */
const lookedAt = (
  { event, now }: Call | GuardCall,
  before: Looked | null,
  found: Pick<Looked, 'stamps' | 'judged' | 'read' | 'goesOn'>,
): Looked => ({
  v: 1,
  goesOn: before?.goesOn ?? false,
  conversation: event.conversation,
  prompt: event.promptId,
  at: Math.max(now, (before?.at ?? 0) + 1),
  ...found,
});

/** Before a command: what git lists, for the look after it. */
export async function takeBase(call: GuardCall, before: Looked | null): Promise<void> {
  const { paths, event } = call;
  const stamps = await stampsFor(call);
  await attemptAsync(call, PART, async () => {
    const { end: read } = judgedSince(paths, event.conversation, 0);
    (await import('../store/look-now.ts')).writeLooked(
      paths,
      lookedAt(call, before, { stamps, judged: [], read }),
    );
  });
}

/** Before a command: the edits that were judged since the last look have come, and what the command does to their files has not. */
export async function takeEdits(call: GuardCall, last: Looked): Promise<void> {
  const { paths, event } = call;
  await attemptAsync(call, PART, async () => {
    const noted = judgedSince(paths, event.conversation, last.read);
    const judged = [...last.judged, ...noted.files];
    const { stampsOf, writeLooked } = await import('../store/look-now.ts');
    const after = afterEdits(last, judged, stampsOf(judged));
    if (after.judged.length === new Set(judged).size) return;
    // Another process may have looked in the meantime: its look is the newer one.
    if (readLooked(paths, event.conversation)?.at !== last.at) return;
    writeLooked(paths, { ...last, ...after, read: noted.end });
  });
}

/** What has changed after commands; null where there is nothing to note, and nothing that needs a look was run. */
export async function lookBehind(call: Call): Promise<Behind | null> {
  const { event, paths } = call;
  if (event.kind !== 'after-tool' || paths.root === null) return null;
  const calls = callsIn(event.payload);
  if (!calls.some(leavesTraces)) return null;
  const { conversation } = event;
  const before = attempt(call, PART, () => readLooked(paths, conversation));
  const known = before?.prompt === event.promptId ? before : null;
  // Git could not say before: it is not waited for again in this prompt.
  if (known !== null && known.stamps === null) return null;
  const stamps = await stampsFor(call);
  const isGoingOn = before?.goesOn === true || calls.some(goesOn);
  const isSame =
    known !== null && JSON.stringify(stamps && stampsKept(stamps)) === JSON.stringify(known.stamps);
  if (isSame && isGoingOn === (known.goesOn === true)) return null;
  const noted = attempt(call, PART, () => judgedSince(paths, conversation, known?.read ?? 0));
  const { changed, judged } =
    known?.stamps && stamps
      ? changedSince({ stamps: known.stamps, judged: [...known.judged, ...(noted?.files ?? [])] }, stamps)
      : { changed: [], judged: [] };
  const read = noted?.end ?? known?.read ?? 0;
  return { changed, before, now: lookedAt(call, before, { stamps, judged, read, goesOn: isGoingOn }) };
}
