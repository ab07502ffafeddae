// Builds the story of a compaction: what stands in the file, by offset, and what state remembers.

import { foldFacts, type TranscriptFacts, type WithOffset } from '../../src/context/usage.ts';
import {
  type Alert,
  createSessionState,
  type PendingCompaction,
  type SessionState,
} from '../../src/sessions/session-state.ts';

export const answer = (offset: number, tokens = 50_000): WithOffset => ({
  kind: 'usage',
  tokens,
  input: 1,
  output: 1,
  model: 'claude-sonnet-4-5',
  at: null,
  messageId: `msg_${offset}`,
  offset,
});
export const compaction = (offset: number, trigger: 'auto' | 'manual' = 'auto'): WithOffset => ({
  kind: 'boundary',
  trigger,
  preTokens: 167_000,
  at: null,
  offset,
});
export const words = (offset: number, text: string): WithOffset => ({ kind: 'injection', text, offset });
export const file = (...facts: WithOffset[]): TranscriptFacts => foldFacts(facts);

const AT = '2026-11-27T10:00:00.000Z';
export const pending = (offset: number, checkpoint: string | null = 'cx-001'): PendingCompaction => ({
  checkpoint,
  offset,
  trigger: 'auto',
  at: AT,
});
export const alert = (more: Partial<Alert> = {}): Alert => ({
  epoch: 1,
  checkpoint: 'cx-001',
  status: 'leased',
  tries: 1,
  offset: 100,
  at: AT,
  channel: 'SessionStart',
  ...more,
});
export const state = (more: Partial<SessionState> = {}): SessionState => ({
  ...createSessionState('a'),
  ...more,
});
export const seen = (
  offset: number,
  boundaries: number,
  last: number | null = null,
): SessionState['transcript_position'] => ({
  offset,
  boundaries,
  last,
});

export const ALERT = [
  '<compaction-alert>',
  'CONTEXT COMPACTION OCCURRED.',
  'COMPACTION EVENT: 1 of 1 this session',
  'CHECKPOINT: .plimsoll/checkpoints/cx-001-checkpoint.json',
  '</compaction-alert>',
].join('\n');
