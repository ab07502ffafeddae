// Runs the hooks once more at each compaction of a transcript: what the ledger knew, what was told, and what was missing.

import type { CommandFact, Ledger } from '../compaction/ledger/ledger.ts';
import { isLedger } from '../compaction/ledger/ledger-shape.ts';
import { splitUnits } from '../hosts/claude-code/replay/read-talk.ts';
import { replayHooks } from '../hosts/claude-code/replay/replay-hooks.io.ts';
import { parseTranscriptLine, readTranscriptLines } from '../replay/read-transcripts.io.ts';
import { scoreUnit } from '../replay/score-unit.ts';
import { estimateTokens } from '../text/budget.ts';
import { isObject } from '../text/json.ts';
import { shortenPath } from '../text/lines.ts';
import { redact, redactDeep } from '../text/redact.ts';
import type { CompactionEvidence } from './report-data.ts';

/** The most characters of one fact, and the most facts of a kind; the latest are kept. */
const LONGEST = 300;
const MOST = 40;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

const describeCommand = ({ command, result, error, failingTests }: CommandFact): string => {
  if (result !== 'failed') return command;
  const tests = failingTests.length === 0 ? '' : ` (${failingTests.slice(0, 3).join(', ')})`;
  return `${command} → ${error ?? 'failed'}${tests}`;
};

/**
 * What a ledger knew, by kind; kinds of which it knew nothing are left out.
 * @param root the session's folder, left out of paths
 */
export function listKnownFacts(ledger: Ledger, root: string | null): { title: string; items: string[] }[] {
  const { requests, requirements, answers, plan, refusals, notes, tasks, files, checks, commands } = ledger;
  const isFailing = ({ result }: CommandFact): boolean => result === 'failed';
  const path = (each: { path: string }): string => shortenPath(each.path, root);
  const kinds: [string, string[]][] = [
    ['Requests', requests.filter(({ kind }) => kind !== 'courtesy').map(({ text }) => text)],
    ['Requirements', requirements.map(({ text }) => text)],
    ['Answers of the person', answers.map(({ question, answer }) => `${question} → ${answer}`)],
    ['Accepted plan', plan === null ? [] : [plan.title]],
    [
      'Refused',
      refusals.map(({ tool, tried, reason }) => `${tool} ${tried}${reason === null ? '' : `: ${reason}`}`),
    ],
    ['Notes and decisions', notes.map(({ text }) => text)],
    [
      'Open tasks',
      tasks
        .filter(({ status }) => status !== 'completed')
        .map(({ subject, status }) => (status === 'in_progress' ? `${subject} (in progress)` : subject)),
    ],
    ['Failing commands', [...checks, ...commands].filter(isFailing).map(describeCommand)],
    ['Checks that passed', checks.filter((check) => !isFailing(check)).map(describeCommand)],
    ['Files changed', files.filter(({ changed }) => changed !== null).map(path)],
    ['Files read', files.filter(({ changed }) => changed === null).map(path)],
  ];
  return kinds
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => ({
      title: items.length > MOST ? `${title}, the last ${MOST} of ${items.length}` : title,
      items: items.slice(-MOST).map(cut),
    }));
}

interface EvidenceInput {
  path: string;
  /** The session's folder, left out of paths. */
  cwd: string | null;
  /** How many compactions the replay found. */
  compactions: number;
  /** The hook bundle. */
  hook: string;
  /** So many of the last compactions are looked into. */
  most: number;
}

/** Per compaction what the hooks make of the lines before it; null for one that nothing stands before, and for the older ones. */
export async function collectEvidence(input: EvidenceInput): Promise<(CompactionEvidence | null)[]> {
  const lines = readTranscriptLines(input.path);
  const parsed = lines.map(parseTranscriptLine);
  const evidence: (CompactionEvidence | null)[] = Array.from({ length: input.compactions }, () => null);
  const units = splitUnits(parsed).slice(-input.most);
  for (const unit of units) {
    if (unit.compaction >= evidence.length) continue;
    const { said, checkpoint } = await replayHooks({
      ...{ hook: input.hook, trigger: unit.trigger },
      lines: lines.slice(0, unit.linesBefore),
    });
    const { facts } = scoreUnit(unit, said, {
      name: '',
      session: '',
      compaction: unit.compaction,
      checks: 0,
    });
    const ledger = isObject(checkpoint) && isLedger(checkpoint.ledger) ? checkpoint.ledger : null;
    evidence[unit.compaction] = {
      known: ledger === null ? [] : redactDeep(listKnownFacts(ledger, input.cwd)),
      told: { text: redact(said), tokens: estimateTokens(said) },
      facts: facts
        .filter(({ needed }) => needed)
        .map(({ kind, value, told }) => ({
          ...{ kind, value: redact(value) },
          ...{ bySummary: told.summary, withOurs: told.with },
        })),
    };
  }
  return evidence;
}
