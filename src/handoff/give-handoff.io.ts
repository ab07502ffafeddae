// Gives a new session the handoff of the previous one, and follows up whether it arrived.

import { WORKFLOW } from '../addons/addon.ts';
import { findWorkflowPlace } from '../addons/workflow-port.ts';
import { decideLease, type Lease } from '../compaction/delivery.ts';
import {
  composeHandoff,
  composePointer,
  composeWorkflowHandoff,
  composeWorkflowPointer,
  type HandoffInput,
  handoffMarks,
  isHollow,
} from '../compaction/messages.ts';
import { withStop } from '../compaction/work.ts';
import { isWorkedOn } from '../compaction/workflow/workflow.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import { loadHost } from '../hosts/load-host.io.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { readLastStop, readSessionState } from '../sessions/session-states.io.ts';
import { BUDGETS } from '../text/budget.ts';
import { VERSION } from '../version.ts';
import { decideHandoff, type HandoffStep, isHeadless, readHandoffSettings } from './decide-handoff.ts';
import { findLastSign, findPrevious, isAnotherRunning, type PreviousSession } from './previous-session.io.ts';

/** The facts for the handoff of a session. */
async function factsOf(hook: HookContext, previous: PreviousSession): Promise<HandoffInput> {
  const { paths, event, resolved } = hook;
  const { readPreviousWork } = await import('./previous-work.io.ts');
  const { state } = previous;
  const { readCurrentThread } = await import('../compaction/ledger/thread.io.ts');
  const { openThread } = await import('../compaction/ledger/open-thread.io.ts');
  const host = await loadHost(hook.host, state.host);
  const source = await openThread(hook.host, paths, state.session_id);
  const stop = readLastStop(paths, state);
  const ledger = tryStep(hook, 'ledger', () =>
    withStop(readCurrentThread(source, state.session_id, state.transcript).ledger, stop),
  );
  const left = await readPreviousWork(previous, {
    paths,
    env: hook.env,
    cwd: paths.root ?? event.cwd,
    orchestration: resolved.settings['orchestration.path'],
    limits: host.limits,
    facts: host.facts,
    client: resolved.client,
    assessment: resolved.assessment,
    ledger,
    now: hook.now,
    by: `plimsoll ${VERSION}`,
    onFailure: hook.onFailure,
  });
  return { ...left, checkpoint: previous.state.last_checkpoint?.id ?? null, now: hook.now };
}

/** The tokens that are left beside what is said already; at a prompt the monitor message has to fit too. */
const findRoom = ({ event }: HookContext, said: number): number =>
  Math.min(
    BUDGETS.resumption,
    (event.kind === 'prompt' ? BUDGETS.prompt - BUDGETS.monitor : BUDGETS.start) - said,
  );

/** The whole handoff under a claim: leased at a start, and taken when a prompt or a tool call follows. */
function contextPart(
  hook: HookContext,
  previous: PreviousSession,
  facts: HandoffInput,
  input: { tries: number; channel: string; offset: number },
): Action {
  const { session } = hook.event;
  const from = previous.state.session_id;
  const before = previous.state.resumed_by;
  const at = new Date(hook.now).toISOString();
  // A prompt or tool call shows that the new session works, so the handoff counts as taken.
  const isStart = hook.event.kind === 'session-start';
  return {
    name: 'resumption-context',
    claim: {
      // A lease that was not delivered makes room for the next one under another name.
      name: `resumed-${before === null ? 0 : Date.parse(before.at)}-${input.tries}`,
      of: from,
      isLeased: (newest) =>
        newest.resumed_by !== null &&
        (newest.resumed_by.at !== before?.at || newest.resumed_by.session_id !== before.session_id),
    },
    render: ({ tokens }) => ({
      context: composeHandoff(facts, findRoom(hook, tokens())),
      ...(input.tries === 1
        ? { person: 'Plimsoll: the agent was told where the last session here stopped.' }
        : {}),
    }),
    afterReply: [
      {
        do: 'patch-session',
        session,
        patch: {
          received_handoff: {
            from,
            status: 'leased',
            tries: input.tries,
            offset: input.offset,
            at,
            channel: input.channel,
          },
        },
      },
      {
        do: 'patch-session',
        session: from,
        patch: {
          resumed_by: { session_id: session, status: isStart ? 'leased' : 'taken', at },
        },
      },
    ],
  };
}

