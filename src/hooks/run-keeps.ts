// What is kept of tool calls that were made while a track is worked on? A line each, and what failed in tests.
import { attempt, type Failing } from '../model/attempt.ts';
import type { Keep } from '../model/outcome.ts';
import { redact } from '../model/redact.ts';
import { failingPart, isTestCommand, summaryPart } from '../model/tracks/test-run.ts';
import { commandOf, endingWords, hidden, type ToolRun, targetOf } from '../model/tracks/tool-run.ts';
import { logLine } from '../model/tracks/work-log.ts';

/** So much is kept of the output of one run, in characters. */
const MOST = 12_000;

export interface Made {
  run: ToolRun;
  /** When, in UTC with seconds. */
  at: string;
}

/** Whose calls they are, and where they are kept. */
export interface Origin {
  root: string;
  conversation: string;
  track: string;
  /** The subagent that made them, as a few signs; null in the main conversation. */
  agent: string | null;
  /** Told of when others may have been made since. */
  isLate: boolean;
}

const outcomeOf = ({ ending }: ToolRun, agent: string | null): string =>
  `${endingWords(ending)}${agent === null ? '' : ` (agent ${hidden(agent)})`}`;

/** What a run of tests leaves behind; nothing for other calls, or one that has not ended. */
function testKeeps({ root, conversation, agent, isLate }: Origin, { run, at }: Made): Keep[] {
  const command = commandOf(run);
  if (command === null || !/^(?:ok|failed)$/.test(run.ending.state) || !isTestCommand(command)) return [];
  // Redacted as a whole: half a secret is not known for one.
  const output = redact(run.output);
  const text = run.ending.state === 'ok' ? summaryPart(output) : failingPart(output, MOST);
  const kept = { target: targetOf(run, root), outcome: outcomeOf(run, agent), at, text, isLate };
  return [{ do: 'keep-test-run', root, conversation, run: kept }];
}

/** Nothing for no calls. */
export function runKeeps(call: Failing, origin: Origin, made: readonly Made[]): Keep[] {
  const { root, conversation, track, agent } = origin;
  const lines = made.map(({ run, at }) =>
    logLine({ at, tool: run.tool, target: targetOf(run, root), outcome: outcomeOf(run, agent) }),
  );
  if (lines.length === 0) return [];
  return [
    { do: 'append-work-log', root, conversation, track, lines },
    ...made.flatMap((each) => attempt(call, 'test output', () => testKeeps(origin, each)) ?? []),
  ];
}
