// The actions at the end of a turn, of a subagent and of a session: each saves what the transcript does not show yet.

import { askAddons, buildAddonActions, WORKFLOW } from '../../addons/addon.ts';
import {
  buildLedgerAction,
  readLedger,
  takeCheckpoint,
} from '../../compaction/checkpoint/keep-checkpoint.io.ts';
import { findDelivery } from '../../compaction/delivery.ts';
import { shortenAnswer } from '../../compaction/work.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { UNKEPT_BYTES } from '../../context/nothing-to-save.ts';
import { isHeadless } from '../../handoff/decide-handoff.ts';
import type { Event } from '../../hosts/host.ts';
import { exists } from '../../platform/look.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import { buildRetentionAction } from '../../sessions/retention/schedule-gc.io.ts';
import type { SessionPatch } from '../../sessions/session-state.ts';
import { readSessionState } from '../../sessions/session-states.io.ts';
import { buildClientPatch, buildStateActions } from '../../sessions/update-state.io.ts';
import { redact } from '../../text/redact.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';
import { settleAlert } from './pending-notices.io.ts';

/** How many times the intended number of files may exist: at a session's end retention runs as soon as it is exceeded. */
const AT_END = 1;

type EndEvent = Extract<Event, { kind: 'session-end' }>;

/** Writes a checkpoint when tools were used, or a turn was left open, since the last one. */
async function checkpointPart(hook: HookContext, snapshot: SessionSnapshot, name: string): Promise<Action[]> {
  const { event, resolved } = hook;
  const { state, scan, epoch } = snapshot;
  if (!resolved.settings['checkpoint.on_session_end'] || scan === null) return [];
  const since = state?.last_checkpoint?.offset ?? 0;
  const ledger = await readLedger(hook, snapshot);
  if (ledger === null || !(ledger.isTurnOpen || (ledger.position?.lastCall ?? -1) >= since)) return [];
  const draft = await takeCheckpoint(hook, snapshot, {
    trigger: { type: 'session-end', source: `${name} hook`, custom_instructions: null },
    assessment: snapshot.assessment,
    epoch: epoch.number,
  });
  return [
    {
      name: 'checkpoint',
      claim: {
        name: `e${epoch.number}-o${scan.end}-end`,
        isLeased: (newest) => (newest.last_checkpoint?.offset ?? -1) >= scan.end,
      },
      effects: [
        { do: 'write-checkpoint', draft },
        ({ checkpoint }) =>
          checkpoint && {
            do: 'patch-session',
            session: event.session,
            patch: { last_checkpoint: { ...checkpoint, offset: scan.end } },
          },
      ],
    },
  ];
}

export async function handleSessionEnd(
  hook: HookContext,
  event: EndEvent,
  snapshot: SessionSnapshot,
  name: string,
): Promise<HookResult> {
  const { state } = snapshot;
  // A session that was only started leaves neither work nor a state file.
  if (state === null && snapshot.scan === null) return [];
  const ended = { at: new Date(hook.now).toISOString(), reason: event.reason };
  return [
    ...(state === null || state.active ? await checkpointPart(hook, snapshot, name) : []),
    ...(state === null || state.active ? await buildLedgerAction(hook) : []),
    {
      name: 'state',
      effects: [{ do: 'patch-session', session: event.session, patch: { ended } }],
    },
    ...(await buildAddonActions('session-end', hook, snapshot)),
    ...(tryStep(hook, 'retention', () => buildRetentionAction(hook, AT_END)) ?? []),
  ];
}

// The actions when a subagent has finished: notes it for the main session, and records its unreported failed calls.
type AgentEndEvent = Extract<Event, { kind: 'subagent-stop' }>;

/** The most characters of an agent's last words that are kept as its line. */
const LINE = 160;

