import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count, facts, PATH } from '../../test/unit/alerts.ts';
import { draft } from '../../test/unit/drafts.ts';
import { hostileDraft, hostileText } from '../../test/unit/hostile.ts';
import { shorten } from '../model/work.ts';
import { estimateTokens } from './budget.ts';
import { type AlertFacts, compactionAlert } from './compaction-alert.ts';
import { inline } from './escape.ts';

describe('compactionAlert()', () => {
  const hostileFacts = (withOrchestration: boolean): fc.Arbitrary<AlertFacts> =>
    hostileDraft(withOrchestration).map((checkpoint) => facts(checkpoint));

  test.each([
    ['without an orchestration file', false],
    ['with an orchestration file', true],
  ])('opens and closes exactly once, whatever the checkpoint holds, %s', (_, withOrchestration) => {
    fc.assert(
      fc.property(hostileFacts(withOrchestration), (given) => {
        const text = compactionAlert(given);
        expect(text.startsWith('<compaction-alert>\n')).toBe(true);
        expect(text.endsWith('\n</compaction-alert>')).toBe(true);
        expect(count(text, /<\s*compaction-alert/gi)).toBe(1);
        expect(count(text, /<\s*\/\s*compaction-alert/gi)).toBe(1);
        expect(text).not.toMatch(/<\s*\/?\s*(?:system-reminder|context-monitor)/i);
        expect(count(text, /^CHECKPOINT:/gm)).toBe(1);
        expect(count(text, /^Next step:/gm)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['without an orchestration file', false],
    ['with an orchestration file', true],
  ])('stays within 500 tokens, whatever the checkpoint holds, %s', (_, withOrchestration) => {
    fc.assert(
      fc.property(hostileFacts(withOrchestration), (given) => {
        expect(estimateTokens(compactionAlert(given))).toBeLessThanOrEqual(500);
      }),
      { numRuns: 300 },
    );
  });

  test('still names the request, the checkpoint and the next step, whatever else the checkpoint holds', () => {
    fc.assert(
      fc.property(hostileFacts(false), (given) => {
        const text = compactionAlert(given);
        const request = inline(shorten(given.checkpoint?.work.requests.at(-1) ?? '', 40)).slice(0, 20);
        const next = inline(shorten(given.checkpoint?.recovery_instructions.next_action ?? '', 40)).slice(
          0,
          20,
        );
        expect(text).toContain(`YOU WERE DOING: ${request}`);
        expect(text).toContain(`CHECKPOINT: ${PATH}`);
        expect(text).toContain(`Next step: ${next}`);
      }),
      { numRuns: 300 },
    );
  });

  test('stays within 500 tokens with a path of any kind', () => {
    fc.assert(
      fc.property(hostileText, (path) => {
        const text = compactionAlert(
          facts(draft({ work: { requests: ['Go on'] } }), { path: path.slice(0, 120) }),
        );
        expect(estimateTokens(text)).toBeLessThanOrEqual(500);
        expect(count(text, /<\s*\/\s*compaction-alert/gi)).toBe(1);
      }),
    );
  });
});
