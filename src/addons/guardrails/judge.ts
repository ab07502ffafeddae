// Judges a tool call: every rule looks at it, the strongest decision holds, and the trace says how it came about.

import { isServerTool } from '../../hosts/claude-code/tools/kinds.ts';
import type { GuardrailFinding, Telling, Verdict, VerdictDecision } from '../../hosts/verdict.ts';
import { buildVerdict, createFinder, isStronger } from '../../hosts/verdict.ts';
import { describeSetter, type GuardrailOptions, hasLayers } from '../../settings/guardrail-options.ts';
import { displayText, toAbsolute } from '../../text/path-text.ts';
import type { Changes, PathChange } from './change.ts';
import { findChanges } from './find-changes.ts';
import type { FileSystemPort, GuardedCall } from './guard-call.ts';
import { findPathNames } from './path-names.ts';
import { checkArchitecture } from './rules/architecture.ts';
import { checkCommands } from './rules/command-rule.ts';
import { checkGovernance } from './rules/governance.ts';
import { checkOwnCommands, checkOwnFiles, checkOwnUnknown } from './rules/own-files.ts';
import { checkPath, checkUnknownPath, findPatternKey } from './rules/path-rule.ts';
import { checkTool, checkTrackGate } from './rules/tool-rule.ts';

const ofPaths = createFinder('paths');
const ofTools = createFinder('tools');

const isKnown = (change: PathChange): change is PathChange & { path: string } => change.path !== null;

type Doubt = { doubt: string; isTooMuch?: true | undefined };

/** A call that could not be read: a warning; one that was too much for us: a question. With `strict`, a refusal. */
function judgeDoubt(
  call: GuardedCall,
  { doubt, isTooMuch }: Doubt,
  options: GuardrailOptions,
): GuardrailFinding {
  const decision: VerdictDecision = options.strict ? 'deny' : isTooMuch ? 'ask' : 'warn';
  const at = displayText(call.tool, 80);
  const end =
    decision === 'warn' ? ' It was let through; name the files in it, so that they can be judged.' : '';
  // What was refused is not shown as something to be tried again in another dress.
  const next = options.strict
    ? 'guardrails.strict refuses what cannot be decided: go on without it, or tell the user.'
    : 'A person decides about such calls.';
  const reason = `The guardrails cannot decide what this ${at} call changes: ${doubt}.${end}`;
  return ofPaths(decision, at, `cannot decide: ${doubt}`, reason, decision === 'warn' ? undefined : next);
}

const findTelling = ({ mode }: GuardrailOptions): Telling => (mode === 'warn' ? 'warn' : 'enforce');

/** The verdict on a call that was not judged to its end. */
export function buildUndecided(call: GuardedCall, doubt: string, options: GuardrailOptions): Verdict {
  return buildVerdict([judgeDoubt(call, { doubt, isTooMuch: true }, options)], findTelling(options));
}

/** What the rules about files say of one change; `call` holds the text that the file will have. */
export function checkChange(
  change: PathChange & { path: string },
  call: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const place = findPathNames(change, call, sight);
  const files = [`${place.place.path}${change.whole === false ? '' : '/'}`];
  return [
    { ...checkPath(place, options), files },
    { ...checkGovernance(place, options), files },
    ...(hasLayers(options) ? checkArchitecture(call, place, options, sight) : []),
  ];
}

const noToolListed = ({ tool }: GuardedCall): GuardrailFinding =>
  ofTools('abstain', displayText(tool, 80), 'guardrails.tools lists none');

/** A call that names no file that it changes: whether it may change one all the same. */
function noFile({ tool }: GuardedCall, { unread }: Changes): GuardrailFinding {
  const [first] = unread;
  const saw =
    first !== undefined
      ? `names no file that it changes; "${displayText(first, 60)}" may change some, which are looked at when it has run`
      : isServerTool(tool)
        ? 'its input is not known; guardrails.paths.fields may name the field that holds the file'
        : 'changes no file';
  return ofPaths('abstain', displayText(tool, 80), saw);
}

