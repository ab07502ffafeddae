// Judges a write whose place cannot be known: by what is known of it, then by policy.

import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { setBy } from '../../../settings/guardrail-options.ts';
import { findMatch, globMatches, heldPlace, nameMatches } from '../../../text/globs.ts';
import { displayText } from '../../../text/path-text.ts';
import type { PathChange } from '../change.ts';
import type { PathNames } from '../path-names.ts';
import { findShortName } from '../path-names.ts';
import { capital, find, INSTEAD } from './path-finding.ts';

/** The protected pattern that an unknown path below a folder must meet: by the folder, or by folder and known end. */
function guardedBelow(
  within: PathNames,
  { tail, found }: PathChange,
  options: GuardrailOptions,
): string | null {
  const { protected: kept } = options.paths;
  const { folds } = within.place;
  const direct = findMatch(kept, within.all, folds);
  if (direct !== null || tail === undefined) return direct;
  const ends = (pattern: string): boolean =>
    within.all.some((name) => {
      const base = heldPlace(name, pattern, folds, true);
      if (base === null) return false;
      // A search finds what is there: the guarded place itself, or what it holds.
      if (found !== undefined && nameMatches(found, base.replace(/^.*\//, ''))) return within.isThere(base);
      return (
        globMatches(pattern, `${base}${tail}`, folds) && (found === undefined || within.holds(base, found))
      );
    });
  return kept.find(ends) ?? null;
}

/** A change whose place cannot be known: what is known of it, and then the policy. */
export function checkUnknownPath(
  change: PathChange,
  within: PathNames | null,
  options: GuardrailOptions,
): GuardrailFinding {
  const { paths } = options;
  const at = displayText(change.written);
  const guarded = [...paths.secrets, ...paths.protected, ...options.governance.c4, ...options.governance.c3];
  const why = change.why ?? 'it cannot be known';
  if (change.tail?.startsWith('/')) {
    const name = `…${change.tail}`;
    const hit = findMatch(
      paths.secrets.filter((pattern) => !pattern.includes('/') || pattern.includes('**/')),
      [name],
    );
    if (hit !== null) {
      return find(
        paths.on_secret,
        at,
        `its end matches "${hit}" of paths.secrets, whatever stands before it`,
        `Writing ${at} (by ${change.by}) is guarded by the rule "paths": "${hit}" is in ${setBy(options, 'paths.secrets')} (paths.secrets). ${INSTEAD.secrets}`,
      );
    }
  }
  const held = within === null ? null : guardedBelow(within, change, options);
  if (within !== null && held !== null) {
    return find(
      'deny',
      at,
      `the known part of its path is guarded by "${held}", whatever the rest is`,
      `Changing ${at} (by ${change.by}) was refused by the guardrail rule "paths": "${held}" guards ${displayText(findShortName(within))} (${setBy(options, 'paths.protected')}, paths.protected). ${INSTEAD.protected}`,
    );
  }
  const mention = (change.mentions ?? [])
    .map((text) => text.replace(/^\.\//, ''))
    .find((text) => findMatch(guarded, [text]) !== null);
  if (mention !== undefined) {
    return find(
      paths.odd === 'abstain' ? paths.unknown : 'ask',
      at,
      `${why}, and its code names "${displayText(mention, 80)}", which is guarded`,
      `${capital(change.by)} may write "${displayText(mention, 80)}", which the guardrails guard, and its code is not followed. Use the Edit or Write tool, so that the rules see the file.`,
    );
  }
  return find(
    paths.unknown,
    at,
    `${why}; paths.unknown is ${paths.unknown}`,
    `The guardrail rule "paths" cannot know what this writes: ${at} (by ${change.by}; ${why}). Name the file literally, or use the Edit or Write tool (${setBy(options, 'paths.unknown')}, paths.unknown).`,
  );
}
