// Decides whether a place may be written: secrets, protected and writable globs, places outside the root.

import { PLANS } from '../../../hosts/claude-code/names.ts';
import { createFinder, type GuardrailFinding } from '../../../hosts/verdict.ts';
import { describeSetter, type GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { findHeldPlace, findMatch, matchesGlob, matchesName } from '../../../text/globs.ts';
import { displayText, isAbsolute, isOdd, looksLike } from '../../../text/path-text.ts';
import type { PathChange } from '../change.ts';
import { findHolder, findShortName, type PathNames } from '../path-names.ts';

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
      const base = findHeldPlace(name, pattern, folds, true);
      if (base === null) return false;
      // A search finds what is there: the guarded place itself, or what it holds.
      if (found !== undefined && matchesName(found, base.replace(/^.*\//, ''))) return within.isThere(base);
      return (
        matchesGlob(pattern, `${base}${tail}`, folds) && (found === undefined || within.holds(base, found))
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
        `Writing ${at} (by ${change.by}) is guarded by the rule "paths": "${hit}" is in ${describeSetter(options, 'paths.secrets')}.`,
        INSTEAD.secrets,
      );
    }
  }
  const held = within === null ? null : guardedBelow(within, change, options);
  if (within !== null && held !== null) {
    return find(
      'deny',
      at,
      `the known part of its path is guarded by "${held}", whatever the rest is`,
      `Changing ${at} (by ${change.by}) is guarded by the rule "paths": "${held}" guards ${displayText(findShortName(within))} (${describeSetter(options, 'paths.protected')}).`,
      INSTEAD.protected,
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
      `${capitalize(change.by)} may write "${displayText(mention, 80)}", which the guardrails guard, and its code is not followed.`,
      'Use the Edit or Write tool, so that the rules see the file.',
    );
  }
  return find(
    paths.unknown,
    at,
    `${why}; paths.unknown is ${paths.unknown}`,
    `The guardrail rule "paths" cannot know what this writes: ${at} (by ${change.by}; ${why}; ${describeSetter(options, 'paths.unknown')}).`,
    'Name the file literally, or use the Edit or Write tool.',
  );
}

/** The key of whose patterns a rule about places has said what it saw. */
export const findPatternKey = (saw: string): string | undefined =>
  /\b((?:paths|governance)\.\w+)/.exec(saw)?.[1];

const find = createFinder('paths');

export const INSTEAD: Record<'secrets' | 'protected', string> = {
  secrets: 'Name what the file needs and let the user write it; an example file without values is free.',
  protected: 'Leave it as it is, or ask the user to change it or the rule.',
};

const PLAIN_NAME = 'Write the plain name, or let the user confirm it.';

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What takes bytes and keeps none. */
const isDevice = (path: string): boolean =>
  /^\/dev\/(?:null|zero|full|tty|std(?:in|out|err)|fd\/\d+|u?random|pts\/\d+)$/.test(path) ||
  /^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(path);

/** Whether a forbidding list hits a place: by its own names, or as part of a folder that goes as a whole. */
function hitOf(each: PathNames, patterns: string[]): string | null {
  const direct = findMatch(patterns, each.all, each.place.folds);
  if (direct !== null || !each.change.whole) return direct;
  return findHolder(each, patterns);
}

export function checkPath(each: PathNames, options: GuardrailOptions): GuardrailFinding {
  const { paths } = options;
  const at = displayText(findShortName(each));
  const { by, act } = each.change;
  if (isDevice(each.place.path)) return find('abstain', at, 'a device that keeps nothing');
  const did = act === 'remove' ? 'removing' : 'writing';
  for (const key of ['secrets', 'protected'] as const) {
    const hit = hitOf(each, paths[key]);
    if (hit === null) continue;
    const reason = `${did} ${at} (by ${by}) is guarded by the rule "paths": "${hit}" is in ${describeSetter(options, `paths.${key}`)}.`;
    const decision = key === 'secrets' ? paths.on_secret : 'deny';
    return find(decision, at, `"${hit}" of paths.${key} matches`, capitalize(reason), INSTEAD[key]);
  }
  const odd = oddOf(each, options);
  if (odd) return odd;
  const allowed = findMatch(paths.writable, each.real, each.place.folds);
  if (allowed !== null) return find('abstain', at, `"${allowed}" of paths.writable matches`);
  if (!each.isInside) {
    if (findMatch(PLANS, each.real, each.place.folds) !== null)
      return find('abstain', at, 'a plan that the client itself keeps');
    const reason = `${did} ${at} (by ${by}) is outside the project, which the rule "paths" guards (${describeSetter(options, 'paths.outside')}).`;
    const next = "Write below the project's root, or ask the user.";
    const saw = `outside the root; paths.outside is ${paths.outside}`;
    return find(paths.outside, at, saw, capitalize(reason), next);
  }
  if (paths.writable.length > 0) {
    const list = paths.writable.slice(0, 6).join(', ');
    const reason = `${did} ${at} (by ${by}) is guarded by the rule "paths": only ${list} may be written (${describeSetter(options, 'paths.writable')}).`;
    const next = 'Write there, or ask the user.';
    return find('deny', at, 'no pattern of paths.writable matches', capitalize(reason), next);
  }
  return find('abstain', at, 'no pattern of paths.secrets or paths.protected matches');
}

/** A name that holds what nobody sees, or that is drawn like a guarded one without being it. */
function oddOf(each: PathNames, options: GuardrailOptions): GuardrailFinding | null {
  const { odd, secrets, protected: kept } = options.paths;
  if (odd === 'abstain') return null;
  const at = displayText(findShortName(each));
  const names = each.all.filter((name) => !isAbsolute(name) || !each.isInside);
  if (names.some((name) => isOdd(name)) || isOdd(each.change.written)) {
    const reason = `The path ${at} holds characters that cannot be seen (written here as \\u{…}; rule "paths", paths.odd).`;
    return find(odd, at, 'invisible characters in the path', reason, PLAIN_NAME);
  }
  if (!names.some((name) => /[^\u0000-\u007f]/.test(name))) return null;
  const alike = findMatch([...secrets, ...kept].map(looksLike), names.map(looksLike), true);
  if (alike === null) return null;
  const reason = `The path ${at} looks like "${alike}", which is guarded, but has other letters (rule "paths", paths.odd).`;
  return find(odd, at, `looks like "${alike}" and is another name`, reason, PLAIN_NAME);
}
