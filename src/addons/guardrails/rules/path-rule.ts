// Decides whether a place may be written: secrets, protected and writable globs, places outside the root.
import { PLANS } from '../../../hosts/claude-code/names.ts';
import type { GuardrailFinding } from '../../../hosts/verdict.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { setBy } from '../../../settings/guardrail-options.ts';
import { findMatch } from '../../../text/globs.ts';
import { displayText, isAbsolute, isOdd, looksLike } from '../../../text/path-text.ts';
import type { PathNames } from '../path-names.ts';
import { findHolder, findShortName } from '../path-names.ts';
import { capital, find, INSTEAD } from './path-finding.ts';

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
    const reason = `${did} ${at} (by ${by}) is guarded by the rule "paths": "${hit}" is in ${setBy(options, `paths.${key}`)} (paths.${key}). ${INSTEAD[key]}`;
    const decision = key === 'secrets' ? paths.on_secret : 'deny';
    return find(decision, at, `"${hit}" of paths.${key} matches`, capital(reason));
  }
  const odd = oddOf(each, options);
  if (odd) return odd;
  const allowed = findMatch(paths.writable, each.real, each.place.folds);
  if (allowed !== null) return find('abstain', at, `"${allowed}" of paths.writable matches`);
  if (!each.isInside) {
    if (findMatch(PLANS, each.real, each.place.folds) !== null)
      return find('abstain', at, 'a plan that the client itself keeps');
    const reason = `${did} ${at} (by ${by}) is outside the project, where the guardrail rule "paths" does not let files be written (${setBy(options, 'paths.outside')}, paths.outside). Write below the project's root, or ask the user.`;
    return find(paths.outside, at, `outside the root; paths.outside is ${paths.outside}`, capital(reason));
  }
  if (paths.writable.length > 0) {
    const list = paths.writable.slice(0, 6).join(', ');
    const reason = `${did} ${at} (by ${by}) was refused by the guardrail rule "paths": only ${list} may be written (${setBy(options, 'paths.writable')}, paths.writable). Write there, or ask the user.`;
    return find('deny', at, 'no pattern of paths.writable matches', capital(reason));
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
    const reason = `The path ${at} holds characters that cannot be seen (written here as \\u{…}). Write the plain name, or let the user confirm it (paths.odd).`;
    return find(odd, at, 'invisible characters in the path', reason);
  }
  if (!names.some((name) => /[^\u0000-\u007f]/.test(name))) return null;
  const alike = findMatch([...secrets, ...kept].map(looksLike), names.map(looksLike), true);
  if (alike === null) return null;
  const reason = `The path ${at} looks like "${alike}", which is guarded, but has other letters. Write the plain name, or let the user confirm it (paths.odd).`;
  return find(odd, at, `looks like "${alike}" and is another name`, reason);
}
