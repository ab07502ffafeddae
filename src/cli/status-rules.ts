// Which of a project's marked rules are said at every prompt, and which are not, and why?
import { projectRules } from '../config/rules.ts';
import { redact } from '../model/redact.ts';
import { qualityReinforcement } from '../tags/quality-reinforcement.ts';
import { count } from './output.ts';
import type { Place } from './place.ts';

/** So many characters of a rule say which one it is. */
const MOST = 60;

const firstWords = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST).replace(/\s+\S*$/, '')}…` : text;

/** Null where no file asks for a rule to be said again, and where that is switched off. */
export function rulesOf(place: Place) {
  if (!place.resolved.settings['quality.reinforcement']) return null;
  const { rules, problems } = projectRules(place.paths);
  if (rules.length + problems.length === 0) return null;
  // As the hooks count them: what is redacted has another length.
  const { left } = qualityReinforcement(rules.map((rule) => ({ ...rule, content: redact(rule.content) })));
  return {
    said: rules.length - left.length,
    left_out: left.map(({ where, rank, content }) => ({ where, rank, words: firstWords(content) })),
    not_understood: problems.map(({ where, message }) => ({ where, message: redact(message) })),
  };
}

/** What is not understood stands among the problems of the settings. */
export function rulesRows(rules: ReturnType<typeof rulesOf>): [string, string | null][] {
  if (rules === null) return [];
  const { said, left_out: left } = rules;
  const rest =
    left.length === 0 ? '' : `, ${left.length} left out, because 600 tokens are all that there is for them:`;
  return [
    ['Rules', `${count(said, 'rule')} said again at every prompt${rest}`],
    ...left.map(({ where, rank, words }): [string, string] => ['', `${where}, rank ${rank}: ${words}`]),
  ];
}
