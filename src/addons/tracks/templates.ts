// Texts of the documents that tracks begin with: those of the project, and the four files of a new track.

import { PlimsollError } from '../../text/plimsoll-error.ts';
import type { ProjectProfile } from './describe-project.ts';
import { EMPTY_BLOCK } from './entries/block.ts';
import { KINDS, type Kind } from './entries/entry.ts';
import { listTextLines, splitSections } from './entries/markdown.ts';
import { formatExample } from './entries/read-entries.ts';
import type { TaskName } from './layout.ts';

interface PageFacts extends ProjectProfile {
  /** Globs of what may be written; empty: everything. */
  writable: readonly string[];
  mode: 'off' | 'warn' | 'enforce';
  /** Whether only listed tools may be called without a question. */
  hasTools: boolean;
}

const list = (words: readonly string[], none: string): string =>
  words.length === 0 ? none : words.map((word) => `\`${word}\``).join(', ');

const core = ({ name, languages, folders, test }: PageFacts): string => `# Context core: ${name}

What every session has to know, in a few lines. Only what holds for all tracks; all else belongs into a track.

- Languages: ${languages.join(', ') || 'not told by the files at the root'}
- Sources: ${list(
  folders.map((folder) => `${folder}/`),
  'in no folder of a usual name',
)}
- Tests: ${test === null ? 'no command was found' : `\`${test}\``}
- Work goes by tracks: \`docs/tracks/ACTIVE_TRACK\` names the one that is worked on.
- Beside this page: \`ROLES.md\` (who does what), \`GUARDRAILS.md\` (what may be written), \`INVARIANTS.md\` (what holds in all tracks, once one is noted).
`;

const roles = ({ name, test }: PageFacts): string => `# Roles: ${name}

- A person sets the goal, closes tracks, and decides what is critical: guardrails, governance, what cannot be undone.
- The agent specifies, plans, works and notes. It begins to write sources when \`plimsoll track lint\` finds nothing in SPEC.md and PLAN.md.
- Whoever did not write a thing reviews it.
- A task is done when its acceptance holds${test === null ? '' : ` and \`${test}\` passes`}; then its box is ticked, or it is noted again with \`--state done\`.
- Decisions, risks, tasks and invariants are noted when they come up: \`plimsoll note\`.
`;

const guardrails = ({ name, writable, mode, hasTools }: PageFacts): string => `# Guardrails: ${name}

Tool calls are judged before they run, by the settings \`guardrails.*\` in \`.plimsoll/config.toml\`: they count where this page says otherwise. This project began with the mode \`${mode}\`.

- May be written: ${list(writable, 'everything below the root')}
${hasTools ? '- Tools that may change files: those of `guardrails.tools.allow`; a call of any other, such as one of another server, is asked about.\n' : ''}- Guarded all the same: files that hold secrets, and what governs the agent (its settings, its rules, this page).
- While SPEC.md or PLAN.md of the active track fails \`plimsoll track lint\`: nothing is executed and nothing written outside \`docs/\` and \`artifacts/\`. What only reads, and \`plimsoll\` itself, always goes on.
- \`off\` judges nothing, \`warn\` tells the agent, \`enforce\` asks or refuses. Why a call is judged as it is: \`plimsoll guard explain --path FILE\` or \`--command TEXT\`.
- To change them: \`plimsoll config set guardrails.mode enforce --scope project\`.
`;

const invariants = ({ name }: PageFacts): string => `# Invariants: ${name}

What must hold in every track. A compaction proposes here what was noted by \`plimsoll note invariant TEXT\`; a person takes it up in the words of this page, or writes \`status: dropped\` into its file.

<!--
${formatExample('invariant')}
-->
`;

