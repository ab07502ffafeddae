import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankMarkers, readMarkers } from './reinforcement.ts';

const one = (text: string) => readMarkers(text, 'r.md').found;

describe('readMarkers()', () => {
  test.each<[string, string, number, string]>([
    ['with tokens', '<!-- L2-REINJECT: rank=1, tokens=40, content="Keep it." -->', 1, 'Keep it.'],
    ['without tokens', '<!-- L2-REINJECT: rank=2, content="Keep it." -->', 2, 'Keep it.'],
    ['in another order', '<!-- L2-REINJECT: content="Keep it.", rank=3 -->', 3, 'Keep it.'],
    ['without commas', '<!--L2-REINJECT: rank=4 content="Keep it."-->', 4, 'Keep it.'],
    ['in small letters', '<!-- l2-reinject: Rank=5, Content="Keep it." -->', 5, 'Keep it.'],
    [
      'with escapes',
      '<!-- L2-REINJECT: rank=6, content="Say \\"no\\" to C:\\\\x" -->',
      6,
      'Say "no" to C:\\x',
    ],
    ['over lines', '<!-- L2-REINJECT:\n  rank=7,\n  content="Keep\n   it."\n-->', 7, 'Keep it.'],
    [
      'with the end of a comment in its words',
      '<!-- L2-REINJECT: rank=8, content="a --> b" -->',
      8,
      'a --> b',
    ],
    ['in single quotes', '<!-- L2-REINJECT: rank=9, content=\'Say "no"\' -->', 9, 'Say "no"'],
    ['with CRLF', '<!-- L2-REINJECT: rank=10,\r\n content="Keep\r\nit." -->\r\n', 10, 'Keep it.'],
    ['with words that look like code', '<!-- L2-REINJECT: rank=11, content="once=true" -->', 11, 'once=true'],
    ['with a quoted rank', '<!-- L2-REINJECT: rank="12", content="Keep it." -->', 12, 'Keep it.'],
  ])('reads one %s', (_, text, rank, content) => {
    expect(one(`# Rules\n${text}\nmore`)).toEqual([{ rank, content, where: 'r.md:2' }]);
  });

  test.each<[string, string, string]>([
    ['no rank', '<!-- L2-REINJECT: content="x" -->', 'rank=N'],
    ['a rank that is none', '<!-- L2-REINJECT: rank=first, content="x" -->', 'rank=N'],
    ['no words', '<!-- L2-REINJECT: rank=1 -->', 'content='],
    ['empty words', '<!-- L2-REINJECT: rank=1, content="  " -->', 'content='],
    ['no end', '<!-- L2-REINJECT: rank=1, content="x"\n\nmore text', '-->'],
    ['an open quote', '<!-- L2-REINJECT: rank=1, content="x -->', '-->'],
  ])('leaves one with %s out, and says where', (_, text, message) => {
    const { found, faults } = readMarkers(`\n\n${text}`, 'r.md');
    expect(found).toEqual([]);
    expect(faults).toEqual([{ where: 'r.md:3', message: expect.stringContaining(message) }]);
  });

  test('takes one in a code block for an example', () => {
    const marker = '<!-- L2-REINJECT: rank=1, content="x" -->';
    expect(one(`\`\`\`md\n${marker}\n\`\`\`\n${marker}\n~~~\n${marker}`)).toEqual([
      { rank: 1, content: 'x', where: 'r.md:4' },
    ]);
  });

  test('never throws, whatever stands there', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '<!--',
            'L2-REINJECT:',
            ' rank=',
            '1',
            ',',
            ' content="',
            '"',
            '\\',
            '-->',
            '\n',
            "'",
            '```',
          ),
          { maxLength: 30 },
        ),
        (parts) => {
          const { found, faults } = readMarkers(parts.join(''), 'r.md');
          for (const each of [...found, ...faults]) expect(each.where).toMatch(/^r\.md:\d+$/);
        },
      ),
    );
  });
});

test('rankMarkers() sorts by rank, keeps the order of equals, and says the same words once', () => {
  const marker = (rank: number, content: string) => ({ rank, content, where: `${content}:1` });
  const all = [marker(2, 'c'), marker(1, 'a'), marker(2, 'd'), marker(1, 'b'), marker(3, 'a')];
  expect(rankMarkers(all).map((each) => each.content)).toEqual(['a', 'b', 'c', 'd']);
});
