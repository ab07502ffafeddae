// Turns tool calls made for the active track into effects: lines of the work log, and kept output of tests.

import type { AddonEffect } from '../../../hook/action.ts';
import type { ToolRun } from '../../../hosts/tool-run.ts';
import { type FailureSink, tryStep } from '../../../platform/project/try-step.ts';
import { redact } from '../../../text/redact.ts';
import { failingPart, isTestCommand, summaryPart } from './test-run.ts';
import { commandOf, describeTarget, endingWords, hidden } from './tool-run.ts';
import { ofTracks } from './track-effect.io.ts';
import { logLine } from './work-log.ts';

/** The most characters kept of the output of one run. */
const MOST = 12_000;

export interface Made {
  run: ToolRun;
  /** Time of the call, in UTC with seconds. */
  at: string;
}

/** Who made the calls, and where they are recorded. */
export interface ToolRunOrigin {
  root: string;
  conversation: string;
  track: string;
  /** Short id of the subagent that made them; null in the main session. */
  agent: string | null;
  /** Whether they are recorded late, when others may have been made since. */
  isLate: boolean;
}

const outcomeOf = ({ ending }: ToolRun, agent: string | null): string =>
  `${endingWords(ending)}${agent === null ? '' : ` (agent ${hidden(agent)})`}`;

/** Keeps the output of a test run; nothing for other calls, or one that has not ended. */
function testKeeps({ root, conversation, agent, isLate }: ToolRunOrigin, { run, at }: Made): AddonEffect[] {
  const command = commandOf(run);
  if (command === null || !/^(?:ok|failed)$/.test(run.ending.state) || !isTestCommand(command)) return [];
  // Redacted before it is cut, because half a secret is not recognised.
  const output = redact(run.output);
  const text = run.ending.state === 'ok' ? summaryPart(output) : failingPart(output, MOST);
  const kept = { target: describeTarget(run, root), outcome: outcomeOf(run, agent), at, text, isLate };
  return [ofTracks({ keep: 'test-run', root, conversation, run: kept })];
}

/** The effects that record these calls; none without calls. */
export function buildToolRunEffects(
  sink: FailureSink,
  origin: ToolRunOrigin,
  made: readonly Made[],
): AddonEffect[] {
  const { root, conversation, track, agent } = origin;
  const lines = made.map(({ run, at }) =>
    logLine({ at, tool: run.tool, target: describeTarget(run, root), outcome: outcomeOf(run, agent) }),
  );
  if (lines.length === 0) return [];
  return [
    ofTracks({ keep: 'work-log', root, conversation, track, lines }),
    ...made.flatMap((each) => tryStep(sink, 'test output', () => testKeeps(origin, each)) ?? []),
  ];
}
