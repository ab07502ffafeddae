// A tool has run while a track is worked on: what goes into the work log, and what failed in the tests?
import { agentName, toolRuns } from '../agents/claude-code-tool-runs.ts';
import { attempt } from '../model/attempt.ts';
import type { Event } from '../model/event.ts';
import type { Part } from '../model/outcome.ts';
import { redact } from '../model/redact.ts';
import { timeText } from '../model/tracks/entry.ts';
import { failingPart, isTestCommand, summaryPart } from '../model/tracks/test-run.ts';
import { commandOf, endingWords, hidden, type ToolRun, targetOf } from '../model/tracks/tool-run.ts';
import { logLine } from '../model/tracks/work-log.ts';
import { readCurrent } from '../store/conversation-file.ts';
import type { Call } from './look.ts';
import { perform } from './perform.ts';
import { trackWorkedOn } from './worked-on.ts';

/** A call of ours after a tool; nothing of the fill matters to it. */
type AfterTool = Omit<Call, 'event' | 'feed'> & { event: Extract<Event, { kind: 'after-tool' }> };

/** So much is kept of the output of one run, in characters. */
const MOST = 12_000;

const outcomeOf = ({ ending }: ToolRun, agent: string | null): string =>
  `${endingWords(ending)}${agent === null ? '' : ` (agent ${hidden(agent)})`}`;

/** What a run of tests leaves behind; nothing for other calls, or one that has not ended. */
function testParts(call: AfterTool, root: string, run: ToolRun, agent: string | null): Part[] {
  const command = commandOf(run);
  if (command === null || !/^(?:ok|failed)$/.test(run.ending.state) || !isTestCommand(command)) return [];
  // Redacted as a whole: half a secret is not known for one.
  const output = redact(run.output);
  const text = run.ending.state === 'ok' ? summaryPart(output) : failingPart(output, MOST);
  const at = timeText(call.now);
  const kept = { target: targetOf(run, root), outcome: outcomeOf(run, agent), at, text };
  const { conversation } = call.event;
  return [{ name: 'test output', keep: [{ do: 'keep-test-run', root, conversation, run: kept }] }];
}

/** Appends one line for each call, and keeps what failed; says nothing. */
export async function capture(call: AfterTool): Promise<void> {
  const { event, paths, now } = call;
  const { conversation } = event;
  const track = trackWorkedOn(call);
  if (track === null || paths.root === null) return;
  if (attempt(call, 'work log', () => readCurrent(paths, conversation))?.off) return;
  const { root } = paths;
  const runs = toolRuns(event.payload);
  const agent = agentName(event.payload);
  const lines = runs.map((run) =>
    logLine({
      at: timeText(now),
      tool: run.tool,
      target: targetOf(run, root),
      outcome: outcomeOf(run, agent),
    }),
  );
  if (lines.length === 0) return;
  const outcome: Part[] = [
    { name: 'work log', keep: [{ do: 'append-work-log', root, conversation, track, lines }] },
    ...runs.flatMap((run) => attempt(call, 'test output', () => testParts(call, root, run, agent)) ?? []),
  ];
  await perform(call, '', outcome, () => undefined);
}