type StartSource = 'startup' | 'clear';

interface Told {
  previous: PreviousSession;
  facts: HandoffInput;
  step: HandoffStep;
}

/** The most sessions whose handoff nobody received that are followed back. */
const MOST_UNTOLD = 5;

/**
 * The previous session, and those before it, as far back as each was never given the handoff of the one before: its
 * start and every later hook that would have given it died.
 */
async function toldFrom(hook: HookContext, source: StartSource, newest: PreviousSession): Promise<Told[]> {
  const settings = readHandoffSettings(hook.resolved.settings);
  const start = { source, isHeadless: isHeadless(hook.env.HOST_ENTRYPOINT) };
  const told: Told[] = [];
  for (let each: PreviousSession | null = newest; each !== null && told.length < MOST_UNTOLD; ) {
    const facts = await factsOf(hook, each);
    const step = isHollow(facts) ? 'nothing' : decideHandoff(settings, start, facts.because);
    told.push({ previous: each, facts, step });
    if (each.state.handoff_due === null) break;
    const before = findPrevious(hook.paths, {
      ...settings,
      except: [hook.event.session, ...told.map(({ previous }) => previous.state.session_id)],
      now: hook.now,
    });
    each = before?.obstacle === null ? before : null;
  }
  return told;
}

async function pointerPart(hook: HookContext, { facts, previous }: Told): Promise<Action[]> {
  const pointer = composePointer(facts);
  if (pointer === null) return [];
  const { session } = hook.event;
  const { hashSessionId } = await import('../compaction/ledger/thread.io.ts');
  const pointed_to = hashSessionId(previous.state.session_id);
  return [
    {
      name: 'resumption pointer',
      // Copilot runs the hooks of a start and of its first prompt at the same time.
      claim: { name: `pointed-${pointed_to}`, isLeased: (newest) => newest.pointed_to === pointed_to },
      render: () => ({ context: pointer }),
      afterReply: [{ do: 'patch-session', session, patch: { pointed_to } }],
    },
  ];
}

/** Of the workflow that the project's file keeps, where no session before is told of: its section, one line, or nothing. */
async function giveWorkflow(hook: HookContext, source: StartSource, before?: Told): Promise<Action[]> {
  const { event, now, resolved } = hook;
  // The session before may have worked in another folder, with its own file.
  const theirs = before?.facts.draft.orchestration_state?.path ?? null;
  const here = findWorkflowPlace(hook);
  const place = WORKFLOW?.find(here) === null ? { ...here, configured: theirs } : here;
  if (!WORKFLOW?.readActive(place) || isAnotherRunning(hook.paths, event.session, now)) return [];
  const { readWorkflowTold } = await import('./previous-work.io.ts');
  const told = await readWorkflowTold(place, now);
  const state = told?.orchestration_state ?? null;
  if (told === null || state === null) return [];
  const start = { source, isHeadless: isHeadless(hook.env.HOST_ENTRYPOINT) };
  const because = source === 'startup' || isWorkedOn(state, now) ? (['workflow'] as const) : [];
  const step = decideHandoff(readHandoffSettings(resolved.settings), start, because);
  const compose = (room: number): string =>
    step === 'pointer' ? composeWorkflowPointer(told, now) : composeWorkflowHandoff(told, now, room);
  const render = ({ tokens }: { tokens: () => number }) => ({ context: compose(findRoom(hook, tokens())) });
  return step === 'nothing' ? [] : [{ name: 'workflow handoff', render }];
}

/** The handoff of the previous session: whole, as one line, or not at all; where it left nothing, of the workflow's file. */
export async function giveHandoff(
  hook: HookContext,
  input: { source: StartSource; channel: string; offset: number },
  previous: PreviousSession | null,
): Promise<Action[]> {
  const told = previous === null ? [] : await toldFrom(hook, input.source, previous);
  const whole = told.find(({ step }) => step === 'context');
  if (whole === undefined) {
    const pointer = told[0]?.step === 'pointer' ? await pointerPart(hook, told[0]) : [];
    return pointer.length > 0 ? pointer : giveWorkflow(hook, input.source, told[0]);
  }
  // An earlier session with unfinished work, which no other message mentions.
  const left = told.slice(told.indexOf(whole) + 1).find(({ step }) => step === 'context');
  return [
    contextPart(hook, whole.previous, whole.facts, { tries: 1, ...input }),
    ...(left === undefined ? [] : await pointerPart(hook, left)),
  ];
}

