// Tests that the two populated examples of the resumption design come out of the moment that they show.
// The moment: phase 2, QG-2 iteration 1, checkpoint CP-001, 88.6% of 200,000 (177,200 tokens).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildOrchestration } from '../../src/addons/orchestration/resumption.ts';
import { composeAlert, composeHandoff } from '../../src/compaction/messages.ts';
import { estimateTokens } from '../../src/text/budget.ts';
import { draft } from './drafts.ts';
import { asked, ledger } from './ledger-facts.ts';

const source = readFileSync(new URL('../fixtures/feat015/ORCHESTRATION.yaml', import.meta.url), 'utf8');
const path = 'projects/PROJ-001-oss-release/ORCHESTRATION.yaml';

const moment = draft({
  orchestration: buildOrchestration(source, path),
  ledger: ledger({ isTurnOpen: true, requests: [asked('Run the license migration', { kind: 'goal' })] }),
  tokens: 177_200,
  conversation: { session_id: '0f6e3a52-1111-4222-8333-444455556666', epoch: 1 },
});
const now = Date.parse(moment.orchestration_state?.updated_at ?? '') + 20 * 60_000;

// Each difference to the seed is the design's: the words of the user come first, and what they do not say is the workflow's
// own, with its age; facts instead of imperatives; merging is a command, acknowledging is done by the hooks.
describe('the populated example of template 1', () => {
  const text = composeHandoff({
    draft: moment,
    checkpoint: 'cx-001',
    because: ['workflow'],
    age_s: 7_200,
    root: null,
    now,
  });

  test('has its labels, order and values', () => {
    expect(text).toMatchSnapshot();
  });

  test('is within its budget', () => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_200);
  });
});

describe('the populated example of template 2', () => {
  const text = composeAlert({ event: 1, checkpoint: 'cx-001', draft: moment, root: null, now });

  test('has its labels, order and values', () => {
    expect(text).toMatchSnapshot();
  });

  test('is within its ceiling', () => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(500);
  });
});
