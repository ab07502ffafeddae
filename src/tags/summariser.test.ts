import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draft } from '../../test/unit/drafts.ts';
import { hostileDraft, hostileText } from '../../test/unit/hostile.ts';
import { summariserFacts } from './summariser.ts';

const PATH = '/project/.plimsoll/checkpoints/cx-001-checkpoint.json';

describe('summariserFacts()', () => {
  test('names the request, open tasks, files, the next step and the checkpoint', () => {
    const found = draft({
      work: {
        requests: ['Old', 'Make the reader fast'],
        tasks: [
          { id: '1', subject: 'Read', status: 'completed', active: null },
          { id: '2', subject: 'Write', status: 'in_progress', active: null },
          { id: '3', subject: 'Test', status: 'pending', active: null },
        ],
        files_written: ['/project/a.ts', '/b.ts'],
      },
    });
    expect(summariserFacts(found, PATH, '/project')).toBe(
      [
        'Facts to keep word for word in the summary:',
        '- Request of the user: Make the reader fast',
        '- Open tasks: Write (in progress); Test',
        '- Files written: a.ts, /b.ts',
        '- Next step: Write',
        `- Checkpoint file: ${PATH}`,
      ].join('\n'),
    );
  });

  test('names the request that the last words only push on', () => {
    const found = draft({ work: { requests: ['Port the expression compiler to TypeScript', 'go on'] } });
    expect(summariserFacts(found, null, null)).toContain(
      '\n- Request of the user: go on\n- Asked before: Port the expression compiler to TypeScript\n',
    );
  });

  test('says nothing where there is nothing to keep', () => {
    expect(summariserFacts(draft(), null, null)).toBeNull();
  });

  test('leaves out what is not there', () => {
    expect(summariserFacts(draft(), PATH, null)).toBe(
      `Facts to keep word for word in the summary:\n- Checkpoint file: ${PATH}`,
    );
  });

  test('keeps at most 1,000 bytes and never begins with a brace, whatever the checkpoint holds', () => {
    fc.assert(
      fc.property(fc.boolean().chain(hostileDraft), fc.option(hostileText), (given, path) => {
        const text = summariserFacts(given, path, '/project') ?? '';
        expect(Buffer.byteLength(text, 'utf8')).toBeLessThanOrEqual(1_000);
        expect(text.startsWith('{')).toBe(false);
        expect(text).not.toMatch(/<\s*\/?\s*(?:compaction-alert|system-reminder|context-monitor)/i);
        expect(text.split('\n').every((line, index) => index === 0 || line.startsWith('- '))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
