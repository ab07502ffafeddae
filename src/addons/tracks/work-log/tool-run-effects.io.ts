// Turns tool calls made for the active track into effects: described lines of the work log, and kept output of tests.

import type { AddonEffect } from '../../../hook/action.ts';
import { isShellTool } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Ending, ToolRun } from '../../../hosts/read-only-commands.ts';
import { type FailureSink, tryStep } from '../../../platform/project/try-step.ts';
import { redact } from '../../../text/redact.ts';
import { extractFailures, extractSummary, isTestCommand } from './test-run.ts';
import { buildTrackEffect } from './track-effect.io.ts';
import { formatLogLine } from './work-log.ts';

/** The most characters kept of the output of one run. */
const MOST = 12_000;

export interface Made {
  run: ToolRun;
  /** Time of the call, in UTC with seconds. */
  at: string;
}

/** Who made the calls, and where they are recorded. */
interface ToolRunOrigin {
  root: string;
  session: string;
  track: string;
  /** Short id of the subagent that made them; null in the main session. */
  agent: string | null;
  /** Whether they are recorded late, when others may have been made since. */
  isLate: boolean;
}

const outcomeOf = ({ ending }: ToolRun, agent: string | null): string =>
  `${endingWords(ending)}${agent === null ? '' : ` (agent ${hideSecrets(agent)})`}`;

/** Keeps the output of a test run; nothing for other calls, or one that has not ended. */
function testKeeps({ root, session, agent, isLate }: ToolRunOrigin, { run, at }: Made): AddonEffect[] {
  const command = readShellCommand(run);
  if (command === null || !/^(?:ok|failed)$/.test(run.ending.state) || !isTestCommand(command)) return [];
  // Redacted before it is cut, because half a secret is not recognised.
  const output = redact(run.output);
  const text = run.ending.state === 'ok' ? extractSummary(output) : extractFailures(output, MOST);
  const kept = { target: describeTarget(run, root), outcome: outcomeOf(run, agent), at, text, isLate };
  return [buildTrackEffect({ keep: 'test-run', root, session, run: kept })];
}

/** The effects that record these calls; none without calls. */
export function buildToolRunEffects(
  sink: FailureSink,
  origin: ToolRunOrigin,
  made: readonly Made[],
): AddonEffect[] {
  const { root, session, track, agent } = origin;
  const lines = made.map(({ run, at }) =>
    formatLogLine({ at, tool: run.tool, target: describeTarget(run, root), outcome: outcomeOf(run, agent) }),
  );
  if (lines.length === 0) return [];
  return [
    buildTrackEffect({ keep: 'work-log', root, session, track, lines }),
    ...made.flatMap((each) => tryStep(sink, 'test output', () => testKeeps(origin, each)) ?? []),
  ];
}

/**
 * What rules it out that a text is plain: a sign that can assign, quote or join, a run as long as a secret, the beginning of
 * one that is shorter, a word that goes with one.
 */
const NOT_PLAIN =
  /[^\w ./,+@-]|[\w-]{16,}|sk[-_]|xox|xapp|pass|pw|secret|token|cred|key|connectionstring|auth|bearer|basic|cookie|login|identified|mysql|maria|mongo|7z|redis|zip|ldap/i;

/** True for names of files and short commands of everyday: nothing in them can be a secret. False says nothing. */
export const isPlainText = (text: string): boolean => text.length <= 500 && !NOT_PLAIN.test(text);

/** Inputs that say what a tool works on, the most telling first. */
const TARGETS = [
  'file_path',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'description',
  'subject',
  'skill',
  'path',
  'taskId',
];
/** So much of a text is looked at: what is longer is cut to a line anyway. */
const MOST_TARGET = 2_000;

/** The command that a shell was asked to run; null for other tools. */
export const readShellCommand = ({ tool, input }: Pick<ToolRun, 'tool' | 'input'>): string | null =>
  isShellTool(tool) && typeof input.command === 'string' ? input.command : null;

/** The text without its secrets; most texts need no look for them. */
export const hideSecrets = (text: string): string => (isPlainText(text) ? text : redact(text));

/** What a call worked on, redacted, in one line: a path below the root, a command in backticks; '' where nothing says it. */
export function describeTarget(run: Pick<ToolRun, 'tool' | 'input'>, root: string): string {
  const command = readShellCommand(run);
  if (command !== null) {
    // Before it is cut, and before lines are joined: half a secret is not known for one.
    const line = hideSecrets(command.slice(0, MOST_TARGET)).replace(/\s+/g, ' ').trim();
    return `\`${line.replaceAll('`', "'")}\``;
  }
  const found = TARGETS.map((name) => run.input[name]).find((value) => typeof value === 'string');
  if (typeof found !== 'string') return '';
  const path = found.startsWith(`${root}/`) ? found.slice(root.length + 1) : found;
  return hideSecrets(path.slice(0, MOST_TARGET)).replace(/\s+/g, ' ').trim();
}

/** How a call ended, in words. */
function endingWords(ending: Ending): string {
  if (ending.state !== 'failed') return ending.state;
  return ending.code === null ? 'failed' : `failed (exit ${ending.code})`;
}
