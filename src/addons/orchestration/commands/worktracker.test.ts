import { describe, expect, test } from 'vitest';
import { applySpans } from '../../../text/text-edits.ts';
import { linkSpans } from './state-link.command.ts';

const linked = (text: string, path = 'ORCHESTRATION.yaml'): string => applySpans(text, linkSpans(text, path));
const LINK = '[ORCHESTRATION.yaml](ORCHESTRATION.yaml)';

describe('linkSpans()', () => {
  // [what, before, after]
  const cases: [string, string, string][] = [
    [
      'adds a row behind the last one',
      '# P\n\n## Summary\n\n| Field | Value |\n|---|---|\n| Status | open |\n\n## Epics\n\n| ID | Title |\n|---|---|\n| E | x |\n',
      `# P\n\n## Summary\n\n| Field | Value |\n|---|---|\n| Status | open |\n| Last Orchestration | ${LINK} |\n\n## Epics\n\n| ID | Title |\n|---|---|\n| E | x |\n`,
    ],
    [
      'replaces what the row says, and nothing beside it',
      '## Summary\n| Field | Value | Note |\n|---|---|---|\n| last orchestration | none          | x |\n| b | c | d |\n',
      `## Summary\n| Field | Value | Note |\n|---|---|---|\n| last orchestration | ${LINK} | x |\n| b | c | d |\n`,
    ],
    [
      'writes as the table is written: bold, columns, widths, CRLF',
      '\uFEFF## Summary\r\n\r\n| **Field**              | Value | |\r\n|---|---|---|\r\n| **Status**             | open | |\r\n',
      `\uFEFF## Summary\r\n\r\n| **Field**              | Value | |\r\n|---|---|---|\r\n| **Status**             | open | |\r\n| **Last Orchestration** | ${LINK} |  |\r\n`,
    ],
    [
      'fills a table without rows',
      '## Summary\n| Field | Value |\n|-------|-------|\n',
      `## Summary\n| Field | Value |\n|-------|-------|\n| Last Orchestration | ${LINK} |\n`,
    ],
    [
      'makes a table where the summary has none',
      '## 1. Summary\n\nWords.\n',
      `## 1. Summary\n\n| Field | Value |\n|-------|-------|\n| Last Orchestration | ${LINK} |\n\nWords.\n`,
    ],
    [
      'takes no heading or table in a fenced block for one',
      '```\n## Summary\n| a | b |\n|---|---|\n```\n## Summary\n| a | b |\n|---|---|\n| c | d |',
      `\`\`\`\n## Summary\n| a | b |\n|---|---|\n\`\`\`\n## Summary\n| a | b |\n|---|---|\n| c | d |\n| Last Orchestration | ${LINK} |`,
    ],
    [
      'knows its row by its name, with a colon or without, and the summary by its last word',
      '# P\n\n## 📊 Project Summary\n| a | b |\n|---|---|\n| **Last Orchestration:** | x |\n',
      `# P\n\n## 📊 Project Summary\n| a | b |\n|---|---|\n| **Last Orchestration:** | ${LINK} |\n`,
    ],
    [
      'takes the heading that begins with the word before one that ends with it',
      '## Executive summary\n\n## Summary\n| a | b |\n|---|---|\n| Last Orchestration | x |\n',
      `## Executive summary\n\n## Summary\n| a | b |\n|---|---|\n| Last Orchestration | ${LINK} |\n`,
    ],
    [
      'leaves escaped bars in cells alone',
      '## Summary\n| a | b |\n|---|---|\n| x \\| y | z |\n| Last Orchestration | p \\| q |\n',
      `## Summary\n| a | b |\n|---|---|\n| x \\| y | z |\n| Last Orchestration | ${LINK} |\n`,
    ],
    [
      'knows a table without bars at its ends',
      '## Summary\n\nField | Value\n---|---\nStatus | open\nLast Orchestration | old\n',
      `## Summary\n\nField | Value\n---|---\nStatus | open\nLast Orchestration | ${LINK}\n`,
    ],
    [
      'adds a row to a table without bars at its ends',
      '## Summary\n\nField | Value\n---|---\nStatus | open\n\nWords.\n',
      `## Summary\n\nField | Value\n---|---\nStatus | open\nLast Orchestration | ${LINK}\n\nWords.\n`,
    ],
    [
      'finds the row in whichever table of the summary it stands',
      '## Summary\n\n| Phase | N |\n|--|--|\n| x | y |\n\n| Field | Value |\n|--|--|\n| Last Orchestration | y |\n',
      `## Summary\n\n| Phase | N |\n|--|--|\n| x | y |\n\n| Field | Value |\n|--|--|\n| Last Orchestration | ${LINK} |\n`,
    ],
    [
      'fills a row that has no second cell',
      '## Summary\n| a | b |\n|---|---|\n| Last Orchestration |\n',
      `## Summary\n| a | b |\n|---|---|\n| Last Orchestration | ${LINK} |\n`,
    ],
    [
      'takes no list of words with a bar for a table',
      '## Summary\n\na | b\n\n- c\n',
      `## Summary\n\n| Field | Value |\n|-------|-------|\n| Last Orchestration | ${LINK} |\n\na | b\n\n- c\n`,
    ],
  ];
  test.each(cases)('%s', (_, before, after) => {
    expect(linked(before)).toBe(after);
    expect(linkSpans(after, 'ORCHESTRATION.yaml')).toEqual([]);
  });

  test('writes a path so that Markdown reads it as one', () => {
    const after = linked('## Summary\n', 'a (b)/c|d [e]/O.yaml');
    expect(after).toContain('| [a (b)/c\\|d \\[e\\]/O.yaml](a%20%28b%29/c%7Cd%20[e]/O.yaml) |');
    expect(linkSpans(after, 'a (b)/c|d [e]/O.yaml')).toEqual([]);
  });

  test('refuses a file without a summary', () => {
    expect(() => linked('# P\n\n| Field | Value |\n|---|---|\n')).toThrow(/no heading "Summary"/);
  });
});
