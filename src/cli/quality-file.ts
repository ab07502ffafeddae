// Creates .plimsoll/quality.md: the project's quality rules, which every session is told at its start.
import { createFile } from '../platform/write.ts';
import { qualityPath } from '../store/paths.ts';
import type { Place } from './place.ts';

const TEXT = `<!--
Said to every conversation at its start and after a compaction, without this comment, 700 tokens at the most.
It is this project's own: change what is not so here. Commit it.
Rules that have to be heard at every prompt: a file in .plimsoll/rules/ with lines like
  L2-REINJECT: rank=1, content="Scores below 0.92 are not passed."   (as an HTML comment)
-->
# Quality

- Gate: a deliverable passes at a weighted score of 0.92 or more. Score strictly; a first draft rarely passes.
- Cycles: at least 3 of creator, critic and revision before a gate. Critique is by somebody who did not write it.
- A score below 0.92 is revised and scored again. After 3 iterations without a pass, say so and ask.

## Criticality

| level | when | what is done |
| --- | --- | --- |
| C1 routine | undone within a session, at most 3 files | self-review |
| C2 standard | undone within a day, 3 to 10 files | devil's advocate, steelman; scored |
| C3 significant | longer to undo, more than 10 files, interfaces | C2, and pre-mortem, failure modes, inversion |
| C4 critical | cannot be undone, architecture, governance, public | C3, and red team, all strategies; a person decides |

## Escalation

- Changes of rules, governance, licences or published interfaces are C3 at least.
- In doubt the higher level counts. At C3 and C4 the user is told before the context runs out.
`;

/** Creates the file where there is none. @returns whether it did */
export function createQualityFile(place: Place): boolean {
  const path = qualityPath(place.paths);
  return createFile(path, TEXT, { mode: 0o644 });
}
