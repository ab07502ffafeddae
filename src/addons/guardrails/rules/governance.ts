// Rates a change to what governs the work as C3 or C4, and leaves the decision to a person.

import { createFinder, type GuardrailFinding } from '../../../hosts/verdict.ts';
import { describeSetter, type GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { findMatch } from '../../../text/globs.ts';
import { displayText, looksLike } from '../../../text/path-text.ts';
import { findHolder, findShortName, type PathNames } from '../path-names.ts';

const find = createFinder('governance');

const LEVELS = {
  c4: 'C4 (critical: it changes what governs all later work)',
  c3: 'C3 (significant: it changes rules that others rely on)',
} as const;

const ESCALATION =
  'Escalation: a person decides. Say what is to be changed and why, and go on only with their consent.';

export function checkGovernance(each: PathNames, options: GuardrailOptions): GuardrailFinding {
  const { action } = options.governance;
  const at = displayText(findShortName(each));
  const { folds } = each.place;
  for (const level of ['c4', 'c3'] as const) {
    const patterns = options.governance[level];
    const hit = findMatch(patterns, each.all, folds) ?? findHolder(each, patterns);
    const alike = hit === null ? findMatch(patterns.map(looksLike), each.all.map(looksLike), true) : null;
    if (hit === null && (alike === null || folds)) continue;
    const saw =
      hit === null
        ? `looks like "${alike}" of governance.${level}`
        : `"${hit}" of governance.${level} matches`;
    const reason = `${at} (by ${each.change.by}) is ${LEVELS[level]}: "${hit ?? alike}" in ${describeSetter(options, `governance.${level}`)}.`;
    return find(action, at, saw, reason, ESCALATION);
  }
  return find('abstain', at, 'no pattern of governance matches');
}
