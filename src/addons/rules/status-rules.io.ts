// Lists for `plimsoll status` the marked rules that are repeated at every prompt, and those that are not, and why.

import type { StatusSection } from '../../cli/context.ts';
import { formatCount } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { redact } from '../../text/redact.ts';
import { projectRules, qualityReinforcement } from './read-rules.io.ts';

/** The most characters of a rule that are shown, enough to recognise it. */
const MOST = 60;

const firstWords = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST).replace(/\s+\S*$/, '')}…` : text;

/** Collects the rules; null where no file marks one, or repeating is switched off. */
function rulesOf(place: ProjectContext) {
  if (!place.resolved.settings['quality.reinforcement']) return null;
  const { rules, problems } = projectRules(place.paths);
  if (rules.length + problems.length === 0) return null;
  // Counted as the hooks count them: redacted text has another length.
  const { left } = qualityReinforcement(rules.map((rule) => ({ ...rule, content: redact(rule.content) })));
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
