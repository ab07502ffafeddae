// The four files of a new track; each says what belongs where, and TODO marks what is still to be written.

import { splitSections } from './checks/markdown.ts';
import { EMPTY_BLOCK } from './entries/block.ts';
import type { Kind } from './entries/entry.ts';
import { exampleOf } from './entries/read-entries.ts';
import { textLines } from './entries/text-lines.ts';
import type { TaskName } from './layout.ts';

/** How entries of a kind are written, in a comment: no example is ever an entry. */
const explained = (kinds: readonly Kind[], words: string): string =>
  ['<!--', words, ...kinds.map(exampleOf), '-->'].join('\n');

const spec = (title: string): string => `# Specification: ${title}

<!-- What is to be true at the end, not how. "plimsoll track lint" says what is missing. -->

## Goal

TODO: what is better when this is done, and for whom.

## Scope

- In: TODO
- Out: TODO

## Names

<!-- What is built, one item each, its name as code first: the plan has to name all of them, and spell them like this. -->

## Acceptance

- TODO: what anybody can see or run that shows it.
`;

const plan = (title: string): string => `# Plan: ${title}

${explained(['task'], 'Tasks are written like this, here or by "plimsoll note task TEXT --acceptance TEXT"; boxes: [ ] to do, [~] doing, [x] done, [!] blocked.')}

## Tasks

TODO: write the tasks here, each with what shows that it is done; then take this line out. What is noted comes below.

${EMPTY_BLOCK}
`;

const risks = (title: string): string => `# Risks: ${title}

${explained(['risk'], 'Risks are written like this, here or by "plimsoll note risk TEXT --severity WORD"; high and critical ones need "  - Mitigation: …".')}

${EMPTY_BLOCK}
`;

const decisions = (title: string): string => `# Decisions: ${title}

${explained(['decision'], 'Decisions are written by "plimsoll note decision TEXT --reason TEXT --impact TEXT", or here like this, with "  - At: 2026-01-31T09:00:00Z" below. Nothing is taken out again.')}

${EMPTY_BLOCK}
`;

/**
 * Texts of a new track's files.
 *
 * @param title in one line
 */
export const newTrack = (title: string): Record<TaskName, string> => ({
  'SPEC.md': spec(title),
  'PLAN.md': plan(title),
  'RISKS.md': risks(title),
  'DECISIONS.md': decisions(title),
});

/** The title that a file of a track has in its first heading; null where it has none. */
export function readTitle(text: string): string | null {
  const [first] = splitSections(textLines(text.slice(0, 4000)));
  return first?.title.replace(/^(?:Specification|Spec|Plan|Implementation Plan|Track)\s*:\s*/i, '') || null;
}
