// Applies the rules to a file that has been written already, whoever wrote it.

import { asWrite } from '../../hosts/claude-code/tools/kinds.ts';
import { buildVerdict, type GuardrailFinding, type Verdict } from '../../hosts/verdict.ts';
import { describeSetter, type GuardrailOptions, hasLayers } from '../../settings/guardrail-options.ts';
import { displayText } from '../../text/path-text.ts';
import type { PathChange } from './change.ts';
import type { FileSystemPort, GuardedCall } from './guard-call.ts';
import { findPathNames, findShortName } from './path-names.ts';
import { checkArchitecture } from './rules/architecture.ts';
import { checkGovernance } from './rules/governance.ts';
import { checkOwnFiles } from './rules/own-files.ts';
import { checkPath, findPatternKey } from './rules/path-rule.ts';

// The message about a protected file that was changed already.
const TABLES = { paths: 'guardrails.paths', governance: 'guardrails.governance' } as const;

/** `is changed, and "gen/**" of paths.protected matches (guardrails.paths.protected)`, to be read behind a file's name. */
export function describeChangedFile(
  { rule, saw }: GuardrailFinding & { rule: keyof typeof TABLES },
  isGone: boolean,
  options: GuardrailOptions,
): string {
  const key = findPatternKey(saw);
  const set = key === undefined ? TABLES[rule] : describeSetter(options, key);
  return `is ${isGone ? 'removed' : 'changed'}, and ${saw} (${set})`;
}

export interface ChangedFile {
  /** Absolute. */
  path: string;
  /** Null where it is gone, or no text of a size that is read. */
  text: string | null;
  isGone: boolean;
  /** What the file held before; asked only when the text breaks a rule. */
  before: () => string | null;
}

/** The verdict on a file, as if it were written now; what stood in it before is not held against it. */
export function checkChangedFile(
  file: ChangedFile,
  place: Pick<GuardedCall, 'cwd' | 'root' | 'home'>,
  options: GuardrailOptions,
  sight: FileSystemPort,
): Verdict {
  const { path, text, isGone } = file;
  const change: PathChange & { path: string } = {
    path,
    written: path,
    act: isGone ? 'remove' : 'write',
    whole: false,
    // A link that was made or moved is itself what has changed.
    follows: false,
    by: 'a command',
  };
  const call: GuardedCall = { ...place, ...asWrite(path, text) };
  const at = findPathNames(change, call, sight);
  const name = displayText(findShortName(at));
  // Nothing was refused, and nobody knows who it was.
  const own = checkOwnFiles(at, { ...call, tool: '' }, sight);
  if (own !== null) {
    const did = isGone ? 'removed' : 'changed';
    const { next: _, ...seen } = own;
    return buildVerdict([{ ...seen, reason: `${name} is ${did}, and ${own.saw} (rule "own")` }], 'after');
  }
  const findings = [checkPath(at, options), checkGovernance(at, options)].map(({ next: _, ...found }) => {
    const { rule, decision } = found;
    if (decision === 'abstain' || (rule !== 'paths' && rule !== 'governance')) return found;
    return { ...found, reason: `${name} ${describeChangedFile({ ...found, rule }, isGone, options)}` };
  });
  if (text === null || !hasLayers(options)) return buildVerdict(findings, 'after');
  const layers = (before: string | null) => {
    const read = (asked: string): string | null => (asked === at.place.path ? before : sight.read(asked));
    return checkArchitecture(call, at, options, { ...sight, read });
  };
  const fresh = layers(null);
  const isBroken = fresh.some(({ decision }) => decision === 'deny');
  const found = isBroken ? layers(file.before()) : fresh;
  // A warning of this rule is about what stood there before, or about a text that cannot be read.
  return buildVerdict([...findings, ...found.filter(({ decision }) => decision !== 'warn')], 'after');
}