/** Prints nothing, because that would go to the subagent and keep it running: the main session's next event reports it. */
export async function handleSubagentStop(hook: HookContext, event: AgentEndEvent): Promise<HookResult> {
  const { agent, session, type } = event;
  if (agent === null || type === null) return [];
  const state = tryStep(hook, 'state', () => readSessionState(hook.paths, session));
  if (state === null || state.off) return [];
  const { settings } = hook.resolved;
  const wrote = event.wrote === null ? null : { path: event.wrote, agent: { id: agent, type } };
  const missed = (await askAddons(hook, (addon) => addon.atSubagentStop?.(hook, state, wrote))).flat();
  const happening = {
    session,
    moment: 'other',
    done: [],
    snapshot: null,
    agent: { id: agent, type },
  } as const;
  const audit: Action = {
    name: 'events',
    afterReply: [{ do: 'append-events', ...happening, abandonOn: settings['session.abandon_on'] }],
  };
  if (state.workflow_file === null || !settings['state.offer_agent_done']) return [...missed, audit];
  const words = redact(event.answer ?? '').trim();
  const first = (words.split('\n')[0] ?? '').slice(0, LINE);
  const finished = {
    [agent]: {
      type: redact(type),
      answer: first === '' ? null : first,
      at: new Date(hook.now).toISOString(),
    },
  };
  const part: Action = {
    name: 'agent',
    effects: [{ do: 'patch-session', session, patch: { finished_subagents: finished } }],
  };
  return [part, ...missed, audit];
}

type Stop = Extract<Event, { kind: 'stop' }>;

/** Saves the first lines of the last answer, which the client writes some 100 ms later, or never when it is killed. */
function statePart(hook: HookContext, event: Stop, snapshot: SessionSnapshot): Action {
  const stopped = {
    at: new Date(hook.now).toISOString(),
    offset: snapshot.scan?.end ?? 0,
    answer: event.answer === null ? null : shortenAnswer(event.answer),
  };
  const patch: SessionPatch = {
    ...buildClientPatch(hook, snapshot.state),
    active: true,
    ended: null,
    last_stop: stopped,
  };
  return { name: 'state', effects: [{ do: 'patch-session', session: event.session, patch }] };
}

/** Blocks the end only if the project wants it, CRITICAL was reached, and nothing blocked this turn or segment before. */
async function holdParts(hook: HookContext, event: Stop, snapshot: SessionSnapshot): Promise<Action[]> {
  const { said } = snapshot;
  const since = said?.critical_at;
  if (!hook.resolved.settings['orchestration.hold_stop'] || event.isHeld || said === null) return [];
  if (since === undefined || said.held || isHeadless(hook.env.HOST_ENTRYPOINT)) return [];
  return (await tryStepAsync(hook, 'stop gate', async () => WORKFLOW?.holdStop(hook, said, since))) ?? [];
}

/** Whether the ledger can wait: little is new since a checkpoint was made of it. What a session was handed stands there alone. */
const canLedgerWait = ({ paths, event }: HookContext, { state, scan }: SessionSnapshot): boolean =>
  scan !== null &&
  scan.end - (state?.last_checkpoint?.offset ?? 0) <= UNKEPT_BYTES &&
  exists(paths.session(event.session).ledger);

/** What the first tool call after a compaction notes, where our module left it to the end of the turn, or there was none. */
function settleParts(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  const { state, scan, epoch } = snapshot;
  if (state?.alert?.status !== 'leased') return [];
  const delivery = findDelivery(state, scan?.facts ?? null, epoch);
  return [...buildStateActions(hook, snapshot), ...settleAlert(hook, snapshot, delivery)];
}

export async function handleStop(
  hook: HookContext,
  event: Stop,
  snapshot: SessionSnapshot,
): Promise<HookResult> {
  return [
    statePart(hook, event, snapshot),
    ...(await holdParts(hook, event, snapshot)),
    ...settleParts(hook, snapshot),
    ...(canLedgerWait(hook, snapshot) ? [] : await buildLedgerAction(hook)),
    ...(await buildAddonActions('stop', hook, snapshot)),
  ];
}