const tiers = ({ name }: PageFacts): string => `# Context tiers: ${name}

| tier | files | when it is loaded |
| --- | --- | --- |
| core | \`CLAUDE.md\`, \`docs/context/CONTEXT_CORE.md\`, \`ROLES.md\`, \`GUARDRAILS.md\`, \`INVARIANTS.md\` | always, in this order |
| task | \`docs/tracks/<id>/SPEC.md\`, \`PLAN.md\`, \`RISKS.md\`, \`DECISIONS.md\` | of the active track only |
| transient | \`artifacts/sessions/<session>/recent_diff.txt\`, \`test_output.txt\`, \`work_log.md\` | as far as the last checkpoint refers to them |

The active track: the variable \`PLIMSOLL_TRACK\`, else the one that is pinned to the session (\`plimsoll track activate ID --session ID\`), else the one in \`docs/tracks/ACTIVE_TRACK\`. Nothing of another track is loaded.
`;

const rules = ({ name }: PageFacts): string => `# Compaction rules: ${name}

No model is asked: the same inputs give the same bytes.

- When: before the client compacts a session, and by \`plimsoll track sync\` (\`--dry-run\` shows what would change).
- Inputs: the work logs of the track, and entries that stand in another of its files than the one of their kind.
- Outputs: a file per entry in \`docs/tracks/<id>/entries/\`, named by its kind and content; and from them one generated block in each of \`DECISIONS.md\` (never fewer, by time), \`PLAN.md\` (tasks, normalised), \`RISKS.md\` (with severity), \`docs/context/INVARIANTS.md\` (proposals of all tracks). \`CONTEXT_CORE.md\` only with \`tracks.core_writes = "apply"\`.
- The block stands between \`<!-- plimsoll:entries … -->\` and \`<!-- /plimsoll:entries -->\`; no byte outside of it is changed. What somebody writes into it is moved below it, as a code block, and told of.
- What is written by hand around the block stays where it is, and counts.
- To change an entry: note it again (in the same words, or with \`--id\`), or edit its file. \`status: dropped\` in its file takes a task, risk or invariant out of the block until it is noted anew; a decision stays. A file that is only removed comes back while a work log of this machine says it.
- Entries of two branches merge in git. Where git reports a conflict within a block, an entry or \`latest.json\`, \`plimsoll track sync\` writes it anew.
- Files are written whole, one by one, and the next compaction completes what an interrupted one left. An entry that the schema does not take refuses everything, and is said.

## Schema

Entries are written by \`plimsoll note\`, or by hand as bullets:

\`\`\`markdown
${KINDS.map(formatExample).join('\n')}
\`\`\`

All kinds also take \`  - At: 2026-01-31T09:00:00Z\`, which a decision in a file of the track must have, and \`  - Transcript: UUID\`, the message of the session behind which it was noted. Boxes of a task: \`[ ]\` to do, \`[~]\` doing, \`[x]\` done, \`[!]\` blocked.

## Hooks

\`plimsoll init\` registers the hooks. \`automation/hooks/\` holds the same entries for hosts and runners that start files: each hands its standard input on to the installed bundle, and does nothing where that is missing. Do not register both.
`;

const recovery = ({ name, test }: PageFacts): string => `# Recovery flow: ${name}

The runbook. A session begins with these steps by itself; \`plimsoll track show --full\` shows all of it.

1. Core tier: \`CLAUDE.md\`, then \`docs/context/\` CONTEXT_CORE, ROLES, GUARDRAILS, INVARIANTS.
2. Task tier: the four files of the track in \`docs/tracks/ACTIVE_TRACK\`.
3. The last checkpoint: \`artifacts/checkpoints/<track>/latest.json\`.
4. The transient files that it refers to, as far as they are there.
5. The state of the work: \`DECISIONS.md\` and \`PLAN.md\`. What is older is left out.

When something looks wrong:

- No track is active: \`plimsoll track list\`, then \`plimsoll track activate ID\`.
- \`PLAN.md\` differs from the checkpoint: somebody changed it since. It counts; \`plimsoll track sync\` takes it up.
- A compaction was refused: fix the line that it names, then \`plimsoll track sync\`.
- \`artifacts/sessions/\` is not there (a fresh clone): steps 1 to 3 and 5 are enough.
- Then ${test === null ? 'run the tests' : `\`${test}\``}, and go on with the first open task of \`PLAN.md\`.
`;

