// Decides by allow list, deny list and policy whether a tool may be used at all.

import { createFinder, type GuardrailFinding } from '../../../hosts/verdict.ts';
import { describeSetter, type GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { findMatch, matchesGlob, matchesName } from '../../../text/globs.ts';
import { displayText } from '../../../text/path-text.ts';
import type { Changes, PathChange } from '../change.ts';
import { type FileSystemPort, type GuardedCall, readString } from '../guard-call.ts';
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

/** `Bash(git *)` as a tool and what its argument looks like; `null`: any argument. */
function partsOf(pattern: string): [tool: string, argument: string | null] {
  const found = /^([^(]+)\((.*)\)$/s.exec(pattern);
  return found ? [found[1] as string, found[2] as string] : [pattern, null];
}

/** The texts that an argument pattern is held against: every simple command, or the file, or the address. */
function argumentsOf(call: GuardedCall, changes: Changes): string[] {
  if (changes.commands !== null) return changes.commands.map((words) => words.join(' '));
  const { command, file_path, notebook_path, path, url } = call.input;
  return [command, file_path, notebook_path, path, url].map(readString).filter((each) => each !== null);
}

/** Whether a pattern of words (`git push *`, `git push:*`) or of paths fits a text. */
export const matchesArgument = (pattern: string, text: string): boolean =>
  matchesName(pattern.replace(/:\*$/, '*').replace(/ \*$/, '*'), text) || matchesGlob(pattern, text);

const find = createFinder('tools');

/** Asked only where tools are listed. */
export function checkTool(
  call: GuardedCall,
  changes: Changes,
  options: GuardrailOptions,
): GuardrailFinding[] {
  const { allow, deny, unknown } = options.tools;
  const at = displayText(call.tool, 80);
  const texts = argumentsOf(call, changes);
  const ofTool = (patterns: string[]): [string, string | null][] =>
    patterns
      .filter((each) => matchesName(partsOf(each)[0], call.tool))
      .map((each) => [each, partsOf(each)[1]]);

  for (const [pattern, argument] of ofTool(deny)) {
    if (argument === null || texts.some((text) => matchesArgument(argument, text))) {
      return [
        find(
          'deny',
          at,
          `"${pattern}" of tools.deny matches`,
          `The tool ${at} is not allowed by the rule "tools": "${pattern}" is in ${describeSetter(options, 'tools.deny')}.`,
          'Go on without it, or tell the user what it is needed for.',
        ),
      ];
    }
  }
  if (allow.length === 0) return [find('abstain', at, 'tools.deny does not match')];

  const candidates = ofTool(allow);
  const plain = candidates.find(([, argument]) => argument === null);
  if (plain) return [find('abstain', at, `"${plain[0]}" of tools.allow matches`)];
  const missing = texts.find(
    (text) => !candidates.some(([, argument]) => argument !== null && matchesArgument(argument, text)),
  );
  if (candidates.length > 0 && texts.length > 0 && missing === undefined && changes.doubt === null) {
    return [find('abstain', at, 'patterns of tools.allow match all of it')];
  }
  const what =
    candidates.length > 0 && missing !== undefined
      ? `"${displayText(missing, 80)}" of ${at}`
      : `the tool ${at}`;
  return [
    find(
      unknown,
      at,
      `tools.allow does not name ${what}; tools.unknown is ${unknown}`,
      `The guardrail rule "tools" does not know ${what}: it is not in ${describeSetter(options, 'tools.allow')}.`,
      'Use a tool from that list, or ask the user to add it.',
    ),
  ];
}