/** Whether a session whose start was not seen has just begun: at most one request, and no compaction. */
async function isYoung({ host, event, paths }: HookContext, { scan }: SessionSnapshot): Promise<boolean> {
  const { transcript, session } = event;
  if (transcript === null || scan === null) return true;
  if (scan.facts.boundary !== null || scan.end > YOUNG_BYTES) return false;
  const { readCurrentThread } = await import('../compaction/ledger/thread.io.ts');
  const { openThread } = await import('../compaction/ledger/open-thread.io.ts');
  const source = await openThread(host, paths, session);
  return readCurrentThread(source, session, transcript).ledger.requests.length <= 1;
}

/** A session whose transcript is longer than this no longer needs a handoff. */
const YOUNG_BYTES = 256 * 1024;

/** Gives the handoff that a start should have given, at the first prompt or tool call. */
export async function giveHandoffLate(
  hook: HookContext,
  snapshot: SessionSnapshot,
  channel: string,
): Promise<Action[]> {
  const settings = readHandoffSettings(hook.resolved.settings);
  if (settings.auto === 'off') return [];
  const { event, now } = hook;
  const found = findPrevious(hook.paths, { ...settings, except: [event.session], now });
  const previous = found?.obstacle === null ? found : null;
  if (previous === null && !WORKFLOW?.isThere(findWorkflowPlace(hook))) return [];
  const source = snapshot.state?.handoff_due ?? null;
  if (source === null && !(await isYoung(hook, snapshot))) return [];
  // The transcript may show that it was given by a hook that died before it could note so.
  const marks = previous === null ? ['<resumption-context>'] : handoffMarks(previous.state.session_id);
  const isSaid = snapshot.scan?.facts.injections.some(({ text }) =>
    marks.every((mark) => text.includes(mark)),
  );
  if (isSaid === true) return [];
  return giveHandoff(
    hook,
    { source: source ?? 'startup', channel, offset: snapshot.scan?.end ?? 0 },
    previous,
  );
}

/** Decides about a leased handoff: wait, give it again, or note whether it was delivered. */
export async function followHandoff(
  hook: HookContext,
  snapshot: SessionSnapshot,
  channel: string,
): Promise<Action[]> {
  const { state, scan } = snapshot;
  const lease = state?.received_handoff;
  if (state === null || lease?.status !== 'leased') return [];
  const { session } = hook.event;
  const from = tryStep(hook, 'resumption', () => readSessionState(hook.paths, lease.from));
  const taken: Action = {
    name: 'resumption taken',
    effects: [
      {
        do: 'patch-session',
        session: lease.from,
        patch: { resumed_by: { session_id: session, status: 'taken', at: lease.at } },
      },
    ],
  };
  // The previous session may have continued itself meanwhile: then its work is not taken.
  const parts = state.active || from?.resumed_by?.session_id !== session ? [] : [taken];
  const step: Lease =
    scan === null
      ? hook.event.kind === 'after-tool'
        ? { step: 'settle', status: 'unverified', evidence: 'the client keeps no transcript' }
        : { step: 'wait' }
      : decideLease(lease, handoffMarks(lease.from), state, scan.facts);
  if (step.step === 'wait') return parts;
  if (step.step === 'settle') {
    const patch = { received_handoff: { ...lease, status: step.status, evidence: step.evidence } };
    return [...parts, { name: 'resumption', effects: [{ do: 'patch-session', session, patch }] }];
  }
  if (from === null) return parts;
  const previous = { state: from, at: findLastSign(hook.paths, from) ?? Date.parse(lease.at) };
  const facts = await factsOf(hook, previous);
  return [
    ...parts,
    contextPart(hook, previous, facts, { tries: step.tries, channel, offset: scan?.end ?? 0 }),
  ];
}
