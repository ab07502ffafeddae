// What is a new conversation told of the one before it, and did it arrive?

import { resumeSettings } from '../config/resume.ts';
import { attempt } from '../model/attempt.ts';
import { type Lease, leaseStep } from '../model/delivery.ts';
import type { Part } from '../model/outcome.ts';
import { isHeadless, resumeStep } from '../model/resume.ts';
import { shownCheckpoint } from '../store/checkpoint-files.ts';
import { readConversation } from '../store/conversations.ts';
import { lastSign, type Previous } from '../store/previous.ts';
import { BUDGETS } from '../tags/budget.ts';
import {
  type ResumptionFacts,
  resumptionContext,
  resumptionMarks,
  resumptionPointer,
} from '../tags/resumption-context.ts';
import { VERSION } from '../version.ts';
import type { Call, Look } from './look.ts';

/** What is told of a conversation. */
async function factsOf(call: Call, previous: Previous): Promise<ResumptionFacts> {
  const { paths, event, resolved } = call;
  const { leftBy } = await import('../store/left.ts');
  const left = leftBy(previous, {
    paths,
    env: call.env,
    cwd: paths.root ?? event.cwd,
    orchestration: resolved.settings['orchestration.path'],
    client: resolved.client,
    assessment: resolved.assessment,
    now: call.now,
    by: `plimsoll ${VERSION}`,
    fail: call.fail,
  });
  const id = previous.state.last_checkpoint?.id ?? null;
  return { ...left, checkpoint: id === null ? null : shownCheckpoint(paths, id, event.cwd) };
}

/** The whole context under a claim: it is leased now, and taken when a prompt or a tool call follows. */
function contextPart(
  call: Call,
  previous: Previous,
  facts: ResumptionFacts,
  input: { tries: number; channel: string; offset: number },
): Part {
  const { conversation } = call.event;
  const from = previous.state.session_id;
  const before = previous.state.resumed_by;
  const at = new Date(call.now).toISOString();
  // At a prompt the monitor follows.
  const most = input.channel === 'UserPromptSubmit' ? BUDGETS.prompt - BUDGETS.monitor : BUDGETS.start;
  return {
    name: 'resumption-context',
    claim: {
      // Each lease that came to nothing makes room for the next under another name.
      name: `${from}-resumed-${before === null ? 0 : Date.parse(before.at)}-${input.tries}`,
      of: from,
      isLeased: (newest) =>
        newest.resumed_by !== null &&
        (newest.resumed_by.at !== before?.at || newest.resumed_by.session_id !== before.session_id),
    },
    say: ({ tokens }) => ({
      context: resumptionContext(facts, Math.min(BUDGETS.resumption, most - tokens())),
      ...(input.tries === 1
        ? { person: 'Plimsoll: the agent was told where the last conversation here stopped.' }
        : {}),
    }),
    mark: [
      {
        do: 'patch-conversation',
        conversation,
        patch: {
          resumption: {
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
        do: 'patch-conversation',
        conversation: from,
        patch: {
          resumed_by: { session_id: conversation, status: input.tries === 1 ? 'leased' : 'taken', at },
        },
      },
    ],
  };
}

/** At the start of a conversation, of the one before it: the whole context, one line, or nothing. */
export async function resumptionAtStart(
  call: Call,
  source: 'startup' | 'clear',
  previous: Previous,
): Promise<Part[]> {
  const facts = await factsOf(call, previous);
  const step = resumeStep(
    resumeSettings(call.resolved.settings),
    { source, isHeadless: isHeadless(call.env.CLAUDE_CODE_ENTRYPOINT) },
    facts.because,
  );
  if (step === 'context') {
    return [contextPart(call, previous, facts, { tries: 1, channel: 'SessionStart', offset: 0 })];
  }
  const pointer = step === 'pointer' ? resumptionPointer(facts) : null;
  return pointer === null ? [] : [{ name: 'resumption pointer', say: () => ({ context: pointer }) }];
}

/** Where a resumption that was leased stands: wait, say it again, or note what became of it. */
export async function resumptionAfter(call: Call, look: Look, channel: string): Promise<Part[]> {
  const { state, scan } = look;
  const lease = state?.resumption;
  if (state === null || lease?.status !== 'leased') return [];
  const { conversation } = call.event;
  const from = attempt(call, 'resumption', () => readConversation(call.paths, lease.from));
  const taken: Part = {
    name: 'resumption taken',
    keep: [
      {
        do: 'patch-conversation',
        conversation: lease.from,
        patch: { resumed_by: { session_id: conversation, status: 'taken', at: lease.at } },
      },
    ],
  };
  // The one it was left by may have gone on itself meanwhile: then it is not taken from it.
  const parts = state.active || from?.resumed_by?.session_id !== conversation ? [] : [taken];
  const step: Lease =
    scan === null
      ? call.event.kind === 'after-tool'
        ? { step: 'settle', status: 'unverified', evidence: 'the client keeps no transcript' }
        : { step: 'wait' }
      : leaseStep(lease, resumptionMarks(lease.from), state, scan.facts);
  if (step.step === 'wait') return parts;
  if (step.step === 'settle') {
    const patch = { resumption: { ...lease, status: step.status, evidence: step.evidence } };
    return [...parts, { name: 'resumption', keep: [{ do: 'patch-conversation', conversation, patch }] }];
  }
  if (from === null) return parts;
  const previous = { state: from, at: lastSign(call.paths, from) ?? Date.parse(lease.at) };
  const facts = await factsOf(call, previous);
  return [
    ...parts,
    contextPart(call, previous, facts, { tries: step.tries, channel, offset: scan?.end ?? 0 }),
  ];
}
