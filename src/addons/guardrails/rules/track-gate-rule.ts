// Holds back work outside the documents while SPEC or PLAN of the active track is unfinished.

import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import { findMatch } from '../../../text/globs.ts';
import { displayText } from '../../../text/path-text.ts';
import type { Changes, PathChange } from '../change.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { findPathNames, findShortName } from '../path-names.ts';

/** Where a track is prepared: writing there is what fixes the findings. */
const DOCUMENTS = ['docs/**', 'artifacts/**'];
const MOST_TOLD = 3;

/** By the shell reader's own word: what our command changes is ours, and it is how a plan is fixed. */
const isOurs = ({ by }: PathChange): boolean => by === 'plimsoll';

/** The first thing that has to wait, as it is named in a sentence; null where the call may go on. */
function waiting(
  call: GuardedCall,
  { changes, unread, doubt }: Changes,
  sight: FileSystemPort,
): string | null {
  if (doubt !== null) return `what this ${displayText(call.tool, 80)} call does is not known (${doubt})`;
  for (const change of changes) {
    if (isOurs(change)) continue;
    const did = change.act === 'remove' ? 'removes' : 'writes';
    if (change.path === null) return `${displayText(change.written, 80)} ${did} what is not known`;
    const place = findPathNames({ ...change, path: change.path }, call, sight);
    // What lies outside the project is no work on it: `paths.outside` judges that.
    if (place.isInside && findMatch(DOCUMENTS, place.real, place.place.folds) === null)
      return `${displayText(change.by, 40)} ${did} ${displayText(findShortName(place))}`;
  }
  const [first] = unread;
  return first === undefined ? null : `${displayText(first, 80)} is run`;
}

/** Text of a track in a sentence for the agent: no sign that could begin or end a tag. */
const harmless = (text: string): string => displayText(text, 200).replaceAll('<', '‹').replaceAll('>', '›');

/** Asked only where the project has an active track and wants the gate; `evaluation` says what its evaluator finds. */
export function checkTrackGate(
  call: GuardedCall,
  changes: Changes,
  sight: FileSystemPort,
  evaluation: NonNullable<FileSystemPort['evaluation']>,
): GuardrailFinding[] {
  const rule = 'tracks' as const;
  const at = displayText(call.tool, 80);
  const what = waiting(call, changes, sight);
  if (what === null)
    return [
      { rule, at, saw: 'reads, or writes in docs/ and artifacts/ only', decision: 'abstain', reason: null },
    ];
  const judged = evaluation();
  if (judged === null)
    return [
      {
        rule,
        at,
        saw: 'SPEC and PLAN of the active track pass the evaluator',
        decision: 'abstain',
        reason: null,
      },
    ];
  const { track, findings } = judged;
  const told = findings.slice(0, MOST_TOLD).map(({ check, file, line, message }) => {
    const where = `${file}${line === null ? '' : `:${line}`}`;
    return `- ${check}: ${harmless(`${where}: ${message}`)}`;
  });
  const rest = findings.length - told.length;
  return [
    {
      rule,
      at,
      saw: `${what}; the evaluator finds ${findings.length} in SPEC and PLAN of ${track}`,
      decision: 'deny',
      reason: [
        `The track ${track} is not ready to be worked on, and ${what} (the guardrail rule "tracks", tracks.gate). The evaluator finds in its SPEC and PLAN:`,
        ...told,
        ...(rest > 0 ? [`- and ${rest} more`] : []),
        'Fix these first; reading, writing in docs/ and artifacts/, and plimsoll itself go on. All findings: plimsoll track lint',
      ].join('\n'),
    },
  ];
}