/** Changes that undo what the agent was told of are not held against it. */
function withoutUndone(changes: Changes, sight: FileSystemPort): Changes {
  const isUndone = (change: PathChange): boolean =>
    isKnown(change) &&
    change.whole === false &&
    (change.restores === true || change.act === 'remove') &&
    sight.undoes?.(sight.resolve(change.path, change.follows).path, change.act) === true;
  return sight.undoes === undefined
    ? changes
    : { ...changes, changes: changes.changes.filter((change) => !isUndone(change)) };
}

/** Only `unknown` tools and tools without files keep a rule from looking; each says what it saw. */
function findingsOf(
  call: GuardedCall,
  changes: Changes,
  options: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const { allow, deny } = options.tools;
  const named = changes.named.flatMap((each) => checkNamed(each, changes, call, options, sight));
  const findings =
    allow.length + deny.length > 0 ? [...checkTool(call, changes, options)] : [noToolListed(call)];
  findings.push(...checkOwnCommands(changes, call, sight), ...checkCommands(changes, call, options, sight));
  if (sight.evaluation) findings.push(...checkTrackGate(call, changes, sight, sight.evaluation));
  if (changes.doubt !== null) findings.push(judgeDoubt(call, { ...changes, doubt: changes.doubt }, options));
  else if (changes.changes.every(({ act }) => act === 'mode')) findings.push(noFile(call, changes));
  for (const change of changes.changes) {
    if (!isKnown(change)) {
      const within =
        change.within === undefined ? null : findPathNames({ ...change, path: change.within }, call, sight);
      const files = (change.mentions ?? []).map(
        (each) => sight.resolve(toAbsolute(each, call.cwd, call.home), true).path,
      );
      const own = checkOwnUnknown(change, changes.commands ?? [], call, sight);
      if (own !== null) findings.push({ ...own, files });
      if (change.act !== 'mode') findings.push({ ...checkUnknownPath(change, within, options), files });
      continue;
    }
    const place = findPathNames(change, call, sight);
    const own = checkOwnFiles(place, call, sight);
    if (own !== null) findings.push({ ...own, files: [place.place.path] });
    if (change.act !== 'mode') findings.push(...checkChange(change, call, options, sight));
  }
  return [...findings, ...named];
}

/** Of what a program that is not known may change, only what is guarded: it may be another one's to change the rest. */
function checkNamed(
  change: PathChange,
  { commands }: Changes,
  call: GuardedCall,
  { ...options }: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  options.paths = { ...options.paths, writable: [], outside: 'abstain', unknown: 'abstain' };
  const found: GuardrailFinding[] = [];
  if (isKnown(change)) {
    const place = findPathNames(change, call, sight);
    const own = change.maybe ? null : checkOwnFiles(place, call, sight);
    if (own !== null) found.push(own);
    if (change.act !== 'mode') found.push(checkPath(place, options), checkGovernance(place, options));
  } else {
    const { within } = change;
    const place = within === undefined ? null : findPathNames({ ...change, path: within }, call, sight);
    const own = checkOwnUnknown(change, commands ?? [], call, sight);
    if (own !== null) found.push(own);
    found.push(checkUnknownPath(change, place, options));
  }
  return found
    .filter(({ decision }) => decision !== 'abstain')
    .map((each) => {
      const files = isKnown(change) ? [sight.resolve(change.path, change.follows).path] : [];
      if (!change.maybe) return { ...each, files };
      const key = findPatternKey(each.saw);
      const setter = key === undefined ? '' : ` (${describeSetter(options, key)})`;
      const by = displayText(change.by, 40);
      return {
        ...each,
        files,
        decision: isStronger(each.decision, 'ask') ? 'ask' : each.decision,
        reason: `${by} is told of ${each.at} and may change it, and ${each.saw}${setter}.`,
        next: 'Use the Edit or Write tool, or a command that only reads the file.',
      };
    });
}

/** The verdict on a call. Pure: all that the disk knows comes through `sight`. */
export function checkGuardedCall(
  call: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): Verdict {
  if (options.mode === 'off') {
    const step = {
      rule: 'guardrails',
      at: 'mode',
      saw: 'guardrails.mode is "off"',
      decision: 'abstain',
    } as const;
    return { decision: 'abstain', rule: null, reason: null, files: [], trace: [step] };
  }
  const changes = withoutUndone(findChanges(call, options.paths.fields, sight), sight);
  return buildVerdict(findingsOf(call, changes, options, sight), findTelling(options));
}