const paths = ({ name }: PageFacts): string => `# Artifact paths: ${name}

These paths are fixed: recovery depends on them.

| path | what it is | in git |
| --- | --- | --- |
| \`docs/context/\` | core tier and the rules of the work | yes |
| \`docs/tracks/ACTIVE_TRACK\` | id of the active track, in one line | yes |
| \`docs/tracks/<id>/\` | SPEC, PLAN, RISKS, DECISIONS; \`CLOSED\` when it is finished | yes |
| \`docs/tracks/<id>/entries/<kind>-<hash>.md\` | one entry each: what was noted, when, and where it stands | yes |
| \`artifacts/checkpoints/<id>/latest.json\` | what the last compaction of the track saw and made | yes |
| \`artifacts/sessions/<session>/\` | what a session leaves behind: diff, failing tests, work log | no |
| \`automation/hooks/\` | entries of the hooks for hosts that start files | yes |
| \`.plimsoll/\` | settings (in git), state of sessions (not in git) | in part |
`;

const PAGES = {
  'docs/context/CONTEXT_CORE.md': core,
  'docs/context/ROLES.md': roles,
  'docs/context/GUARDRAILS.md': guardrails,
  'docs/context/INVARIANTS.md': invariants,
  'docs/context/CONTEXT_TIERS.md': tiers,
  'docs/context/COMPACTION_RULES.md': rules,
  'docs/context/RECOVERY_FLOW.md': recovery,
  'docs/context/ARTIFACT_PATHS.md': paths,
} as const;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length);

/** Names of the pages, as people call them. */
export const PAGE_NAMES: readonly string[] = Object.keys(PAGES).map(nameOf);

/** What stands for all pages, and for the scripts in automation/hooks/. */
export const ALL_PAGES = 'all';

/** The names of pages that are meant, or `all`. @throws PlimsollError when one is none */
export function parsePageNames(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((each) => each !== '');
  return words.map((word) => {
    const name = word.replace(/\.md$/i, '').toUpperCase();
    if (PAGE_NAMES.includes(name)) return name;
    if (word.toLowerCase() === ALL_PAGES) return ALL_PAGES;
    throw new PlimsollError('usage', `"${word}" is no document of tracks`, {
      hint: `${PAGE_NAMES.join(', ')}, or ${ALL_PAGES}; nothing was changed`,
    });
  });
}

/** The pages that a project begins with; the others are wanted by few, and repeat what the program does. */
export const FIRST_PAGES = ['CONTEXT_CORE', 'ROLES', 'GUARDRAILS'];

/** Path and text of the pages of these names. */
export const composePages = (facts: PageFacts, names: readonly string[]): [path: string, text: string][] =>
  Object.entries(PAGES).flatMap(([path, page]) =>
    names.includes(nameOf(path)) ? [[path, page(facts)]] : [],
  );

/** How entries of a kind are written, in a comment: no example is ever an entry. */
const explained = (kinds: readonly Kind[], words: string): string =>
  ['<!--', words, ...kinds.map(formatExample), '-->'].join('\n');

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
export const composeTrackFiles = (title: string): Record<TaskName, string> => ({
  'SPEC.md': spec(title),
  'PLAN.md': plan(title),
  'RISKS.md': risks(title),
  'DECISIONS.md': decisions(title),
});

/** The title that a file of a track has in its first heading; null where it has none. */
export function readTitle(text: string): string | null {
  const [first] = splitSections(listTextLines(text.slice(0, 4000)));
  return first?.title.replace(/^(?:Specification|Spec|Plan|Implementation Plan|Track)\s*:\s*/i, '') || null;
}
