// Check "rules" and the lines of `status`: every rule marked with L2-REINJECT is read, and so repeated at prompts.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import type { StatusSection } from '../../cli/context.ts';
import { formatCount } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { findQualityPath, makeRelative } from '../../platform/project/paths.ts';
import { redact } from '../../text/redact.ts';
import { buildReinforcement, readProjectRules, readRuleFiles } from './read-rules.io.ts';
import { readMarkers } from './reinforcement.ts';

/** The most characters of a rule that are shown, enough to recognise it. */
const MOST = 60;

const firstWords = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST).replace(/\s+\S*$/, '')}…` : text;

/** Collects the rules; null where no file marks one, or repeating is switched off. */
function rulesOf(place: ProjectContext) {
  if (!place.resolved.settings['quality.reinforcement']) return null;
  const { rules, problems } = readProjectRules(place.paths);
  if (rules.length + problems.length === 0) return null;
  // Counted as the hooks count them: redacted text has another length.
  const { left } = buildReinforcement(rules.map((rule) => ({ ...rule, content: redact(rule.content) })));
  return {
    said: rules.length - left.length,
    left_out: left.map(({ where, rank, content }) => ({ where, rank, words: firstWords(content) })),
    not_understood: problems.map(({ where, message }) => ({ where, message: redact(message) })),
  };
}

/** Formats the rules as rows; rules that are not understood are shown among the problems of the settings. */
function rulesRows(rules: ReturnType<typeof rulesOf>): [string, string | null][] {
  if (rules === null) return [];
  const { said, left_out: left } = rules;
  const rest =
    left.length === 0 ? '' : `, ${left.length} left out, because 600 tokens are all that there is for them:`;
  return [
    ['Rules', `${formatCount(said, 'rule')} said again at every prompt${rest}`],
    ...left.map(({ where, rank, words }): [string, string] => ['', `${where}, rank ${rank}: ${words}`]),
  ];
}

export const rulesStatus: StatusSection = {
  key: 'rules',
  read: (place) => {
    const rules = rulesOf(place);
    return { data: rules, rows: rulesRows(rules) };
  },
};

const about = (file: string, line: number, message: string, next: string): CheckFinding => ({
  check: 'rules',
  rule: 'marker',
  level: 'warning',
  file,
  line,
  message,
  next,
});
const lineOf = (where: string): number => Number(/:(\d+)$/.exec(where)?.[1] ?? 1);

/** @param isRead whether the markers of this file are read at all */
export function checkMarkers(file: string, text: string, isRead: boolean): CheckFinding[] {
  const { found, faults } = readMarkers(text, file);
  const bad = faults.map(({ where, message }) =>
    about(
      file,
      lineOf(where),
      `${message}: its words are not said`,
      'write it as <!-- L2-REINJECT: rank=1, content="…" -->; an example belongs in a code block',
    ),
  );
  if (isRead) return bad;
  const unheard = found.map(({ where }) =>
    about(
      file,
      lineOf(where),
      'has a marker, and markers of this file are not read',
      'move the rule to a file in .plimsoll/rules/',
    ),
  );
  return [...bad, ...unheard];
}

export const rulesCheck: Check = {
  name: 'rules',
  rules: { marker: 'A rule is marked with L2-REINJECT and is not said again.' },
  look: ({ files, place, root }) => {
    const quality = makeRelative(findQualityPath(place.paths), root);
    const read = new Set(readRuleFiles(place.paths).files.map((path) => makeRelative(path, root)));
    return files
      .filter(({ path }) => read.has(path) || path === quality)
      .flatMap((file) => checkMarkers(file.path, file.text() ?? '', read.has(file.path)));
  },
};
