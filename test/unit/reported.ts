// A replayed session as a report shows it, made by hand.
import { PRESETS } from '../../src/context/tier.ts';
import type {
  CompactionEvidence,
  ReportedSession,
  ReportInput,
  SessionReplay,
} from '../../src/report/report-data.ts';

const LIMIT = 167_000;

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 10, 27, 10, minute)).toISOString();

/** Calls that rise by so many tokens each, one a minute. */
export const risingCalls = (count: number, from: number, step: number): SessionReplay['calls'] =>
  Array.from({ length: count }, (_, index) => ({
    at: timeOf(index),
    tokens: from + index * step,
    model: 'claude-sonnet-4-5',
    window: 200_000,
    limit: LIMIT,
    tier: 'NOMINAL' as const,
  }));

export const EVIDENCE: CompactionEvidence = {
  known: [
    { title: 'Requests', items: ['Build the parser'] },
    { title: 'Files changed', items: ['src/parser.ts'] },
  ],
  told: { text: '<compaction-alert>\nYou were compacted\n</compaction-alert>', tokens: 12 },
  facts: [
    { kind: 'files written', value: 'src/parser.ts', bySummary: false, withOurs: true },
    { kind: 'check commands', value: 'npm run lint', bySummary: false, withOurs: false },
  ],
};

/** Twelve calls, a compaction after the tenth, and one of everything. */
export function reportedSession(more: Partial<SessionReplay> = {}): ReportedSession {
  const calls = [
    ...risingCalls(10, 60_000, 10_000),
    ...risingCalls(2, 30_000, 1_000).map((call, index) => ({ ...call, at: timeOf(10 + index) })),
  ];
  return {
    key: 's1',
    path: '~/transcripts/a.jsonl',
    eventsFrom: 'replay',
    evidence: [EVIDENCE],
    replay: {
      series: calls.map(({ tokens }) => tokens),
      calls,
      peak: 150_000,
      models: ['claude-sonnet-4-5'],
      copied_calls: 0,
      false_alarms: 0,
      compactions: [
        {
          call: 10,
          trigger: 'auto',
          at: timeOf(9),
          pre_tokens: 151_000,
          last_tokens: 150_000,
          next_tokens: 30_000,
          lead: {
            prompt_only: null,
            with_tool_use: { calls: 3, minutes: 3, tokens: 30_000, prompts: 1 },
            status_line: { calls: 4, minutes: 4, tokens: 40_000, prompts: 1 },
          },
          ...{ window: 200_000, client: '2.1.332', rework: 2 },
          other_methods: { input_only: 4, summed: 1_060_000, bytes_by_4: 123_456 },
        },
      ],
      messages: [
        { at: timeOf(6), call: 7, name: 'context-monitor', text: 'WARNING', tokens: 60, from: 'replay' },
        { at: timeOf(9), call: 10, name: 'compaction-alert', text: 'told', tokens: 12, from: 'replay' },
      ],
      events: [
        {
          at: timeOf(6),
          call: 7,
          type: 'CheckpointCreated',
          checkpoint: 'cx-001',
          trigger: 'tier-rise',
          epoch: 0,
        },
        {
          at: timeOf(8),
          call: 9,
          type: 'GateScored',
          gate: 'qg-1',
          iteration: 1,
          score: 0.9,
          verdict: 'passed',
        },
      ],
      agents: [
        {
          id: 'agent-a1b2c3',
          calls: [
            { at: timeOf(2), tokens: 9_000 },
            { at: timeOf(4), tokens: 31_000 },
          ],
        },
      ],
      session: {
        id: '0f6e3a52-1111-4222-8333-444455556666',
        client: '2.1.332',
        entrypoint: 'cli',
        cwd: '~/project',
        title: 'The parser',
        started: timeOf(0),
        ended: timeOf(11),
      },
      ...more,
    },
  };
}

export const reportInput = (sessions: ReportedSession[], more: Partial<ReportInput> = {}): ReportInput => ({
  title: 'Plimsoll report: The parser',
  made: timeOf(30),
  sessions,
  leftOut: 0,
  isOverview: sessions.length > 1,
  assessment: { thresholds: PRESETS.C2, mode: 'static', typicalStepTokens: 29_000 },
  ...more,
});
